import CoreData

extension ReferenceModel {
  // MARK: Fetching (S7.1, S7.3)

  /// What a fetch of an entity gives, with an optional comparison of one property.
  func fetch(_ context: Int, _ entity: Int, where condition: (property: Int, value: Int?)?) -> Set<Int> {
    func matches(_ values: [Int?]) -> Bool { condition.map { values[$0.property] == $0.value } ?? true }
    var names: Set<Int> = []
    if let parent = contexts[context].parent {
      names = fetch(parent, entity, where: condition).filter { rowIn(parent, $0) != nil }
    } else {
      for (name, row) in store where row.entity == entity && matches(row.values) { names.insert(name) }
    }
    for (name, thing) in contexts[context].things where thing.entity == entity && thing.isDirty {
      names.remove(name)
      if !thing.isDeleted, matches(thing.values ?? thing.base?.values ?? []) { names.insert(name) }
    }
    return names
  }

  // MARK: Merging (S5.2)

  mutating func merge(_ context: Int, _ told: SaveTold) {
    guard told.context != context else { return }
    // What a late notification calls deleted may be back.
    for name in told.deleted where !(reinserted.contains(name) && contexts[context].parent == nil && store[name] != nil)
    {
      mergeDeletion(context, name)
    }
    for name in told.inserted {
      guard let row = rowAbove(context, name) else { continue }
      register(context, name)
      // Known already: brought up to date like any other.
      guard let thing = contexts[context].things[name], thing.values != nil, !thing.isDeleted, thing.base != nil,
        contexts[context].parent != nil || row.version != thing.base?.version
      else { continue }
      contexts[context].things[name]?.take(row)
    }
    for name in told.updated {
      guard let thing = contexts[context].things[name], !thing.isGone, thing.values != nil,
        let row = rowAbove(context, name)
      else { continue }
      guard contexts[context].parent != nil || row.version > thing.base?.version ?? 0 else { continue }
      contexts[context].things[name]?.take(row, dropping: mutation == .mergeOverwritesChanges)
    }
  }

  /// Another context deleted the object.
  mutating func mergeDeletion(_ context: Int, _ name: Int) {
    guard contexts[context].things[name]?.isGone == false else { return }
    for (other, thing) in contexts[context].things {
      // Unsaved changes that lead to it lead nowhere now.
      for index in AtlasSchema.entities[thing.entity].toOnes
      where thing.isInserted || thing.isUpdated && thing.changed.contains(index) {
        if !thing.isDeleted, thing.values?[index] == name { contexts[context].things[other]?.values?[index] = nil }
      }
      for index in thing.many.keys {
        contexts[context].things[other]?.many[index]?.members?.remove(name)
        contexts[context].things[other]?.many[index]?.added.remove(name)
        contexts[context].things[other]?.many[index]?.removed.remove(name)
      }
    }
    forgetLists(context, name)
    contexts[context].things[name] = nil
  }

  // MARK: One object

  /// `existingObject(with:)`; whether it gives one.
  mutating func existing(_ context: Int, _ name: Int) -> Bool {
    if let thing = contexts[context].things[name], thing.values != nil, !thing.isGone { return true }
    guard rowAbove(context, name) != nil, contexts[context].things[name]?.isGone != true else { return false }
    realise(context, name)
    return true
  }

  mutating func obtain(_ context: Int, _ name: Int) {
    guard permanent.insert(name).inserted else {
      contexts[context].things[name]?.isPermanent = true
      return
    }
    for ancestor in line(context) { contexts[ancestor].things[name]?.isPermanent = true }
  }
}
