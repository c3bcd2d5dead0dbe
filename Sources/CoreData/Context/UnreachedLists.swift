import RowStore

extension ObjectRegistry {
  /// Objects that are gone leave the to-many relationships that no delete rule reaches; no change, since their rows, or those of
  /// the join tables, have gone with them.
  ///
  /// Complexity: O(*n*) for *n* registered objects and their members where the model has such relationships.
  @discardableResult
  final func leaveUnreachedLists() -> ContiguousArray<NSManagedObject> {
    guard let layout else { return [] }
    var referrers: ContiguousArray<NSManagedObject> = []
    let isConcerned = layout.entities.map { $0.relationships.contains(where: \.isUnreached) }
    guard isConcerned.contains(true) else { return referrers }
    for owner in objects.objects where isConcerned[owner.layout.number - 1] && !owner.relations.isEmpty {
      for property in owner.layout.relationships where property.isUnreached {
        guard let known = owner.knownToMany(property) else { continue }
        for member in (known.members?.objects ?? []) + known.additions where member.state.contains(.gone) {
          if known.forget(member) { referrers.append(owner) }
        }
      }
    }
    return referrers
  }
}

extension PropertyLayout {
  /// Whether it is to-many, and the deletion of a member does nothing to it: it has no inverse, or one that says so.
  fileprivate var isUnreached: Bool {
    guard let relation, relation.isToMany else { return false }
    return relation.inverse.map { $0.relation.deleteRule == .noAction } ?? true
  }
}
