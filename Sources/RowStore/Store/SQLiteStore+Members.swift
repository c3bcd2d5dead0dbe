import SQLite

/// Members of many objects.
extension SQLiteStore {
  /// Rows on the other side of a to-many relationship, and their owners' keys, by place.
  package struct Members {
    package var owners: [Int64] = []
    package var rows: [Row] = []

    package init() {}

    /// Brings them into the order of their owners, and of their primary keys. As a rule SQLite found them so.
    mutating func sort() {
      precondition(owners.count == rows.count, "each row has its owner")
      let places = owners.indices.map { (owner: owners[$0], key: rows[$0].key, index: $0) }
      func precedes(_ left: (Int64, Int64, Int), _ right: (Int64, Int64, Int)) -> Bool { left < right }
      if zip(places, places.dropFirst()).allSatisfy(precedes) { return }
      let sorted = places.sorted(by: precedes)
      (owners, rows) = (sorted.map { owners[$0.index] }, sorted.map { rows[$0.index] })
    }

    package static func += (members: inout Members, others: Members) {
      precondition(others.owners.count == others.rows.count, "each row has its owner")
      members.owners += others.owners
      members.rows += others.rows
    }
  }

  /// The rows on the other side of a to-many relationship of many objects: those of one object together, in its order,
  /// else by primary key.
  package func readMembers(of keys: some RandomAccessCollection<Int64>, _ property: PropertyLayout) throws -> Members {
    let source = MemberSource(property, self)
    var members = Members()
    if try isToScan(source, keys) {
      let wanted = KeySet(keys.lazy.map(primaryKey))
      members = try read(source, where: "NOT INDEXED WHERE \(source.owner) BETWEEN ? AND ?") {
        $0.bind(wanted.bounds.lowerBound, at: 1)
        $0.bind(wanted.bounds.upperBound, at: 2)
      } isWanted: {
        wanted.contains($0)
      }
    } else {
      try forEachPage(of: keys) { page in
        members += try read(source, where: "WHERE \(source.owner) IN (\(Self.keyPlaces))") {
          bind(page, to: $0)
        } isWanted: { _ in
          true
        }
      }
    }
    let destination = property.relation.destination
    if Self.mayBeOthers(destination) {
      let own = members.rows.indices.filter { members.rows[$0].layout.isKind(of: destination) }
      (members.owners, members.rows) = (own.map { members.owners[$0] }, own.map { members.rows[$0] })
    }
    return members
  }

  /// Where the members of a relationship are selected from.
  private struct MemberSource {
    let reader: RowReader
    let table: String
    /// The table, or with a join table before it.
    let tables: String
    /// The column with the owner's primary key, and where it is among those that are read.
    let (owner, position): (String, Int32)
    /// The owner where it is no column of the rows.
    let last: String?
    /// Nil where rows are sorted by owner and primary key.
    let order: String?
    /// Whether a row of the table has its owner's key.
    let hasOwner: Bool

    init(_ property: PropertyLayout, _ store: SQLiteStore) {
      let schema = store.schema.table(property.relation.destination)
      let place = store.schema.members(property)
      let alias = place.isJoin ? "j" : "t0"
      reader = store.readersByRoot[property.relation.destination.root.number]!
      table = schema.name
      tables =
        place.isJoin ? "\(place.table) j JOIN \(schema.name) t0 ON t0.Z_PK = j.\(place.member)" : "\(schema.name) t0"
      let owner = "\(alias).\(place.owner)"
      self.owner = owner
      let column = place.isJoin ? nil : schema.columns.firstIndex { $0.name == place.owner }
      position = column.map(RowReader.position) ?? Int32(reader.columnCount)
      last = column == nil ? owner : nil
      order = place.order.map { "\(owner), \(alias).\($0), t0.Z_PK" }
      hasOwner = !place.isJoin
    }
  }

  /// Reads the members of the owners with wanted primary keys.
  ///
  /// - Parameter condition: which owners, as SQL behind the table.
  private func read(
    _ source: MemberSource, where condition: String, bind: (Statement) -> Void, isWanted: (Int64) -> Bool
  ) throws -> Members {
    try reading { connection, start in
      var read = Members()
      func take(_ values: some ColumnValues) throws {
        let primaryKey = values.int64(at: source.position)
        guard isWanted(primaryKey), let owner = tag.key(primaryKey), let row = try source.reader.row(values)
        else { return }
        read.owners.append(owner)
        read.rows.append(row)
      }
      let rows = RowsToRead(
        reader: source.reader, source: "\(source.tables) \(condition)", last: source.last,
        order: source.order)
      try forEachRow(rows, connection, bind: bind, collected: { try take($0) }, stepped: { try take($0) })
      if source.order == nil { read.sort() }
      publish(&read.rows, from: 0, readAt: start)
      return read
    }
  }

  // MARK: By a scan

  /// Number of owners in the sample for an estimate.
  private static let sampleCount = 32
  /// Rows of the table for each member, at most: with two it takes as long as by the index.
  private static let rowsPerMember = 1.5

  /// Whether to go through the whole table, where no row has to be looked up as by the index.
  private func isToScan(_ source: MemberSource, _ keys: some RandomAccessCollection<Int64>) throws -> Bool {
    guard source.hasOwner, source.order == nil, keys.count >= 2 * Self.sampleCount else { return false }
    let places = Array(repeating: "?", count: Self.sampleCount).joined(separator: ",")
    let sql =
      "SELECT (SELECT count(*) FROM \(source.tables) WHERE \(source.owner) IN (\(places))), "
      + "(SELECT max(Z_PK) FROM \(source.table))"
    return try reading { connection, _ in
      let statement = try connection.cached(sql)
      defer { statement.reset() }
      let step = keys.count / Self.sampleCount
      bind((0..<Self.sampleCount).lazy.map { keys[keys.index(keys.startIndex, offsetBy: $0 * step)] }, to: statement)
      guard try statement.step() else { return false }
      let expected = Double(statement.int64(at: 0)) / Double(Self.sampleCount) * Double(keys.count)
      return Double(statement.int64(at: 1)) <= Self.rowsPerMember * expected
    }
  }
}
