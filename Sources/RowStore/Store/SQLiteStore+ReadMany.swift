import SQLite

/// Reads that ask for many objects in one statement.
extension SQLiteStore {
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
        // As for rows, entities that the model does not know are left out.
        guard entity == root.number || root.model.entity(number: entity) != nil else { continue }
        let key = try tag.rowKey(statement.int64(at: 0), statement.sql)
        references.append(RowReference(key: key, entity: UInt16(truncatingIfNeeded: entity)))
      }
      return references
    }
  }

  /// The rows of one table that have these keys, in no order; missing ones are left out.
  package func readRows(keys: some RandomAccessCollection<Int64>, root: EntityLayout) throws -> [Row] {
    guard hasTable(root) else { return [] }
    let reader = readersByRoot[root.root.number]!
    let source = "\(schema.table(root).name) t0 WHERE t0.Z_PK IN (\(Self.keyPlaces))"
    var rows: [Row] = []
    rows.reserveCapacity(keys.count)
    try forEachPage(of: keys) { page in
      try reading { connection, start in
        let first = rows.count
        try forEachRow(RowsToRead(reader: reader, source: source), connection) {
          bind(page, to: $0)
        } collected: {
          if let row = try reader.row($0) { rows.append(row) }
        } stepped: {
          if let row = try reader.row($0) { rows.append(row) }
        }
        publish(&rows, from: first, readAt: start)
      }
    }
    return rows
  }

  /// Rows to read, and in which order.
  struct RowsToRead {
    let reader: RowReader
    /// The text behind FROM: tables, and which rows of them.
    let source: String
    /// A column behind those of the rows.
    var last: String?
    /// Nil where the rows are sorted here, if at all.
    var order: String?

    var columns: String { reader.selection + (last.map { ", \($0)" } ?? "") }
    var columnCount: Int { reader.columnCount + (last == nil ? 0 : 1) }
  }

  /// Calls one of two closures that do the same with the values of each row: the first where no order is wanted.
  func forEachRow(
    _ rows: RowsToRead, _ connection: Connection, bind: (Statement) -> Void,
    collected: (CollectedRow) throws -> Void, stepped: (Statement) throws -> Void
  ) throws {
    if rows.order == nil, rows.columnCount <= connection.collectedColumnsMax {
      let sql = "SELECT \(Connection.collector)(\(rows.columns)) FROM \(rows.source)"
      _ = try connection.collect(sql, bind: bind) {
        try collected($0)
        return true
      }
      return
    }
    let order = rows.order.map { " ORDER BY \($0)" } ?? ""
    let statement = try connection.cached("SELECT \(rows.columns) FROM \(rows.source)\(order)")
    defer { statement.reset() }
    bind(statement)
    while try statement.step() { try stepped(statement) }
  }

  /// Lists rows that a read came with, from that place on; those to use take their places.
  func publish(_ rows: inout [Row], from first: Int, readAt start: RowCache.ReadStart?) {
    if let start { return cache.publish(&rows, from: first, readAt: start) }
    for index in rows.indices[first...] { rows[index] = cache.publish(rows[index], readAt: nil) }
  }

  static let keyPlaces = Array(repeating: "?", count: keysPerStatement).joined(separator: ",")

  func forEachPage<Keys: RandomAccessCollection<Int64>>(
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
