import Foundation
import SQLite

/// One transaction of a store's history.
package struct RecordedTransaction {
  /// From 1, without gaps; the token is made of it.
  package let number: Int64
  /// Seconds since 2001-01-01.
  package let timestamp: Double
  package let author: String?
  package let bundle: String
  package let contextName: String?
  package let process: String
  /// In the order in which they were recorded; none where they were not asked for.
  package fileprivate(set) var changes: [RecordedChange] = []
}

/// One change of a transaction.
package struct RecordedChange {
  package let number: Int64
  package let kind: HistoryWriter.Kind
  /// Of the object, and its entity.
  package let key: Int64
  package let layout: EntityLayout
  /// Changed by an update.
  package let properties: [PropertyLayout]
  /// Of a deleted object, by property.
  package let tombstone: [(property: PropertyLayout, value: Slot)]
}

/// Where in a store's history something begins or ends.
package enum HistoryPoint {
  /// Before the first transaction.
  case start
  case transaction(Int64)
  /// Seconds since 2001-01-01.
  case date(Double)

  /// Binds it as the first parameter.
  fileprivate func bind(to statement: Statement) {
    switch self {
    case .start: break
    case .transaction(let number): statement.bind(number, at: 1)
    case .date(let date): statement.bind(date, at: 1)
    }
  }
}

/// A part of a history is gone, or never was.
package enum HistoryGap: Error {
  /// Transactions after the point were deleted.
  case isDeleted
  /// The point is after the last transaction: the history is another one.
  case isAhead
}

extension SQLiteStore {
  /// The number of the last transaction, 0 before the first, though it may be deleted; nil for a store without a history.
  package func lastTransaction() throws -> Int64? {
    try reading { connection, _ in
      guard try HistorySchema.exists(connection) else { return nil }
      return try HistorySchema.lastTransaction(connection)
    }
  }

  /// The transactions after a point, in the order of their commits, as one state of the file has them.
  ///
  /// - Throws: ``HistoryGap`` where later transactions are missing.
  package func transactions(after point: HistoryPoint, withChanges: Bool = true) throws -> [RecordedTransaction] {
    try reading { connection, _ in
      guard try HistorySchema.exists(connection) else { return [] }
      return try HistoryReading(connection, schema, tag).transactions(after: point, withChanges: withChanges)
    }
  }

  /// Deletes the transactions before a point, in the writer's turn.
  ///
  /// - Returns: how many there were.
  package func deleteTransactions(before point: HistoryPoint) throws -> Int {
    let condition: String
    switch point {
    case .start: return 0
    case .transaction: condition = "Z_PK < ?"
    case .date: condition = "ZTIMESTAMP < ?"
    }
    guard try lastTransaction() != nil else { return 0 }
    try requireWritable()
    try requireNoTransaction()
    do {
      try beginWriting()
      let selected = "SELECT Z_PK FROM ATRANSACTION WHERE \(condition)"
      for sql in [
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (\(selected))", "DELETE FROM ATRANSACTION WHERE \(condition)",
      ] {
        let statement = try connection.cachedForChecks(sql)
        point.bind(to: statement)
        try statement.run()
      }
      let count = connection.changedRows
      try commitWriting()
      return count
    } catch let error as SQLiteError {
      rollBack()
      throw failure(StoreErrorCode.save, "The history of \(place.label) could not be deleted", error)
    }
  }
}

/// Reads a history by one statement, so that no other process deletes a part of it meanwhile.
package struct HistoryReading {
  private let connection: Connection
  private let schema: HistorySchema
  private let model: ModelLayout
  private let tag: StoreTag
  private let tombstoneColumns: Int

  package init(_ connection: Connection, _ schema: StoreSchema, _ tag: StoreTag) throws {
    self.connection = connection
    self.schema = HistorySchema(schema)
    model = schema.model
    self.tag = tag
    tombstoneColumns = try HistorySchema.tombstoneColumns(connection)
  }

  /// See ``SQLiteStore/transactions(after:withChanges:)``.
  package func transactions(after point: HistoryPoint, withChanges: Bool) throws -> [RecordedTransaction] {
    let condition: String
    switch point {
    case .start: condition = "1"
    case .transaction: condition = "t.Z_PK > ?1"
    case .date: condition = "t.ZTIMESTAMP > ?1"
    }
    func text(_ column: String) -> String {
      "coalesce(t.\(column), (SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)TS))"
    }
    let columns =
      ["p.Z_MAX", "t.Z_PK", "t.ZTIMESTAMP"] + ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map(text)
      + (withChanges ? ["c.Z_PK", "c.ZCHANGETYPE", "c.ZENTITY", "c.ZENTITYPK", "c.ZCOLUMNS"] : [])
      + (withChanges ? (0..<tombstoneColumns).map { "c.ZTOMBSTONE\($0)" } : [])
    let changes = withChanges ? " LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK" : ""
    let statement = try connection.cachedForChecks(
      "SELECT \(columns.joined(separator: ", ")) FROM Z_PRIMARYKEY p LEFT JOIN ATRANSACTION t ON \(condition)\(changes) "
        + "WHERE p.Z_ENT = \(HistorySchema.Table.transaction.rawValue) "
        + "ORDER BY t.Z_PK\(withChanges ? ", c.Z_PK" : "")")
    defer { statement.reset() }
    point.bind(to: statement)
    var found: [RecordedTransaction] = []
    var last: Int64 = 0
    while try statement.step() {
      last = statement.int64(at: 0)
      guard !statement.isNull(at: 1) else { break }
      if found.last?.number != statement.int64(at: 1) { found.append(transaction(statement)) }
      if withChanges, let change = try change(statement) { found[found.count - 1].changes.append(change) }
    }
    if case .transaction(let number) = point {
      if number > last { throw HistoryGap.isAhead }
      if number < last, found.first?.number != number + 1 { throw HistoryGap.isDeleted }
    }
    return found
  }

  private func transaction(_ statement: Statement) -> RecordedTransaction {
    RecordedTransaction(
      number: statement.int64(at: 1), timestamp: statement.double(at: 2), author: statement.text(at: 3),
      bundle: statement.string(at: 4), contextName: statement.text(at: 5), process: statement.string(at: 6))
  }

  /// Nil where there is none, or of an entity that the model does not have.
  private func change(_ statement: Statement) throws -> RecordedChange? {
    guard !statement.isNull(at: 7), let kind = HistoryWriter.Kind(rawValue: statement.int64(at: 8)),
      let layout = model.entity(number: Int(statement.int64(at: 9)))
    else { return nil }
    let isUpdate = kind == .update
    var tombstone: [(PropertyLayout, Slot)] = []
    if kind == .delete {
      for (index, property) in schema.tombstone(layout).prefix(tombstoneColumns).enumerated() {
        let value = SQLValue(statement, at: Int32(index) + 12)
        if value != .null { tombstone.append((property, Slot(value, of: property))) }
      }
    }
    return RecordedChange(
      number: statement.int64(at: 7), kind: kind, key: try tag.rowKey(statement.int64(at: 10), statement.sql),
      layout: layout,
      properties: isUpdate ? schema.properties(statement.withBytes(at: 11) { [UInt8]($0) }, of: layout) : [],
      tombstone: tombstone)
  }
}

extension Slot {
  /// A column of an attribute.
  fileprivate init(_ value: SQLValue, of property: PropertyLayout) {
    guard case .attribute(let type) = property.kind else {
      self = .null
      return
    }
    if case .transformed(let coder)? = property.encoding, case .blob(let bytes) = value {
      self = .boxed(SlotBox(TransformedValue(Data(bytes), coder)))
    } else {
      self.init(value, type)
    }
  }
}
