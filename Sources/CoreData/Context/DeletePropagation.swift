/// A deletion that a deny rule forbids.
struct DeniedDelete {
  let object: NSManagedObject
  let relationship: PropertyLayout
  let obstacles: [NSManagedObject]
}

extension NSManagedObjectContext {
  /// Follows the delete rules of every object whose deletion was not processed yet: cascades recursively, nullifies
  /// inverses, and notes what a deny rule forbids.
  ///
  /// Complexity: O(*n*) for *n* objects deleted and touched; each deleted object's relationships are read once.
  final func propagateDeletes() {
    var next = 0
    // The list grows while cascades delete.
    while next < changes.deleted.count {
      let object = changes.deleted[next]
      next += 1
      guard object.state.contains(.pendingDelete) else { continue }
      // A fault is deleted in the version its row has now; where that is gone already, nothing is left to delete.
      if object.values == nil, object.key > 0, parent == nil { object.snapshot = storedRow(for: object) }
      for property in object.layout.relationships { propagate(object, property) }
    }
    recheckDenials()
  }

  private final func propagate(_ object: NSManagedObject, _ property: PropertyLayout) {
    guard property.relation.deleteRule != .noActionDeleteRule, let targets = reachableTargets(object, property) else {
      return
    }
    switch property.relation.deleteRule {
    case .noActionDeleteRule: return
    case .cascadeDeleteRule:
      for target in targets where target.state.isDisjoint(with: [.deleted, .gone]) { delete(target) }
    case .nullifyDeleteRule:
      guard let inverse = property.relation.inverse else { return }
      for target in targets where target.state.isDisjoint(with: [.deleted, .gone]) {
        if inverse.relation.isToMany {
          target.removeMember(inverse, object)
        } else {
          target.assignToOne(inverse, nil)
        }
      }
    case .denyDeleteRule:
      if let denied = denial(of: object, property) { deniedDeletes.append(denied) }
    }
  }

  /// The objects on the other side; nil when the object's own row is gone already, which is no error here.
  final func reachableTargets(
    _ object: NSManagedObject, _ property: PropertyLayout
  ) -> ContiguousArray<NSManagedObject>? {
    if object.values == nil {
      guard let row = storedRow(for: object) else { return nil }
      object.fill(row)
    }
    if property.relation.isToMany { return object.members(property).objects }
    return object.toOne(property).map { [$0] } ?? []
  }

  /// What stood in the way may have been deleted as well in the meantime, or have left the relationship.
  private final func recheckDenials() {
    deniedDeletes = deniedDeletes.compactMap { denied in
      denied.object.state.contains(.deleted) ? denial(of: denied.object, denied.relationship) : nil
    }
  }

  /// What stands in the way of the object's deletion, where the relationship's rule is to deny it.
  final func denial(of object: NSManagedObject, _ relationship: PropertyLayout) -> DeniedDelete? {
    let targets = reachableTargets(object, relationship) ?? []
    let obstacles = targets.filter { $0.state.isDisjoint(with: [.deleted, .gone]) }
    return obstacles.isEmpty
      ? nil : DeniedDelete(object: object, relationship: relationship, obstacles: Array(obstacles))
  }
}
