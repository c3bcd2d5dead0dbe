/// Writes queries as SQL with bound parameters; the entity's table is `t0`.
///
/// One generator writes one statement. Selected columns, WHERE, GROUP BY, HAVING, ORDER BY and subqueries share its
/// scopes, aliases and parameters: parameters are numbered (`?1`), so that parts may be written in any order, and joins
/// are collected as columns ask for them, so that FROM is written last. For a statement of another form (UPDATE, DELETE),
/// make a generator, call ``begin(_:)``, write parts with ``condition(_:)`` and ``expression(_:)``, and put
/// ``source`` after FROM.
package struct SQLGenerator {
  package let schema: StoreSchema
  package let aliases: (any PermanentKeys)?
  /// The values of the parameters written so far.
  package private(set) var parameters: [SQLParameter] = []
  var scopes: [Int: SQLScope] = [:]
  private var aliasCount = 0

  package init(schema: StoreSchema, aliases: (any PermanentKeys)? = nil) {
    self.schema = schema
    self.aliases = aliases
  }

  /// A SELECT of `selection`, which is about the table `t0`, in the query's order.
  func select(_ selection: String, _ query: StoreQuery) -> GeneratedSQL {
    var generator = SQLGenerator(schema: schema, aliases: query.aliases)
    generator.begin(query.entity)
    return generator.generate(selection, query)
  }

  /// A SELECT of expressions, in the query's order.
  ///
  /// - Precondition: the expressions can be translated (``ResolvedExpression/isTranslatable``).
  func select(columns: [ResolvedExpression], _ query: StoreQuery) -> GeneratedSQL {
    var generator = SQLGenerator(schema: schema, aliases: query.aliases)
    generator.begin(query.entity)
    let columns = columns.map { generator.expression($0) }
    return generator.generate(columns.joined(separator: ", "), query)
  }

  /// How many rows the query selects, its limit and offset included.
  package func count(_ query: StoreQuery) -> GeneratedSQL {
    if query.limit == 0 && query.offset == 0 {
      var unsorted = query
      unsorted.sort = []
      return select("count(*)", unsorted)
    }
    var inner = select("t0.Z_PK", query)
    inner.sql = "SELECT count(*) FROM (\(inner.sql))"
    return inner
  }

  private mutating func generate(_ selection: String, _ query: StoreQuery) -> GeneratedSQL {
    var conditions = entityCondition(query.entity, includesSubentities: query.includesSubentities).map { [$0] } ?? []
    if let predicate = query.predicate { conditions.append(condition(predicate)) }
    let groups = query.groups.map { expression($0) }
    let having = query.having.map { condition($0) }
    var order = query.sort.map { key in
      "\(expression(.path(ResolvedPath(scope: 0, steps: key.path)))) \(key.isAscending ? "ASC" : "DESC")"
    }
    for key in query.order { order.append("\(expression(key.expression)) \(key.isAscending ? "ASC" : "DESC")") }
    let isPage = query.limit > 0 || query.offset > 0
    if isPage || query.isCutLater, let last = query.sort.last, groups.isEmpty, !query.isDistinct {
      // So that each of several objects with equal keys is on one page only; in the direction that an index has them anyway.
      order.append("t0.Z_PK \(last.isAscending ? "ASC" : "DESC")")
    }
    var sql = "SELECT \(query.isDistinct ? "DISTINCT " : "")\(selection.isEmpty ? "NULL" : selection) FROM \(source)"
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !groups.isEmpty { sql += " GROUP BY " + groups.joined(separator: ", ") }
    if let having { sql += " HAVING " + having }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    if isPage {
      let limit = parameter(.integer(query.limit > 0 ? Int64(query.limit) : -1))
      sql += " LIMIT \(limit) OFFSET \(parameter(.integer(Int64(query.offset))))"
    }
    return GeneratedSQL(sql: sql, parameters: parameters)
  }

  // MARK: Parts of statements

  /// Begins a statement about an entity, with the table `t0`.
  package mutating func begin(_ entity: EntityLayout) {
    precondition(aliasCount == 0, "the entity of a statement has its first alias, t0")
    let alias = newAlias("t")
    scopes[0] = SQLScope(entity: entity, key: "\(alias).Z_PK", alias: alias)
  }

  /// The text behind FROM: the entity's table and the joins that the parts written so far need.
  package var source: String {
    guard let scope = scopes[0] else { preconditionFailure("a statement begins with its entity") }
    return "\(schema.table(scope.entity).name) t0" + scope.joins.map(\.sql).joined()
  }

  /// The condition on rows of the entity's table to be the entity's; nil when all are.
  func entityCondition(_ entity: EntityLayout, includesSubentities: Bool) -> String? {
    let table = schema.table(entity)
    guard table.hasSubentities, !(entity === table.root && includesSubentities) else { return nil }
    let numbers = (includesSubentities ? entity.family : [entity]).map { "\($0.number)" }
    return "t0.Z_ENT IN (\(numbers.joined(separator: ", ")))"
  }

  /// A place for a value; objects are asked for under their permanent keys.
  mutating func parameter(_ slot: Slot) -> String {
    parameter(.slot(slot.canonical(aliases)))
  }

  mutating func parameter(_ parameter: SQLParameter) -> String {
    parameters.append(parameter)
    return "?\(parameters.count)"
  }

  /// A name for a table that no other has in the statement.
  mutating func newAlias(_ prefix: String) -> String {
    defer { aliasCount += 1 }
    return "\(prefix)\(aliasCount)"
  }
}

/// The rows that a part of a statement is about: those of the entity asked for, or the elements of a collection.
package struct SQLScope {
  package let entity: EntityLayout
  /// The primary key of the row.
  package let key: String
  /// The row's table; nil while only its key is known and was asked for.
  var alias: String?
  /// Tables joined to it.
  package var joins: [(path: [ObjectIdentifier], alias: String, sql: String)] = []
}
