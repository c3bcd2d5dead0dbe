import RowStore

extension ResolvedExpression {
  /// Whether an aggregate over the rows of a group is in it.
  var isGrouped: Bool {
    switch self {
    case .group: true
    case .function(_, let arguments): arguments.contains(where: \.isGrouped)
    case .conditional(_, let yes, let no): yes.isGrouped || no.isGrouped
    case .constant, .path, .entity, .entityName, .aggregate: false
    }
  }

  /// The paths that it reads of a row, without those that an aggregate reads over a group's rows.
  var pathsOutsideGroups: [ResolvedPath] {
    switch self {
    case .constant, .group: []
    case .path(let path), .entity(let path), .entityName(let path): [path]
    case .function(_, let arguments): arguments.flatMap(\.pathsOutsideGroups)
    case .conditional(let predicate, let yes, let no):
      predicate.pathsOutsideGroups + yes.pathsOutsideGroups + no.pathsOutsideGroups
    case .aggregate(_, let collection, _): [ResolvedPath(scope: collection.base, steps: [])]
    }
  }
}

extension ResolvedPredicate {
  var pathsOutsideGroups: [ResolvedPath] {
    switch self {
    case .constant, .opaque: []
    case .and(let parts), .or(let parts): parts.flatMap(\.pathsOutsideGroups)
    case .not(let part): part.pathsOutsideGroups
    case .comparison(let left, _, let right): left.pathsOutsideGroups + right.pathsOutsideGroups
    case .membership(let value, _, _): value.pathsOutsideGroups
    case .between(let value, let low, let high, _):
      value.pathsOutsideGroups + low.pathsOutsideGroups + high.pathsOutsideGroups
    case .exists(let collection, _): [ResolvedPath(scope: collection.base, steps: [])]
    }
  }
}

// MARK: To-many relationships in groups

extension ResolvedExpression {
  /// The same about all elements of all rows of a group, where an aggregate is about the elements of one row.
  var overGroup: ResolvedExpression {
    switch self {
    case .constant, .path, .entity, .entityName, .group: self
    case .function(let function, let arguments): .function(function, arguments.map(\.overGroup))
    case .conditional(let predicate, let yes, let no): .conditional(predicate.overGroup, yes.overGroup, no.overGroup)
    case .aggregate(let aggregate, let collection, let value):
      collection.base == 0 ? Self.overGroup(aggregate, collection, value) : self
    }
  }

  private static func overGroup(
    _ aggregate: CollectionAggregate, _ collection: ResolvedCollection, _ value: ResolvedExpression
  ) -> ResolvedExpression {
    func over(_ group: GroupAggregate, _ aggregate: CollectionAggregate, _ collection: ResolvedCollection)
      -> ResolvedExpression
    {
      .group(group, .aggregate(aggregate, collection, value))
    }
    switch aggregate {
    case .count, .sum: return over(.sum, aggregate, collection)
    case .minimum: return over(.min, .minimum, collection)
    case .maximum: return over(.max, .maximum, collection)
    case .average:
      // Over the rows of a group nulls are left out.
      let isThere = ResolvedPredicate.comparison(
        left: value, ResolvedComparison(op: .notEqual), right: .constant(.null))
      let known = ResolvedCollection(
        base: collection.base, steps: collection.steps, element: collection.element,
        filter: collection.filter.map { .and([$0, isThere]) } ?? isThere)
      return .function(.divide, [.function(.real, [over(.sum, .sum, known)]), over(.sum, .count, known)])
    }
  }
}

extension ResolvedPredicate {
  /// As that of an expression.
  var overGroup: ResolvedPredicate {
    switch self {
    case .constant, .opaque, .exists: self
    case .and(let parts): .and(parts.map(\.overGroup))
    case .or(let parts): .or(parts.map(\.overGroup))
    case .not(let part): .not(part.overGroup)
    case .comparison(let left, let comparison, let right):
      .comparison(left: left.overGroup, comparison, right: right.overGroup)
    case .membership(let value, let set, let folding): .membership(value.overGroup, set, folding)
    case .between(let value, let low, let high, let folding):
      .between(value.overGroup, low.overGroup, high.overGroup, folding)
    }
  }
}
