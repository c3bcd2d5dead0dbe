import RowStore

// Ordered to-many relationships: changes with a position.

extension NSManagedObject {
  /// Replaces the members, and their order; additions and removals are set through the inverse. The first place counts of an
  /// object that is named twice.
  final func setOrderedMembers(_ property: PropertyLayout, _ objects: some Sequence<NSManagedObject>) {
    var new: Set<ObjectIdentifier> = []
    let wanted = ContiguousArray(objects.filter { new.insert(ObjectIdentifier($0)).inserted })
    let old = members(property)
    markChanged(property.index)
    for object in old.objects where !new.contains(ObjectIdentifier(object)) { remove(property, object) }
    add(property, wanted, to: old)
    arrangeMembers(property, like: wanted)
  }

  /// Brings the members into the order of `wanted`; one that is not in it stays behind the one it is behind.
  final func arrangeMembers(_ property: PropertyLayout, like wanted: some Sequence<NSManagedObject>) {
    let current = members(property).objects
    let arranged = current.arranged(like: wanted)
    guard !arranged.elementsEqual(current, by: ===) else { return }
    markChanged(property.index)
    let toMany = toManyState(property)
    toMany.members = ObjectList(arranged)
    toMany.order?.recordArranged()
  }

  /// Adds a member at that position; nothing happens to one that is a member already.
  final func insert(_ property: PropertyLayout, _ object: NSManagedObject, at index: Int) {
    let count = members(property).count
    checkPosition(index, property, upTo: count)
    add(property, object)
    // Additions are at the end.
    if members(property).count > count { moveMembers(property, from: IndexSet(integer: count), to: index) }
  }

  /// Adds members so that each has the position given for it afterwards.
  final func insert(_ property: PropertyLayout, _ objects: [NSManagedObject], at indexes: IndexSet) {
    precondition(
      objects.count == indexes.count,
      "\(layout.name).\(property.name): \(objects.count) objects for \(indexes.count) positions")
    for (object, index) in zip(objects, indexes) { insert(property, object, at: index) }
  }

  /// Takes out the members at those positions.
  final func removeMembers(_ property: PropertyLayout, at indexes: IndexSet) {
    for object in members(property, at: indexes).reversed() { remove(property, object) }
  }

  /// The members at those positions.
  private final func members(_ property: PropertyLayout, at indexes: IndexSet) -> [NSManagedObject] {
    let current = members(property).objects
    if let last = indexes.last { checkPosition(last, property, upTo: current.count - 1) }
    return indexes.map { current[$0] }
  }

  /// Puts other objects in the places of members; one that keeps a place of its own stays there instead.
  final func replaceMembers(_ property: PropertyLayout, at indexes: IndexSet, with objects: [NSManagedObject]) {
    precondition(
      objects.count == indexes.count,
      "\(layout.name).\(property.name): \(objects.count) objects for \(indexes.count) positions")
    if indexes.count == 1 { return replaceMember(property, at: indexes.first ?? 0, with: objects[0]) }
    let current = members(property).objects
    if let last = indexes.last { checkPosition(last, property, upTo: current.count - 1) }
    let staying = Set(current.indices.filter { !indexes.contains($0) }.map { ObjectIdentifier(current[$0]) })
    var new = current
    for (object, index) in zip(objects, indexes) where !staying.contains(ObjectIdentifier(object)) {
      new[index] = object
    }
    setOrderedMembers(property, new)
  }

  private final func replaceMember(_ property: PropertyLayout, at index: Int, with object: NSManagedObject) {
    guard let old = members(property, at: IndexSet(integer: index)).first, !isMember(property, object) else {
      return markChanged(property.index)
    }
    remove(property, old)
    insert(property, object, at: index)
  }

  /// Puts another object in a member's place; one that is a member already keeps its own.
  final func exchange(_ property: PropertyLayout, _ member: NSManagedObject, for other: NSManagedObject) {
    let current = members(property).objects
    if property.relation.isOrdered, let position = current.firstIndex(where: { $0 === member }),
      !current.contains(where: { $0 === other })
    {
      return replaceMembers(property, at: IndexSet(integer: position), with: [other])
    }
    remove(property, member)
    add(property, other)
  }

  /// Puts members together, in their order, where the first of them is to be.
  ///
  /// Complexity: O(*n*) for *n* members from the first place that changes to the last.
  final func moveMembers(_ property: PropertyLayout, from indexes: IndexSet, to target: Int) {
    let moved = members(property, at: indexes)
    checkPosition(target, property, upTo: members(property).count - moved.count)
    markChanged(property.index)
    let isMoved = indexes.rangeView.count > 1 || indexes.first != target
    for object in moved where !object.state.contains(.gone) { add(property, object) }
    guard !moved.isEmpty, isMoved else { return }
    let toMany = toManyState(property)
    toMany.members?.move(from: indexes, to: target)
    toMany.order?.recordArranged()
  }

  /// Exchanges the places of two members.
  final func exchangeMembers(_ property: PropertyLayout, _ first: Int, _ second: Int) {
    let exchanged = members(property, at: [first, second])
    markChanged(property.index)
    for object in exchanged where !object.state.contains(.gone) { add(property, object) }
    guard first != second else { return }
    let toMany = toManyState(property)
    toMany.members?.exchange(first, second)
    toMany.order?.recordArranged()
  }

  /// Where a member is among the others.
  final func position(_ property: PropertyLayout, of object: NSManagedObject) -> Int? {
    _ = members(property)
    return toManyState(property).members?.position(of: object)
  }

  /// The value of an ordered relationship.
  final func orderedSet(_ property: PropertyLayout) -> NSOrderedSet {
    NSOrderedSet(array: Array(members(property).objects))
  }

  private final func checkPosition(_ index: Int, _ property: PropertyLayout, upTo last: Int) {
    precondition(
      index >= 0 && index <= last,
      "\(layout.name).\(property.name) has no position \(index): use one from 0 to \(last)")
  }
}
