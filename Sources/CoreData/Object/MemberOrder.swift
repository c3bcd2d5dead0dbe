/// The order of an ordered to-many relationship: the store's, and whether another one is wanted.
///
/// Additions and removals describe what is appended and taken out; only a change that moves others needs the whole order.
final class MemberOrder {
  // Not checked for exclusivity at run time, as the objects that own it.

  /// The members in the order of the store, or the parent, when they were last read or saved.
  @exclusivity(unchecked)
  private(set) var stored: ContiguousArray<NSManagedObject>?
  /// The order wanted here while the members are forgotten.
  @exclusivity(unchecked)
  private(set) var wanted: ContiguousArray<NSManagedObject>?
  /// Whether members were moved, or put before others.
  @exclusivity(unchecked)
  var isArranged = false
  /// Whether the order wanted here gives way where the store's was changed elsewhere; for the save under way.
  @exclusivity(unchecked)
  var yieldsToStore = false
  /// Counts the changes of the members and of their order.
  @exclusivity(unchecked)
  private(set) var changes = 0

  /// The same knowledge, to be changed independently.
  func copy() -> MemberOrder {
    let copy = MemberOrder()
    (copy.stored, copy.wanted, copy.isArranged, copy.changes) = (stored, wanted, isArranged, changes)
    return copy
  }

  /// Whether the members are in another order than in the store; members that left are not looked at.
  ///
  /// Complexity: O(1) unless members were moved, else O(*n*) for *n* members before the first that was.
  func differs(from members: inout ObjectList?) -> Bool {
    guard isArranged, let stored else { return false }
    if members != nil { return Self.isOther(&members!, than: stored) }
    guard var wanted = wanted.map(ObjectList.init) else { return false }
    return Self.isOther(&wanted, than: stored)
  }

  private static func isOther(_ list: inout ObjectList, than stored: ContiguousArray<NSManagedObject>) -> Bool {
    var position = zip(list.objects, stored).prefix { $0 === $1 }.count
    for object in stored[position...] {
      while position < list.count, list.objects[position].state.contains(.gone) { position += 1 }
      if position < list.count, list.objects[position] === object {
        position += 1
      } else if !object.state.contains(.gone), list.contains(object) {
        return true
      }
      // Removals change no other position.
    }
    return list.objects[position...].contains { !$0.state.contains(.gone) }
  }

  func recordAdded(_ object: NSManagedObject) {
    changes += 1
    guard wanted != nil else { return }
    // It may have left by a merge, and still be listed.
    wanted?.removeAll { $0 === object }
    wanted?.append(object)
  }

  func recordRemoved(_ object: NSManagedObject) {
    changes += 1
    wanted?.removeAll { $0 === object }
  }

  /// Members are in another place than one at the end.
  func recordArranged() {
    changes += 1
    isArranged = true
  }

  /// Notes the members that were read.
  func recordStored(_ stored: ContiguousArray<NSManagedObject>) { self.stored = stored }

  /// Members with the unsaved changes, in the order that is wanted.
  func realise(
    _ members: ContiguousArray<NSManagedObject>, added: ContiguousArray<NSManagedObject>,
    removed: ContiguousArray<NSManagedObject>
  ) -> ContiguousArray<NSManagedObject> {
    changes += 1
    var list = members
    if !removed.isEmpty {
      let gone = Set(removed.map { ObjectIdentifier($0) })
      list.removeAll { gone.contains(ObjectIdentifier($0)) }
    }
    if !added.isEmpty {
      let present = Set(list.map { ObjectIdentifier($0) })
      list.append(contentsOf: added.lazy.filter { !present.contains(ObjectIdentifier($0)) })
    }
    guard isArranged, let wanted else { return list }
    self.wanted = nil
    return list.arranged(like: wanted)
  }

  /// Has the members read again at the next access. The order that is wanted stays, unless it is the store's by now: who left and
  /// came back to its place has changed nothing. An added member keeps its place in any case.
  func forget(_ members: ObjectList?, hasAdded: Bool) {
    changes += 1
    guard isArranged, var members else { return }
    if !hasAdded, let stored, !Self.isOther(&members, than: stored) {
      isArranged = false
    } else {
      wanted = members.objects
    }
  }

  /// Forgets an object that is gone; no other position changes.
  func forget(_ object: NSManagedObject) {
    changes += 1
    stored?.removeAll { $0 === object }
    wanted?.removeAll { $0 === object }
  }

  /// Notes that the order here is the store's.
  func commit(_ members: ObjectList?) {
    stored = members?.objects
    wanted = nil
    isArranged = false
    yieldsToStore = false
  }
}
