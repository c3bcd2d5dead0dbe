extension ReferenceModel {
  /// The other side of a to-many relationship.
  struct Many: Equatable {
    var members: Set<Int>?
    var added: Set<Int> = [] { didSet { Self.follow(oldValue, added, &joiners) } }
    var removed: Set<Int> = [] { didSet { Self.follow(oldValue, removed, &leavers) } }
    /// The added and the removed members, in the order in which a push names them: the last takes the place of one that
    /// is neither any more.
    private(set) var joiners: [Int] = []
    private(set) var leavers: [Int] = []
    var isOrdered = false
    /// Whether nothing was ever above.
    var isNew = false
    var order = Order()

    private static func follow(_ old: Set<Int>, _ new: Set<Int>, _ list: inout [Int]) {
      for name in old.subtracting(new) {
        guard let place = list.firstIndex(of: name) else { continue }
        list.swapAt(place, list.count - 1)
        list.removeLast()
      }
      list += new.subtracting(old).sorted()
    }

    /// - Parameter wasDeleted: whether its deletion took it out: it counts as added, also where the store has it.
    mutating func add(_ name: Int, wasDeleted: Bool) {
      if members?.insert(name).inserted ?? true {
        order.list?.append(name)
        if order.wanted != nil { order.wanted = order.wanted.map { $0.filter { $0 != name } + [name] } }
      }
      if removed.remove(name) != nil, !wasDeleted {
        order.isArranged = isOrdered
      } else if added.insert(name).inserted {
        order.comers.append(name)
        keepPlace(of: name)
      }
    }

    mutating func remove(_ name: Int) {
      members?.remove(name)
      order.list?.removeAll { $0 == name }
      order.wanted?.removeAll { $0 == name }
      order.comers.removeAll { $0 == name }
      if added.remove(name) == nil { removed.insert(name) }
    }

    /// Drops changes that were made above as well, and returns their members. A member that is deleted here stays
    /// removed.
    mutating func dropChanges(madeIn above: Set<Int>, deleted: Set<Int>) -> Set<Int> {
      let settled = added.intersection(above).union(removed.subtracting(above).subtracting(deleted))
      for name in settled { dropChange(of: name) }
      return settled
    }

    mutating func dropChange(of name: Int) {
      added.remove(name)
      order.comers.removeAll { $0 == name }
      removed.remove(name)
    }

    /// The object came where it is above already, perhaps at another place.
    mutating func dropAddition(of name: Int) {
      guard added.remove(name) != nil else { return }
      order.comers.removeAll { $0 == name }
      order.isArranged = isOrdered
    }

    /// The object is a member here, and above it is none any more.
    mutating func noteLostAbove(_ name: Int) {
      guard added.insert(name).inserted else { return }
      if members?.insert(name).inserted == true { order.list?.append(name) }
      removed.remove(name)
      order.comers.append(name)
      keepPlace(of: name)
    }

    /// A member that is before others already is saved with that place.
    private mutating func keepPlace(of name: Int) {
      if isOrdered, let last = order.list?.last, last != name { order.isArranged = true }
    }

    /// No addition or removal is a change any more.
    mutating func drop(_ name: Int) {
      members?.remove(name)
      added.remove(name)
      removed.remove(name)
      order.drop(name)
    }

    /// The members are read again when they are next asked for.
    mutating func forget() {
      members = nil
      order.forget()
    }

    /// The same; without changes nothing stays.
    mutating func forgetUnchanged() {
      if hasChanges { forget() } else { self = Many(isOrdered: isOrdered) }
    }

    mutating func commit() {
      (added, removed, isNew) = ([], [], false)
      order.commit()
    }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || order.differs }
  }
}

extension ReferenceModel {
  /// Objects with an unsaved to-one relationship to an object, in the order of the changes.
  func leading(_ context: Int, to name: Int, _ index: Int) -> [Int] {
    guard let entity = entityOf[name] else { return [] }
    let property = Self.property(entity, index)
    return (contexts[context].insertions + contexts[context].updates).filter { other in
      guard let thing = contexts[context].things[other], thing.entity == property.destination, !thing.isDeleted,
        !thing.isGone
      else { return false }
      return thing.isReallyChanged(property.inverse) && thing.values?[property.inverse] == name
    }
  }

  /// A newer row comes under the unsaved changes (S2.6).
  mutating func take(_ context: Int, _ name: Int, _ row: Row, dropping: Bool = false) {
    if let thing = contexts[context].things[name], thing.values != nil, thing.base != row {
      noteOvertaken(context, name)
      contexts[context].history.isDisturbed = true
    }
    contexts[context].things[name]?.dropEqualChanges()
    rebaseMoves(context, name, row)
    contexts[context].things[name]?.take(row, dropping: dropping)
  }

  /// Where a newer row leads a to-one relationship elsewhere, the owner here has the object as an addition now, and the
  /// owner it left does not lose it any more. Where it was not moved here, the members of both ends are read again.
  mutating func rebaseMoves(_ context: Int, _ name: Int, _ row: Row) {
    guard let thing = contexts[context].things[name], let base = thing.base, let values = thing.values,
      !thing.isDeleted,
      !thing.isGone
    else { return }
    for index in AtlasSchema.entities[thing.entity].toOnes where base.values[index] != row.values[index] {
      let property = Self.property(thing.entity, index)
      if !thing.changed.contains(index), let target = row.values[index] { noteOvertaken(context, target) }
      guard Self.property(property.destination, property.inverse).kind == .toMany else {
        let ends = [base.values[index], row.values[index]].compactMap(\.self)
        let moved = ends.filter { contexts[context].things[$0]?.changed.contains(property.inverse) == true }
        contexts[context].unsettled.movedPartners += moved + (thing.changed.contains(index) ? [name] : [])
        continue
      }
      guard thing.changed.contains(index) else {
        for case let end? in [base.values[index], row.values[index]]
        where contexts[context].things[end]?.many[property.inverse]?.isNew == false {
          contexts[context].things[end]?.many[property.inverse]?.forget()
        }
        continue
      }
      contexts[context].unsettled.ownersMayDiffer = true
      if let current = values[index], current == row.values[index] {
        contexts[context].things[current]?.many[property.inverse]?.dropAddition(of: name)
      }
      guard let old = base.values[index], let owner = contexts[context].things[old] else { continue }
      if old != values[index] {
        contexts[context].things[old]?.many[property.inverse]?.dropChange(of: name)
      } else if owner.changed.contains(property.inverse) {
        let unknown = makeMany(property.destination, property.inverse)
        contexts[context].things[old]?.many[property.inverse, default: unknown].noteLostAbove(name)
      }
    }
  }
}
