extension ResolvedPredicate {
  /// Whether SQL can say it with the same answer as evaluation in memory.
  package var isTranslatable: Bool {
    switch self {
    case .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isTranslatable)
    case .not(let part): part.isTranslatable
    case .comparison(let left, _, let right):
      // Every column can be asked whether it has a value.
      if case .constant(.null) = right { left.isStored } else { left.isTranslatable && right.isTranslatable }
    case .membership(let value, let set, _):
      value.isTranslatable && !set.slots.contains { if case .boxed = $0 { true } else { false } }
    case .between(let value, let low, let high, _):
      value.isTranslatable && low.isTranslatable && high.isTranslatable
    case .exists(let collection, let predicate): collection.isTranslatable && predicate.isTranslatable
    case .opaque: false
    }
  }

  /// Entities of the objects that it looks at beside its own: the destinations of its relationships.
  package var relatedEntities: [EntityLayout] {
    var entities: [EntityLayout] = []
    collectRelatedEntities(&entities)
    return entities
  }

  fileprivate func collectRelatedEntities(_ entities: inout [EntityLayout]) {
    switch self {
    case .constant, .opaque: break
    case .and(let parts), .or(let parts): for part in parts { part.collectRelatedEntities(&entities) }
    case .not(let part): part.collectRelatedEntities(&entities)
    case .comparison(let left, _, let right):
      left.collectRelatedEntities(&entities)
      right.collectRelatedEntities(&entities)
    case .membership(let value, _, _): value.collectRelatedEntities(&entities)
    case .between(let value, let low, let high, _):
      for expression in [value, low, high] { expression.collectRelatedEntities(&entities) }
    case .exists(let collection, let predicate):
      collection.collectRelatedEntities(&entities)
      predicate.collectRelatedEntities(&entities)
    }
  }
}

extension ResolvedExpression {
  /// Whether SQL can say it with the same value as evaluation in memory.
  package var isTranslatable: Bool {
    switch self {
    case .constant(let slot): if case .boxed = slot { false } else { true }
    case .path(let path): path.isStored && path.steps.last?.isComparableInSQL ?? true
    case .entity(let path), .entityName(let path): path.isStored
    case .function(_, let arguments): arguments.allSatisfy(\.isTranslatable)
    case .conditional(let predicate, let yes, let no):
      predicate.isTranslatable && yes.isTranslatable && no.isTranslatable
    case .aggregate(_, let collection, let value): collection.isTranslatable && value.isTranslatable
    case .group(_, let value): value?.isTranslatable ?? true
    }
  }

  /// Whether SQL can tell if there is a value.
  fileprivate var isStored: Bool {
    if case .path(let path) = self { path.isStored } else { isTranslatable }
  }

  fileprivate func collectRelatedEntities(_ entities: inout [EntityLayout]) {
    switch self {
    case .constant: break
    case .path(let path), .entity(let path), .entityName(let path): path.collectRelatedEntities(&entities)
    case .function(_, let arguments): for argument in arguments { argument.collectRelatedEntities(&entities) }
    case .conditional(let predicate, let yes, let no):
      predicate.collectRelatedEntities(&entities)
      yes.collectRelatedEntities(&entities)
      no.collectRelatedEntities(&entities)
    case .aggregate(_, let collection, let value):
      collection.collectRelatedEntities(&entities)
      value.collectRelatedEntities(&entities)
    case .group(_, let value): value?.collectRelatedEntities(&entities)
    }
  }
}

extension ResolvedPath {
  fileprivate var isStored: Bool { !steps.contains { $0.isTransient || $0.isComposite } }

  fileprivate func collectRelatedEntities(_ entities: inout [EntityLayout]) {
    // The last key of a path is in the row of the relationship's owner.
    for property in steps.dropLast() { entities.append(property.relation.destination) }
  }
}

extension ResolvedCollection {
  fileprivate var isTranslatable: Bool { !steps.contains(where: \.isTransient) && filter?.isTranslatable ?? true }

  fileprivate func collectRelatedEntities(_ entities: inout [EntityLayout]) {
    for property in steps { entities.append(property.relation.destination) }
    filter?.collectRelatedEntities(&entities)
  }
}

extension PropertyLayout {
  /// Whether the column has the value itself.
  fileprivate var isComparableInSQL: Bool {
    // Archives, and data that may lie in a file of its own, are other bytes in the column.
    guard encoding == nil else { return false }
    guard case .attribute(let type) = kind, case .other = ValueType(type) else { return true }
    return false
  }
}
