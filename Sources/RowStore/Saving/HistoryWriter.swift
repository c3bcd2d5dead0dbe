import Foundation
import SQLite

/// Who writes to a store, as its history has it.
package struct HistoryStamp: Sendable {
  package let author: String?
  package let contextName: String?

  package init(author: String?, contextName: String?) {
    self.author = author
    self.contextName = contextName
  }

  /// The program, and its process: whoever has no bundle has its process's name.
  fileprivate static let process = ProcessInfo.processInfo.processName
  fileprivate static let bundle = Bundle.main.bundleIdentifier ?? process
}

/// Puts the changes of a transaction into the history, as the transaction's last part.
///
/// Only used in the writer's turn.
package final class HistoryWriter: RowSource {
  package enum Kind: Int64 {
    case insert, update, delete
  }

  private struct Change {
    let kind: Kind
    let entity: Int
    let primaryKey: Int64
    var columns: [UInt8]?
  }

  private struct Place: Hashable {
    let root: Int
    let primaryKey: Int64
  }

  /// Changes that are appended, at least: as for the rows of an entity.
  private static let fewestAppended = 16

  private unowned(unsafe) let connection: Connection
  private let model: ModelLayout
  let schema: HistorySchema
  @exclusivity(unchecked)
  private var changes: ContiguousArray<Change> = []
  /// Where the change of an object is among ``changes``; nil until one object may come twice.
  private var places: [Place: Int]?
  /// The values that stay of what was deleted, by the place among ``changes``.
  private var tombstones: [Int: [SQLValue]] = [:]
  /// The bits of the last update, which are often those of the next.
  @exclusivity(unchecked)
  private var last: (entity: Int, mask: PropertyMask, columns: [UInt8]) = (0, .empty, [])
  /// Numbers of names in the file, as of ``stringsVersion`` of the connection's data.
  private var strings: [String: Int64] = [:]
  private var stringsVersion: UInt32?

  private let insertKeyed: LateStatement
  private let append: LateStatement
  /// While the statement runs: the row that is read, and the key of the first.
  @exclusivity(unchecked)
  private var position = -1
  @exclusivity(unchecked)
  private var firstKey: Int64 = 0

  package init(_ connection: Connection, _ schema: HistorySchema, _ model: ModelLayout) throws {
    self.connection = connection
    self.schema = schema
    self.model = model
    let columns = "Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS"
    let values = "\(HistorySchema.Table.change.rawValue), c1, c2, c3, ?1, c4 FROM feed_history"
    insertKeyed = LateStatement("INSERT INTO ACHANGE(Z_PK, \(columns)) SELECT c0, \(values)", connection)
    append = LateStatement("INSERT INTO ACHANGE(\(columns)) SELECT \(values)", connection)
    try connection.addFeed("feed_history", columnCount: 5, from: self)
  }

  // MARK: Noting

  @inline(__always)
  func note(_ kind: Kind, entity: Int, _ primaryKey: Int64) {
    add(Change(kind: kind, entity: entity, primaryKey: primaryKey))
  }

  /// A row that was written over `base`.
  func noteUpdate(_ row: Row, _ base: Row, _ mask: PropertyMask, _ primaryKey: Int64) {
    let entity = row.layout
    guard entity.leadsToFamilies else { return noteUpdate(of: entity, primaryKey, mask) }
    let columns = schema.columns(mask, of: entity) { property in
      row.entityNumber(at: property.index) != base.entityNumber(at: property.index)
    }
    add(Change(kind: .update, entity: entity.number, primaryKey: primaryKey, columns: columns))
  }

  /// A row that was not noted before in this transaction.
  func noteUpdate(of entity: EntityLayout, _ primaryKey: Int64, _ mask: PropertyMask) {
    if last.entity != entity.number || last.mask != mask {
      last = (entity.number, mask, schema.columns(mask, of: entity))
    }
    add(Change(kind: .update, entity: entity.number, primaryKey: primaryKey, columns: last.columns))
  }

  /// A row that may have been noted before in this transaction.
  func noteFurtherUpdate(of entity: EntityLayout, _ primaryKey: Int64, _ columns: [UInt8]) {
    if places == nil {
      places = Dictionary(
        changes.enumerated().compactMap { index, change in place(change).map { ($0, index) } },
        uniquingKeysWith: { first, _ in first })
    }
    guard let known = places?[Place(root: entity.rootNumber, primaryKey: primaryKey)] else {
      return add(Change(kind: .update, entity: entity.number, primaryKey: primaryKey, columns: columns))
    }
    guard changes[known].kind == .update, let old = changes[known].columns else { return }
    precondition(old.count == columns.count, "changes of one object have bits of one entity")
    changes[known].columns = zip(old, columns).map { $0 | $1 }
  }

  /// A row that is deleted, with the values that stay of it.
  func noteDelete(entity: Int, _ primaryKey: Int64, tombstone: [SQLValue]) {
    if !tombstone.isEmpty { tombstones[changes.count] = tombstone }
    note(.delete, entity: entity, primaryKey)
  }

  @inline(__always)
  private func add(_ change: Change) {
    if places != nil, let place = place(change) { places?[place] = changes.count }
    changes.append(change)
  }

  private func place(_ change: Change) -> Place? {
    model.entity(number: change.entity).map { Place(root: $0.rootNumber, primaryKey: change.primaryKey) }
  }

  /// Drops the changes that were noted.
  func forget() {
    changes.removeAll(keepingCapacity: changes.count < Self.keptCapacity)
    places = nil
    if !tombstones.isEmpty { tombstones = [:] }
  }

  private static let keptCapacity = 1_000

  /// The transaction is taken back, with the strings that it has added.
  func rollBack() {
    forget()
    (strings, stringsVersion) = ([:], nil)
  }

  /// The transaction is committed.
  @inline(__always)
  func commit() { stringsVersion = connection.dataVersion }

  // MARK: Writing

  /// Writes what was noted as one transaction; nothing where nothing was.
  func write(_ stamp: HistoryStamp) throws {
    defer { forget() }
    guard !changes.isEmpty else { return }
    precondition(connection.isInTransaction, "history is written by the transaction that has its rows")
    if places != nil { putInOrder() }
    if stringsVersion != connection.dataVersion { (strings, stringsVersion) = ([:], connection.dataVersion) }
    let transaction = try raise(.transaction, by: 1)
    firstKey = try raise(.change, by: Int64(changes.count)) - Int64(changes.count) + 1
    let insert = try connection.cachedForChecks(
      "INSERT INTO ATRANSACTION(Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
        + "VALUES (?1, \(HistorySchema.Table.transaction.rawValue), ?2, ?3, ?4, ?5, "
        // Time never goes back in a history, whatever the clock does.
        + "max(?6, coalesce((SELECT max(ZTIMESTAMP) FROM ATRANSACTION), ?6)))")
    insert.bind(transaction, at: 1)
    for (index, text) in [stamp.author, HistoryStamp.bundle, stamp.contextName, HistoryStamp.process].enumerated() {
      guard let text else { continue }
      insert.bind(try string(text), at: Int32(index) + 2)
    }
    insert.bind(Date().timeIntervalSinceReferenceDate, at: 6)
    try insert.run()
    let statement = try isAppended() ? append() : insertKeyed()
    statement.bind(transaction, at: 1)
    position = -1
    try statement.run()
    for (index, values) in tombstones { try write(values, at: firstKey + Int64(index)) }
  }

  /// Puts inserts first and deletes last: what is noted further comes after the deletes.
  private func putInOrder() {
    let order = changes.indices.sorted { (changes[$0].kind.rawValue, $0) < (changes[$1].kind.rawValue, $1) }
    tombstones = Dictionary(
      uniqueKeysWithValues: order.enumerated().compactMap { new, old in tombstones[old].map { (new, $0) } })
    changes = ContiguousArray(order.map { changes[$0] })
  }

  /// Takes numbers of a table; the last of them.
  private func raise(_ table: HistorySchema.Table, by count: Int64) throws -> Int64 {
    let update = try connection.cachedForChecks("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ?1 WHERE Z_ENT = ?2")
    update.bind(count, at: 1)
    update.bind(table.rawValue, at: 2)
    try update.run()
    if connection.changedRows == 0 {
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(table.rawValue), '\(table.name)', 0, \(count))"
      )
      return count
    }
    let select = try connection.cachedForChecks("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1")
    defer { select.reset() }
    select.bind(table.rawValue, at: 1)
    guard try select.step() else {
      throw SQLiteError(code: .corrupt, message: "Z_PRIMARYKEY has lost the row of \(table.name)", sql: select.sql)
    }
    return select.int64(at: 0)
  }

  /// The number of a name, which is written where the file does not have it.
  private func string(_ text: String) throws -> Int64 {
    if let known = strings[text] { return known }
    let select = try connection.cachedForChecks("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?1")
    select.bind(text, at: 1)
    let isThere = try select.step()
    var number = isThere ? select.int64(at: 0) : 0
    select.reset()
    if !isThere {
      number = try raise(.string, by: 1)
      let insert = try connection.cachedForChecks(
        "INSERT INTO ATRANSACTIONSTRING(Z_PK, Z_ENT, ZNAME) VALUES (?1, \(HistorySchema.Table.string.rawValue), ?2)")
      insert.bind(number, at: 1)
      insert.bind(text, at: 2)
      try insert.run()
    }
    strings[text] = number
    return number
  }

  /// Whether SQLite gives the changes the same keys by itself; see ``EntityInsert``.
  private func isAppended() throws -> Bool {
    guard changes.count >= Self.fewestAppended else { return false }
    let last = try connection.cachedForChecks("SELECT max(Z_PK) FROM ACHANGE")
    defer { last.reset() }
    return try last.step() && last.int64(at: 0) == firstKey - 1
  }

  private func write(_ values: [SQLValue], at key: Int64) throws {
    let columns = values.indices.map { "ZTOMBSTONE\($0) = ?\($0 + 2)" }.joined(separator: ", ")
    let update = try connection.cachedForChecks("UPDATE ACHANGE SET \(columns) WHERE Z_PK = ?1")
    update.bind(key, at: 1)
    for (index, value) in values.enumerated() { value.bind(to: Parameter(Int32(index) + 2, of: update)) }
    try update.run()
  }

  // MARK: RowSource

  package func next() -> Bool {
    position += 1
    return position < changes.count
  }

  package func write(column: Int, to value: FeedValue) {
    switch column {
    case 0: value.set(firstKey + Int64(position))
    case 1: value.set(changes[position].kind.rawValue)
    case 2: value.set(Int64(changes[position].entity))
    case 3: value.set(changes[position].primaryKey)
    default: changes[position].columns?.withUnsafeBytes { value.set($0) }
    }
  }
}

extension Row {
  /// The number of the entity of a to-one relationship's object; 0 where there is none.
  fileprivate func entityNumber(at index: Int) -> UInt16 {
    if case .reference(let reference) = self[index] { reference.entity } else { 0 }
  }
}
