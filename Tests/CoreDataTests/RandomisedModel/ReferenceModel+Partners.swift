/// One to one: the two keys in the file say the same (S2.6).
extension ReferenceModel {
  /// Before a save is written, and after a policy has decided: the old partner of an unsaved change leads back no more, and the
  /// new one leads back.
  mutating func settlePartners(_ context: Int, isResolving: Bool) {
    let unsettled = contexts[context].unsettled
    var names = contexts[context].insertions + contexts[context].updates
    var next = 0
    while next < names.count {
      let name = names[next]
      next += 1
      guard let thing = contexts[context].things[name], usable(context, name) else { continue }
      for index in AtlasSchema.entities[thing.entity].toOnes
      where thing.isInserted || thing.isReallyChanged(index) {
        let property = Self.property(thing.entity, index)
        if isResolving { clearDanglingReference(context, name, index) }
        let isOneToOne = Self.property(property.destination, property.inverse).kind == .toOne
        guard isOneToOne || unsettled.sidesMayDiffer || unsettled.ownersMayDiffer else { continue }
        let changed =
          isOneToOne ? settle(context, name, index, property.inverse) : settleOwners(context, name, index)
        // Nothing that was done here, and could be undone.
        if !changed.isEmpty { contexts[context].history.isDisturbed = true }
        names += changed
      }
      guard unsettled.sidesMayDiffer else { continue }
      for index in AtlasSchema.entities[thing.entity].toManys where thing.changed.contains(index) {
        let property = Self.property(thing.entity, index)
        if Self.property(property.destination, property.inverse).kind == .toMany { settlePairs(context, name, index) }
      }
    }
  }

  /// Newer rows have come under unsaved moves: both sides say the same again.
  mutating func settleMovedPartners(_ context: Int) {
    let moved = contexts[context].unsettled.movedPartners
    contexts[context].unsettled.movedPartners = []
    for name in moved where usable(context, name) {
      guard let thing = contexts[context].things[name] else { continue }
      for index in AtlasSchema.entities[thing.entity].toOnes where thing.isReallyChanged(index) {
        let property = Self.property(thing.entity, index)
        guard Self.property(property.destination, property.inverse).kind == .toOne else { continue }
        _ = settle(context, name, index, property.inverse)
      }
    }
  }

  /// Settles one object; returns the objects that it changed.
  private mutating func settle(_ context: Int, _ name: Int, _ index: Int, _ inverse: Int) -> [Int] {
    guard let thing = contexts[context].things[name], let partner = thing.values?[index] else {
      return leave(context, contexts[context].things[name]?.base?.values[index], inverse, name)
    }
    var changed: [Int] = []
    if thing.base?.values[index] != partner { changed += leave(context, thing.base?.values[index], inverse, name) }
    guard meetPartner(context, partner), let rival = contexts[context].things[partner]?.values,
      rival[inverse] != name
    else { return changed }
    changed += leave(context, rival[inverse], index, partner)
    set(context, partner, inverse, name)
    return changed + [partner]
  }

  /// Leads nowhere, unless it leads to another partner than that by now.
  mutating func leave(_ context: Int, _ name: Int, _ index: Int, partner: Int) {
    realise(context, name)
    if contexts[context].things[name]?.values?[index] == partner { set(context, name, index, nil) }
  }

  /// An object leads nowhere, if it still leads to the one that has left it.
  private mutating func leave(_ context: Int, _ name: Int?, _ index: Int, _ partner: Int) -> [Int] {
    guard let name, meetPartner(context, name), contexts[context].things[name]?.values?[index] == partner else {
      return []
    }
    set(context, name, index, nil)
    return [name]
  }

  /// Whether the object is there and is to stay. One of which nothing would be written has its newest row.
  mutating func meetPartner(_ context: Int, _ name: Int) -> Bool {
    if let thing = contexts[context].things[name], thing.isDeleted || thing.isGone { return false }
    let isWritten = contexts[context].things[name].map { thing in
      thing.isInserted || thing.changed.contains(where: thing.isReallyChanged)
    }
    let known = contexts[context].things[name]
    // A child's object stays as it was read until it is merged or refreshed.
    if isWritten != true, contexts[context].parent == nil || known?.values == nil {
      noteRead(context, [name], fromStore: true)
      guard let newest = rowAbove(context, name) else { return false }
      if contexts[context].parent == nil, known?.values != nil, known?.base?.version != newest.version {
        take(context, name, newest)
      }
    }
    realise(context, name)
    return usable(context, name)
  }

  /// Two rows of a one-to-one relationship that do not lead to each other, though both are there; nil where there are none.
  var partnersAtOdds: String? {
    for (name, row) in store.sorted(by: { $0.key < $1.key }) {
      for index in AtlasSchema.entities[row.entity].toOnes {
        let property = Self.property(row.entity, index)
        guard Self.property(property.destination, property.inverse).kind == .toOne, let partner = row.values[index],
          let other = store[partner], other.values[property.inverse] != name
        else { continue }
        return "store: #\(name) leads to #\(partner), which leads to \(Driver.text(other.values[property.inverse]))"
      }
    }
    return nil
  }
}
