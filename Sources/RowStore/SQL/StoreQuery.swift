/// A query to a store.
package struct StoreQuery {
  package let entity: EntityLayout
  package var includesSubentities = true
  /// Only predicates that SQL can express (``ResolvedPredicate/isTranslatable``).
  package var predicate: ResolvedPredicate?
  package var sort: [SortKey] = []
  /// 0 is no limit.
  package var limit = 0
  package var offset = 0
  /// Whether more is asked for than a page of the answer, which is cut from it later.
  package var isCutLater = false
  /// Objects that have two keys: constants are asked for under the permanent one.
  package var aliases: (any PermanentKeys)?

  // The members below are for queries that select columns: ``SQLGenerator/select(columns:_:)``.

  /// Whether equal results come once.
  package var isDistinct = false
  /// Expressions that group rows of equal values.
  package var groups: [ResolvedExpression] = []
  /// The condition on groups; may have aggregates over their rows in it (``ResolvedExpression/group(_:_:)``).
  package var having: ResolvedPredicate?
  /// In which order, behind ``sort``.
  package var order: [Order] = []

  package init(
    entity: EntityLayout, includesSubentities: Bool = true, predicate: ResolvedPredicate? = nil, sort: [SortKey] = [],
    limit: Int = 0, offset: Int = 0, isCutLater: Bool = false, aliases: (any PermanentKeys)? = nil,
    isDistinct: Bool = false, groups: [ResolvedExpression] = [], having: ResolvedPredicate? = nil, order: [Order] = []
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.isCutLater = isCutLater
    self.aliases = aliases
    self.isDistinct = isDistinct
    self.groups = groups
    self.having = having
    self.order = order
  }

  /// One expression to order by; nulls come first when ascending.
  package struct Order {
    package let expression: ResolvedExpression
    package let isAscending: Bool

    package init(expression: ResolvedExpression, isAscending: Bool) {
      self.expression = expression
      self.isAscending = isAscending
    }
  }
}

/// One key to sort by; nulls come first when ascending, texts go by code points.
package struct SortKey {
  package let path: [PropertyLayout]
  package let isAscending: Bool

  package init(path: [PropertyLayout], isAscending: Bool) {
    self.path = path
    self.isAscending = isAscending
  }
}
