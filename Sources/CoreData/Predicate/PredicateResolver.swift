import RowStore

/// Resolves predicates and expressions against the entity that they are about.
struct PredicateResolver {
  /// A resolved expression, before its other side is known.
  enum Operand {
    case value(ResolvedExpression, ValueType)
    /// A constant takes the type of the other side.
    case constant(Any?)
    case list([Operand])
    /// The values of the elements of a collection.
    case collection(ResolvedCollection, ResolvedExpression, ValueType)
  }

  /// By scope.
  private(set) var entities: [EntityLayout]
  /// Scopes of the variables of subqueries.
  var variables: [String: Int] = [:]
  /// Expressions that have names of their own, such as the columns of a query.
  let columns: [String: ResolvedColumn]
  /// Whether there may be aggregates over the rows of a group.
  let isGrouped: Bool

  init(_ entity: EntityLayout, columns: [String: ResolvedColumn] = [:], isGrouped: Bool = false) {
    entities = [entity]
    self.columns = columns
    self.isGrouped = isGrouped
  }

  /// A scope for elements that are of the entity.
  mutating func newScope(_ entity: EntityLayout) -> Int {
    entities.append(entity)
    return entities.count - 1
  }

  // MARK: Predicates

  mutating func predicate(_ predicate: NSPredicate) throws(PredicateFailure) -> ResolvedPredicate {
    if let comparison = predicate as? NSComparisonPredicate {
      if comparison.needsOwnCode {
        guard variables.isEmpty else {
          throw PredicateFailure(position: nil, message: "\(comparison) is not allowed in a subquery")
        }
        return .opaque(comparison)
      }
      return try self.comparison(comparison)
    }
    if let compound = predicate as? NSCompoundPredicate {
      var parts: [ResolvedPredicate] = []
      for part in compound.subpredicates { parts.append(try self.predicate(part)) }
      switch compound.compoundPredicateType {
      case .and: return .and(parts)
      case .or: return .or(parts)
      case .not: return parts.first.map { .not($0) } ?? .constant(true)
      }
    }
    if let value = predicate.constantPredicateValue { return .constant(value) }
    guard variables.isEmpty else {
      throw PredicateFailure(position: nil, message: "a predicate with a block is not allowed in a subquery")
    }
    return .opaque(predicate)
  }
}

extension ResolvedPredicate {
  /// A predicate of any class: comparisons and compounds of them are resolved, others are evaluated as they are.
  ///
  /// - Parameters:
  ///   - columns: expressions that have names of their own, for a HAVING.
  ///   - isGrouped: whether there may be aggregates over the rows of a group, for a HAVING.
  /// - Throws: an error that names an unknown key, values that cannot be compared, or a part that is not supported.
  init(
    _ predicate: NSPredicate, entity: EntityLayout, columns: [String: ResolvedColumn] = [:], isGrouped: Bool = false
  ) throws(PredicateFailure) {
    var resolver = PredicateResolver(entity, columns: columns, isGrouped: isGrouped)
    self = try resolver.predicate(predicate)
  }
}

/// An expression as a column of a query.
struct ResolvedColumn {
  let expression: ResolvedExpression
  let type: ValueType

  /// Resolves an expression for the rows of an entity, or for groups of them: key paths, functions, `sum:` and its kin
  /// over a key path, collection operators. ``SQLGenerator/select(columns:_:)`` writes it.
  ///
  /// - Parameter isGrouped: whether there may be aggregates over the rows of a group.
  /// - Throws: as ``ResolvedPredicate``.
  init(_ expression: NSExpression, entity: EntityLayout, isGrouped: Bool = true) throws(PredicateFailure) {
    var resolver = PredicateResolver(entity, isGrouped: isGrouped)
    (self.expression, type) = try resolver.value(expression)
  }

  private init(_ expression: ResolvedExpression, _ type: ValueType) {
    self.expression = expression
    self.type = type
  }

  /// The same about the elements of all rows of a group, where it is about the elements of one row.
  var overGroup: ResolvedColumn { ResolvedColumn(expression.overGroup, type) }

  /// The column of a property, or of the property at the end of a key path.
  init(path: [PropertyLayout], type: ValueType) {
    expression = .path(ResolvedPath(scope: 0, steps: path))
    self.type = type
  }
}
