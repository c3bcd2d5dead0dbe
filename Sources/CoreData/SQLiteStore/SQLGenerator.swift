import SQLite

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
  /// Objects that have two keys: constants are asked for under the permanent one.
  var aliases: KeyAliases?
  /// The only stores to ask; every store with nil.
  var affectedStores: [NSPersistentStore]?
}

/// One key to sort by; nulls come first when ascending, texts go by code points.
struct SortKey {
  let path: [PropertyLayout]
  let isAscending: Bool
}

/// SQL with the values of its parameters.
struct GeneratedSQL {
  var sql: String
  var parameters: [Slot]

  /// - Parameter tag: of the store that is asked; no row has the key of another store's object.
  func bind(to statement: Statement, _ tag: StoreTag) {
    for (position, slot) in parameters.enumerated() {
      let index = Int32(position) + 1
      switch slot {
      case .null, .boxed: statement.bindNull(at: index)
      case .integer(let value): statement.bind(value, at: index)
      case .real(let value), .date(let value): statement.bind(value, at: index)
      case .string(let value): statement.bind(value, at: index)
      case .uuid(let value): withUnsafeBytes(of: value.uuid) { statement.bind($0, at: index) }
      case .data(let value): value.withUnsafeBytes { statement.bind($0, at: index) }
      case .reference(let reference): statement.bind(tag.primaryKey(reference.key), at: index)
      }
    }
  }
}

extension ResolvedPredicate {
  /// Whether SQL can say it with the same answer as evaluation in memory.
  var isTranslatable: Bool {
    switch self {
    case .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isTranslatable)
    case .not(let part): part.isTranslatable
    case .opaque: false
    case .comparison(let left, let comparison, let right):
      !comparison.ignoresCase && !comparison.ignoresDiacritics && comparison.op != .matches
        && left.isColumn && (right.isConstant || comparison.allowsColumns && right.isColumn)
        && (comparison.op.isAboutText ? left.isText && right.isText : true)
    }
  }
}

extension Comparison {
  fileprivate var allowsColumns: Bool { flipped != nil }
}

extension Comparison.Operator {
  fileprivate var isAboutText: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

extension ResolvedOperand {
  fileprivate var isColumn: Bool {
    switch self {
    case .path(let path):
      // A decimal may lie in the file as text, which SQL would compare as text; a transient value is not in it.
      if let last = path.last, case .attribute(.decimalAttributeType) = last.kind {
        false
      } else {
        !path.contains(where: \.isTransient)
      }
    case .itself: true
    case .slot, .list: false
    }
  }

  fileprivate var isConstant: Bool {
    switch self {
    case .slot, .list: true
    case .path, .itself: false
    }
  }

  fileprivate var isText: Bool {
    switch self {
    case .path(let path):
      switch path.last?.kind {
      case .attribute(.stringAttributeType), .attribute(.URIAttributeType): true
      default: false
      }
    case .slot(.string): true
    case .itself, .slot, .list: false
    }
  }
}

/// Writes queries as SQL with bound parameters; the entity's table is `t0`.
struct SQLGenerator {
  private let schema: StoreSchema
  private var parameters: [Slot] = []
  private var joins: [(path: [ObjectIdentifier], alias: String, sql: String)] = []

  init(schema: StoreSchema) { self.schema = schema }

  /// A SELECT of `selection`, in the query's order.
  func select(_ selection: String, _ query: StoreQuery) -> GeneratedSQL {
    var generator = self
    return generator.generate(selection, query)
  }

  /// How many rows the query selects, its limit and offset included.
  func count(_ query: StoreQuery) -> GeneratedSQL {
    var generator = self
    if query.limit == 0 && query.offset == 0 {
      var unsorted = query
      unsorted.sort = []
      return generator.generate("count(*)", unsorted)
    }
    var inner = generator.generate("t0.Z_PK", query)
    inner.sql = "SELECT count(*) FROM (\(inner.sql))"
    return inner
  }

  private mutating func generate(_ selection: String, _ query: StoreQuery) -> GeneratedSQL {
    var conditions: [String] = []
    let table = schema.table(query.entity)
    if table.hasSubentities, !(query.entity === table.root && query.includesSubentities) {
      let numbers = (query.includesSubentities ? query.entity.family : [query.entity]).map { "\($0.number)" }
      conditions.append("t0.Z_ENT IN (\(numbers.joined(separator: ", ")))")
    }
    if let predicate = query.predicate { conditions.append(condition(predicate, isNegated: false)) }
    let order = query.sort.map { "\(column($0.path)) \($0.isAscending ? "ASC" : "DESC")" }
    var sql = "SELECT \(selection) FROM \(table.name) t0" + joins.map(\.sql).joined()
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    if query.limit > 0 || query.offset > 0 {
      sql += " LIMIT ? OFFSET ?"
      parameters.append(.integer(query.limit > 0 ? Int64(query.limit) : -1))
      parameters.append(.integer(Int64(query.offset)))
    }
    return GeneratedSQL(sql: sql, parameters: parameters.map { $0.canonical(query.aliases) })
  }

  // MARK: Columns

  private mutating func column(_ path: [PropertyLayout]) -> String {
    guard let last = path.last else { return "t0.Z_PK" }
    let alias = join(path.dropLast())
    return "\(alias).\(schema.table(last.owner).column(last).name)"
  }

  /// The alias of the table at the end of a path of to-one relationships.
  private mutating func join(_ path: ArraySlice<PropertyLayout>) -> String {
    guard let last = path.last else { return "t0" }
    let key = path.map { ObjectIdentifier($0) }
    if let known = joins.first(where: { $0.path == key }) { return known.alias }
    let source = join(path.dropLast())
    let alias = "t\(joins.count + 1)"
    let table = schema.table(last.relation.destination)
    let foreignKey = schema.table(last.owner).column(last).name
    joins.append((key, alias, " LEFT JOIN \(table.name) \(alias) ON \(alias).Z_PK = \(source).\(foreignKey)"))
    return alias
  }

  private mutating func parameter(_ slot: Slot) -> String {
    parameters.append(slot)
    return "?"
  }

  // MARK: Conditions

  /// Below a NOT each comparison is made two-valued, so that null does not slip through.
  private mutating func condition(_ predicate: ResolvedPredicate, isNegated: Bool) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .and(let parts): return joined(parts, " AND ", isNegated, empty: "1")
    case .or(let parts): return joined(parts, " OR ", isNegated, empty: "0")
    case .not(let part): return "NOT (\(condition(part, isNegated: true)))"
    case .opaque: preconditionFailure("only translatable predicates come here")
    case .comparison(let left, let comparison, let right):
      let sql = self.comparison(left, comparison, right)
      return isNegated ? "ifnull(\(sql), 0)" : sql
    }
  }

  private mutating func joined(
    _ parts: [ResolvedPredicate], _ separator: String, _ isNegated: Bool, empty: String
  ) -> String {
    if parts.isEmpty { return empty }
    var conditions: [String] = []
    for part in parts { conditions.append(condition(part, isNegated: isNegated)) }
    return "(" + conditions.joined(separator: separator) + ")"
  }

  private mutating func operand(_ operand: ResolvedOperand) -> String {
    switch operand {
    case .path(let path): column(path)
    case .itself: "t0.Z_PK"
    case .slot(let slot): parameter(slot)
    case .list: preconditionFailure("a list stands only with IN and BETWEEN")
    }
  }

  private mutating func comparison(_ left: ResolvedOperand, _ comparison: Comparison, _ right: ResolvedOperand)
    -> String
  {
    let column = operand(left)
    switch (comparison.op, right) {
    case (.equal, .slot(.null)): return "\(column) IS NULL"
    case (.notEqual, .slot(.null)): return "\(column) IS NOT NULL"
    case (.equal, .slot(let slot)): return "\(column) = \(parameter(slot))"
    case (.equal, _): return "\(column) IS \(operand(right))"
    case (.notEqual, _): return "\(column) IS NOT \(operand(right))"
    case (.less, _): return "\(column) < \(operand(right))"
    case (.lessOrEqual, _): return "\(column) <= \(operand(right))"
    case (.greater, _): return "\(column) > \(operand(right))"
    case (.greaterOrEqual, _): return "\(column) >= \(operand(right))"
    case (.isIn, .list(let slots)): return membership(column, slots)
    case (.between, .list(let slots)): return "\(column) BETWEEN \(parameter(slots[0])) AND \(parameter(slots[1]))"
    case (.contains, .slot(let slot)): return "instr(\(column), \(parameter(slot))) > 0"
    case (.beginsWith, .slot(let slot)):
      return "substr(\(column), 1, length(\(parameter(slot)))) = \(parameter(slot))"
    case (.endsWith, .slot(let slot)):
      if case .string("") = slot { return "\(column) IS NOT NULL" }
      return "substr(\(column), -length(\(parameter(slot)))) = \(parameter(slot))"
    case (.like, .slot(.string(let pattern))):
      return "\(column) GLOB \(parameter(.string(Wildcard(pattern).glob)))"
    default: preconditionFailure("only translatable predicates come here")
    }
  }

  private mutating func membership(_ column: String, _ slots: [Slot]) -> String {
    let values = slots.filter { !$0.isNull }
    var alternatives: [String] = []
    if !values.isEmpty {
      var places: [String] = []
      for value in values { places.append(parameter(value)) }
      alternatives.append("\(column) IN (\(places.joined(separator: ", ")))")
    }
    if values.count < slots.count { alternatives.append("\(column) IS NULL") }
    return alternatives.isEmpty ? "0" : "(" + alternatives.joined(separator: " OR ") + ")"
  }
}
