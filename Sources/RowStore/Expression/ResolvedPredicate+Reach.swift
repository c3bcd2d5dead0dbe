// The rows that a predicate may answer otherwise than SQL does, as some of the objects that it reaches by relationships are not
// as the store has them.

/// The objects that are of an entity, or of one below it; nil where there are none.
package typealias ObjectsOfEntity = (EntityLayout) -> ConstantSet?

extension ResolvedPredicate {
  /// A predicate for SQL of the rows that may meet this one: those that do by what the store has, and those that lead to one of
  /// the changed objects or are one. Nil where that is every row.
  ///
  /// No other row can have another answer than the store's: the first object on its ways that is not as the store has it is
  /// one of them, and the ways to it are the store's.
  ///
  /// - Parameter entity: the entity of the predicate.
  package func candidates(of entity: EntityLayout, beside changed: ObjectsOfEntity) -> ResolvedPredicate? {
    guard case .and(let parts) = self else { return candidatePart(of: entity, beside: changed) }
    let candidates = parts.compactMap { $0.candidates(of: entity, beside: changed) }
    return candidates.count > 1 ? .and(candidates) : candidates.first
  }

  /// A predicate for SQL of the rows that meet this one and lead to none of the changed objects; nil where SQL cannot say it.
  package func undisputed(beside changed: ObjectsOfEntity) -> ResolvedPredicate? {
    guard isTranslatable else { return nil }
    let reached = reached(changed)
    return reached.isEmpty ? self : .and([self, .not(.or(reached))])
  }

  private func candidatePart(of entity: EntityLayout, beside changed: ObjectsOfEntity) -> ResolvedPredicate? {
    guard isTranslatable else { return nil }
    let reached = reached(changed)
    guard !reached.isEmpty else { return self }
    let own = changed(entity).map { ResolvedPredicate.membership(.object(0), $0, []) }
    return .or([self] + reached + [own].compactMap(\.self))
  }

  /// The conditions that a row leads to one of the objects, one for each way.
  fileprivate func reached(_ changed: ObjectsOfEntity) -> [ResolvedPredicate] {
    switch self {
    case .constant, .opaque: []
    case .and(let parts), .or(let parts): parts.flatMap { $0.reached(changed) }
    case .not(let part): part.reached(changed)
    case .comparison(let left, _, let right): left.reached(changed) + right.reached(changed)
    case .membership(let value, _, _): value.reached(changed)
    case .between(let value, let low, let high, _): [value, low, high].flatMap { $0.reached(changed) }
    case .exists(let collection, let predicate):
      collection.reached(changed) + collection.anyElement(predicate.reached(changed))
    }
  }
}

extension ResolvedExpression {
  fileprivate func reached(_ changed: ObjectsOfEntity) -> [ResolvedPredicate] {
    switch self {
    case .constant: []
    case .path(let path), .entity(let path), .entityName(let path): path.reached(changed)
    case .function(_, let arguments): arguments.flatMap { $0.reached(changed) }
    case .conditional(let predicate, let yes, let no):
      predicate.reached(changed) + yes.reached(changed) + no.reached(changed)
    case .aggregate(_, let collection, let value):
      collection.reached(changed) + collection.anyElement(value.reached(changed))
    case .group(_, let value): value?.reached(changed) ?? []
    }
  }
}

extension ResolvedPath {
  /// The last key of a path is in the row of the relationship's owner.
  fileprivate func reached(_ changed: ObjectsOfEntity) -> [ResolvedPredicate] {
    steps.indices.dropFirst().compactMap { end in
      changed(steps[end - 1].relation.destination).map { objects in
        .membership(.path(ResolvedPath(scope: scope, steps: Array(steps[..<end]))), objects, [])
      }
    }
  }
}

extension ResolvedCollection {
  fileprivate func reached(_ changed: ObjectsOfEntity) -> [ResolvedPredicate] {
    let onTheWay = steps.indices.compactMap { index in
      changed(steps[index].relation.destination).map { objects in
        leads(along: steps[...index], to: objects)
      }
    }
    return onTheWay + anyElement(filter?.reached(changed) ?? [])
  }

  /// The condition that the first relationships lead to one of the objects.
  private func leads(along steps: ArraySlice<PropertyLayout>, to objects: ConstantSet) -> ResolvedPredicate {
    func isAmong(_ scope: Int, _ steps: ArraySlice<PropertyLayout>) -> ResolvedPredicate {
      .membership(.path(ResolvedPath(scope: scope, steps: Array(steps))), objects, [])
    }
    guard let last = steps.lastIndex(where: \.relation.isToMany) else { return isAmong(base, steps) }
    let collection = ResolvedCollection(base: base, steps: Array(steps[...last]), element: element, filter: nil)
    return .exists(collection, isAmong(element, steps[(last + 1)...]))
  }

  /// The condition that one of these holds for an element, whether it meets the filter or not.
  fileprivate func anyElement(_ conditions: [ResolvedPredicate]) -> [ResolvedPredicate] {
    guard !conditions.isEmpty else { return [] }
    return [.exists(ResolvedCollection(base: base, steps: steps, element: element, filter: nil), .or(conditions))]
  }
}
