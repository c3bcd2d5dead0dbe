import SQLite

/// Members of many objects.
extension SQLiteStore {
  /// Rows on the other side of a to-many relationship, and their owners' keys, by place.
  package struct Members {
    package var owners: [Int64] = []
    package var rows: [Row] = []

    package init() {}

    /// Brings them into the order of their owners, and of their primary keys.
    mutating func sort() {
      precondition(owners.count == rows.count, "each row has its owner")
      let places = owners.indices.map { (owner: owners[$0], key: rows[$0].key, index: $0) }
      let sorted = places.sorted { $0 < $1 }
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
  ///
  /// - Parameter areLast: whether the rows are read only to be deleted.
  package func readMembers(
    of keys: some RandomAccessCollection<Int64>, _ property: PropertyLayout, areLast: Bool = false
  ) throws -> Members {
    let source = MemberSource(property, self)
    var members = Members()
    if try isToScan(source, keys) {
      let wanted = KeySet(keys.lazy.map(primaryKey))
      members = try read(source, areLast, where: "NOT INDEXED WHERE \(source.owner) BETWEEN ? AND ?") {
        $0.bind(wanted.bounds.lowerBound, at: 1)
        $0.bind(wanted.bounds.upperBound, at: 2)
      } isWanted: {
        wanted.contains($0)
      }
    } else {
      try forEachPage(of: keys) { page in
        members += try read(source, areLast, where: "WHERE \(source.owner) IN (\(Self.keyPlaces))") {
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
    _ source: MemberSource, _ areLast: Bool, where condition: String, bind: (Statement) -> Void,
    isWanted: (Int64) -> Bool
  ) throws -> Members {
    try reading { connection, start in
      let found = FoundMembers()
      func owner(_ values: some ColumnValues) -> Int64? {
        let primaryKey = values.int64(at: source.position)
        return isWanted(primaryKey) ? tag.key(primaryKey) : nil
      }
      let rows = RowsToRead(
        reader: source.reader, source: "\(source.tables) \(condition)", last: source.last,
        order: source.order)
      try forEachRow(rows, connection, bind: bind) { values in
        guard let owner = owner(values) else { return }
        found.add(try areLast ? source.reader.lastRow(values) : source.reader.row(values), of: owner)
      } stepped: { values in
        if let owner = owner(values) { found.add(try source.reader.row(values), of: owner) }
      }
      if source.order == nil, !found.areSorted { found.members.sort() }
      publish(&found.members.rows, from: 0, readAt: start)
      return found.members
    }
  }

  /// The members that one statement has found so far.
  private final class FoundMembers {
    // Not checked for exclusivity at run time: closures that SQLite's callback reaches add to them, and nothing else.
    @exclusivity(unchecked)
    var members = Members()
    /// Whether they came in the order of their owners, and of their primary keys, as they do as a rule.
    @exclusivity(unchecked)
    private(set) var areSorted = true
    @exclusivity(unchecked)
    private var last = (owner: Int64.min, key: Int64.min)

    func add(_ row: consuming Row?, of owner: Int64) {
      guard let row else { return }
      let place = (owner: owner, key: row.key)
      if place <= last { areSorted = false }
      last = place
      members.owners.append(owner)
      members.rows.append(row)
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
