import SQLite

extension SQLiteStore {
  /// Keys asked for in one statement; fixed, so that the statement is one.
  static let keysPerStatement = 100

  private func reader(_ entity: EntityLayout) -> RowReader {
    guard let reader = readersByRoot[entity.root.number] else {
      preconditionFailure("\(entity.name) is read from a store that has it")
    }
    return reader
  }

  /// The row of one object; nil when there is none.
  ///
  /// - Parameters:
  ///   - refreshing: whether the cache is to have the store's row, though it may list one of that version.
  ///   - isOneOfMany: see ``reading(isOneOfMany:_:)``.
  package func readRow(
    key: Int64, layout: EntityLayout, refreshing: Bool = false, isOneOfMany: Bool = false
  ) throws -> Row? {
    guard let reader = readersByRoot[layout.rootNumber] else { return nil }
    if refreshing { cache.recordForeignWrites(CollectionOfOne(key), root: layout) }
    return try reading(isOneOfMany: isOneOfMany) { connection, start in
      guard let row = try Self.row(tag.primaryKey(key), reader, number: layout.rootNumber, connection) else {
        if refreshing { cache.recordMissing(RowIdentity(key: key, layout: layout), readAt: start) }
        return nil
      }
      return cache.publish(row, readAt: start, comparing: refreshing)
    }
  }

  /// The row with a primary key, by a statement of the reader's that has the number to itself.
  private static func row(
    _ key: Int64, _ reader: RowReader, number: Int, _ connection: Connection
  ) throws -> Row? {
    if let select = try connection.keyedSelect(number: number, feed: reader.keyFeed, reader.selectionByFeed) {
      return try select.find(key) ? reader.row(select.statement) : nil
    }
    let statement = try connection.cached(number: number, reader.selectionByKey)
    defer { statement.reset() }
    statement.bind(key, at: 1)
    return try statement.step() ? reader.row(statement) : nil
  }

  /// The rows on the other side of a to-many relationship: in its order, else by primary key.
  package func readMembers(of key: Int64, _ property: PropertyLayout) throws -> [Row] {
    let destination = property.relation.destination
    let table = schema.table(destination)
    let reader = reader(destination)
    let place = schema.members(property)
    let order = place.order.map { "\(place.isJoin ? "j" : "t0").\($0), " } ?? ""
    let source =
      place.isJoin
      ? "\(place.table) j JOIN \(table.name) t0 ON t0.Z_PK = j.\(place.member) WHERE j.\(place.owner) = ?"
      : "\(table.name) t0 WHERE t0.\(place.owner) = ?"
    let rows = try select("SELECT \(reader.selection) FROM \(source) ORDER BY \(order)t0.Z_PK", reader: reader) {
      $0.bind(tag.primaryKey(key), at: 1)
    }
    return Self.mayBeOthers(destination) ? rows.filter { $0.layout.isKind(of: destination) } : rows
  }

  /// Whether the table has rows of other entities: a broken file may call them members.
  static func mayBeOthers(_ destination: EntityLayout) -> Bool { destination.parent != nil }

  /// The rows a query selects, in its order.
  package func readRows(_ query: StoreQuery) throws -> [Row] {
    let reader = reader(query.entity)
    if let order = RowOrder(query, schema.table(query.entity), reader),
      let rows = try sortedRows(query, order, reader)
    {
      return rows
    }
    let generated = SQLGenerator(schema: schema).select(reader.selection, query)
    return try select(generated.sql, reader: reader) { generated.bind(to: $0, tag) }
  }

  /// The same, sorted here; nil where only SQLite can.
  private func sortedRows(_ query: StoreQuery, _ order: RowOrder, _ reader: RowReader) throws -> [Row]? {
    var unsorted = query
    unsorted.sort = []
    let generated = SQLGenerator(schema: schema).select(reader.collection, unsorted)
    return try reading { connection, start in
      guard reader.columnCount <= connection.collectedColumnsMax else { return nil }
      var isKnown = false
      let areAllKnown = try connection.collect(generated.sql) {
        generated.bind(to: $0, tag)
      } _: { values in
        // Now the connection has the file's schema.
        if !isKnown { isKnown = try order.isKnown(to: connection) }
        return try isKnown && order.add(values)
      }
      guard areAllKnown else { return nil }
      var rows = try order.rows()
      publish(&rows, from: 0, readAt: start)
      return rows
    }
  }

  /// How many rows a query selects.
  package func count(_ query: StoreQuery) throws -> Int {
    let generated = SQLGenerator(schema: schema).count(query)
    return try reading { connection, _ in
      let statement = try connection.cached(generated.sql)
      defer { statement.reset() }
      generated.bind(to: statement, tag)
      return try statement.step() ? Int(statement.int64(at: 0)) : 0
    }
  }

  private func select(_ sql: String, reader: RowReader, bind: (Statement) -> Void) throws -> [Row] {
    try reading { connection, start in
      let statement = try connection.cached(sql)
      defer { statement.reset() }
      bind(statement)
      var rows: [Row] = []
      while try statement.step() {
        if let row = try reader.row(statement) { rows.append(row) }
      }
      publish(&rows, from: 0, readAt: start)
      return rows
    }
  }
}
