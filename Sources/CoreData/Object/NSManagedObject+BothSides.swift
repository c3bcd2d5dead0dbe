import RowStore

// The two sides of a relationship are read at different times. They say the same of unsaved changes all the same.

extension NSManagedObject {
  /// Reads the members where adding one that was taken out has to know whether the store has it: before the other side
  /// leads here, and counts.
  final func readBeforeAdding(_ property: PropertyLayout, _ object: NSManagedObject) {
    let isRemoved = knownReference(property)?._withUnsafeGuaranteedRef { $0.members == nil && $0.isRemoved(object) }
    guard isRemoved ?? false else { return }
    _ = members(property)
  }

  /// The same where one is taken out that was added.
  final func readBeforeRemoving(_ property: PropertyLayout, _ object: NSManagedObject) {
    let isAdded = knownReference(property)?._withUnsafeGuaranteedRef { $0.members == nil && $0.isAdded(object) }
    guard isAdded ?? false else { return }
    _ = members(property)
  }

  /// Takes the partner that the row names already, and lists this object on the other side.
  ///
  /// - Precondition: the object came with its row just now, and the inverse, if any, is an unordered to-many relationship.
  final func join(_ object: NSManagedObject, named reference: RowReference, _ property: PropertyLayout) {
    if object.reference == reference {
      setRelation(property.relation.position, .one(object))
    } else {
      // Known here by its other key.
      assignToOne(property, object)
    }
    guard let inverse = property.relation.inverse else { return }
    object.readBeforeAdding(inverse, self)
    object.addMember(inverse, self)
  }

  /// Gives both sides of a many-to-many pair the same unsaved change: the store may have got or lost the pair between the reads
  /// of the two.
  final func matchPair(_ property: PropertyLayout, _ object: NSManagedObject) {
    guard let inverse = property.relation.inverse, inverse.relation.isToMany else { return }
    let sides = [(self, property, object), (object, inverse, self)]
    let changes = sides.map { owner, property, member in owner.toManyState(property).change(of: member) }
    for (side, other) in [(0, 1), (1, 0)] where changes[side] == .none {
      let (owner, property, member) = sides[side]
      switch changes[other] {
      case .none: continue
      case .added: owner.toManyState(property).recordLostInStore(member)
      case .removed: owner.toManyState(property).remove(member)
      }
      owner.markChanged(property.index)
    }
  }

  /// Notes overtaken deletions: the row that the object took may lead to objects that are to be deleted here.
  final func noteOvertakenDeletions(by row: Row) {
    guard let context = registry?.contextOnQueue else { return }
    for index in layout.toOneIndices { context.known(row[index], layout.properties[index])?.noteOvertakenDeletion() }
  }

  /// A newer row comes under the unsaved changes. Where it leads a to-one relationship elsewhere, this object's move changes
  /// for the owners: its owner here has it as an addition now, and its old owner does not lose it any more. One to one, the
  /// next save settles them. Where it was not moved here, its old and new owner ask for their members again.
  final func rebaseMoves(onto row: Row) {
    guard let snapshot, let values, let context = registry?.contextOnQueue, state.isDisjoint(with: [.deleted, .gone])
    else { return }
    for index in layout.toOneIndices where snapshot.values.reference(index) != row.values.reference(index) {
      let property = layout.properties[index]
      func slot(_ row: Row) -> Slot { row[property.index].canonical(context.tree.aliases) }
      let (old, current) = (slot(snapshot), slot(values))
      guard old != slot(row), let inverse = property.relation.inverse else { continue }
      if !changed.contains(index) { context.known(row[index], property)?.noteOvertakenDeletion() }
      guard inverse.relation.isToMany else {
        var moved = [snapshot, row].compactMap { context.known($0[index], property) }
          .filter { $0.changed.contains(inverse.index) }
        if changed.contains(index) { moved.append(self) }
        if !moved.isEmpty { context.changes.unsettled.partnersMayDiffer = true }
        context.changes.unsettled.movedPartners += moved
        continue
      }
      guard changed.contains(index) else {
        for end in [old, slot(row)] { context.known(end, property)?.knownToMany(inverse)?.forgetMembers() }
        continue
      }
      context.changes.unsettled.ownersMayDiffer = true
      if slot(row) == current { context.known(current, property)?.knownToMany(inverse)?.dropAddition(of: self) }
      guard let owner = context.known(old, property) else { continue }
      if old != current {
        owner.knownToMany(inverse)?.dropChange(of: self)
      } else if owner.changed.contains(inverse.index) {
        owner.toManyState(inverse).recordLostInStore(self)
      } else {
        // Nothing was done to the owner that has to be saved.
        owner.toManyState(inverse).markForgottenChanges()
      }
    }
  }
}
