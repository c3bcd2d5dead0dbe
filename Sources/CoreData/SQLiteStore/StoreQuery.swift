/// What a store is asked for.
struct StoreQuery {
  let entity: EntityLayout
  var includesSubentities = true
  /// Only what SQL can say (``ResolvedPredicate/isTranslatable``).
  var predicate: ResolvedPredicate?
  var sort: [SortKey] = []
  /// 0 is no limit.
  var limit = 0
  var offset = 0
  /// Whether more is asked for than a page of the answer, which is cut from it later.
  var isCutLater = false
  /// Objects that have two keys: constants are asked for under the permanent one.
  var aliases: (any PermanentKeys)?

  // What follows is for queries that select columns: ``SQLGenerator/select(columns:_:)``.

  /// Whether equal results come once.
  var isDistinct = false
  /// Expressions whose equal values make a group.
  var groups: [ResolvedExpression] = []
  /// Which groups; may have aggregates over their rows in it (``ResolvedExpression/group(_:_:)``).
  var having: ResolvedPredicate?
  /// In which order, behind ``sort``.
  var order: [Order] = []

  /// One expression to order by; nulls come first when ascending.
  struct Order {
    let expression: ResolvedExpression
    let isAscending: Bool
  }
}

/// One key to sort by; nulls come first when ascending, texts go by code points.
struct SortKey {
  let path: [PropertyLayout]
  let isAscending: Bool
}
