import SQLite

/// Reads that ask for many objects in one statement.
extension SQLiteStore {
  /// Rows on the other side of a to-many relationship, and whose they are, by place.
  package struct Members {
    package var owners: [Int64] = []
    package var rows: [Row] = []

    package init() {}

    package static func += (members: inout Members, others: Members) {
      precondition(others.owners.count == others.rows.count, "each row has its owner")
      members.owners += others.owners
      members.rows += others.rows
    }
  }

  /// Where the rows are that a query selects, in its order.
  package func references(_ query: StoreQuery) throws -> ContiguousArray<RowReference> {
    let generated = SQLGenerator(schema: schema).select("t0.Z_PK, t0.Z_ENT", query)
    let root: EntityLayout = query.entity.root
    return try reading { connection, _ in
      let statement = try connection.cached(generated.sql)
      defer { statement.reset() }
      generated.bind(to: statement, tag)
      var references: ContiguousArray<RowReference> = []
      while try statement.step() {
        let entity = Int(statement.int64(at: 1))
        // As for rows, what the model does not know is left out.
        guard entity == root.number || root.model.entity(number: entity) != nil else { continue }
        let key = try tag.rowKey(statement.int64(at: 0), statement.sql)
        references.append(RowReference(key: key, entity: UInt16(truncatingIfNeeded: entity)))
      }
      return references
    }
  }

  /// The rows of one table that have these keys, in no order; what is not there is left out.
  package func readRows(keys: some RandomAccessCollection<Int64>, root: EntityLayout) throws -> [Row] {
    guard hasTable(root) else { return [] }
    let reader = readersByRoot[root.root.number]!
    let sql =
      "SELECT \(reader.selection) FROM \(schema.table(root).name) t0 WHERE t0.Z_PK IN (\(Self.keyPlaces))"
    var rows: [Row] = []
    rows.reserveCapacity(keys.count)
    try forEachPage(of: keys) { page in
      try reading { connection, start in
        let statement = try connection.cached(sql)
        defer { statement.reset() }
        bind(page, to: statement)
        let first = rows.count
        while try statement.step() {
          if let row = try reader.row(statement) { rows.append(row) }
        }
        publish(&rows, from: first, readAt: start)
      }
    }
    return rows
  }

  /// The rows on the other side of a to-many relationship of many objects: those of one object together, in its order,
  /// else by primary key.
  package func readMembers(of keys: some RandomAccessCollection<Int64>, _ property: PropertyLayout) throws -> Members {
    let destination = property.relation.destination
    let table = schema.table(destination)
    let reader = readersByRoot[destination.root.number]!
    let place = schema.members(property)
    let owner = "\(place.isJoin ? "j" : "t0").\(place.owner)"
    let order = place.order.map { "\(place.isJoin ? "j" : "t0").\($0), " } ?? ""
    let source =
      place.isJoin ? "\(place.table) j JOIN \(table.name) t0 ON t0.Z_PK = j.\(place.member)" : "\(table.name) t0"
    let sql =
      "SELECT \(reader.selection), \(owner) FROM \(source) WHERE \(owner) IN (\(Self.keyPlaces)) ORDER BY \(owner), \(order)t0.Z_PK"
    var members = Members()
    try forEachPage(of: keys) { page in
      try reading { connection, start in
        let statement = try connection.cached(sql)
        defer { statement.reset() }
        bind(page, to: statement)
        let ownerColumn = Int32(statement.columnCount) - 1
        let first = members.rows.count
        while try statement.step() {
          guard let owner = tag.key(statement.int64(at: ownerColumn)), let row = try reader.row(statement) else {
            continue
          }
          members.owners.append(owner)
          members.rows.append(row)
        }
        publish(&members.rows, from: first, readAt: start)
      }
    }
    if Self.mayBeOthers(destination) {
      let own = members.rows.indices.filter { members.rows[$0].layout.isKind(of: destination) }
      (members.owners, members.rows) = (own.map { members.owners[$0] }, own.map { members.rows[$0] })
    }
    return members
  }

  /// Lists rows that a read came with, from that place on; those to use take their places.
  func publish(_ rows: inout [Row], from first: Int, readAt start: RowCache.ReadStart?) {
    if let start { return cache.publish(&rows, from: first, readAt: start) }
    for index in rows.indices[first...] { rows[index] = cache.publish(rows[index], readAt: nil) }
  }

  static let keyPlaces = Array(repeating: "?", count: keysPerStatement).joined(separator: ",")

  private func forEachPage<Keys: RandomAccessCollection<Int64>>(
    of keys: Keys, _ body: (Keys.SubSequence) throws -> Void
  ) rethrows {
    var rest = keys[...]
    while !rest.isEmpty {
      try body(rest.prefix(Self.keysPerStatement))
      rest = rest.dropFirst(Self.keysPerStatement)
    }
  }

  func bind(_ page: some Collection<Int64>, to statement: Statement) {
    var position: Int32 = 1
    for key in page {
      statement.bind(primaryKey(key), at: position)
      position += 1
    }
    // A statement from the cache has every parameter NULL, which no key is.
  }
}
