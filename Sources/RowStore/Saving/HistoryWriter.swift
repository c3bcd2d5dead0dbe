import Foundation
import SQLite

/// The author of writes to a store, as its history has it.
package struct HistoryStamp: Sendable {
  package let author: String?
  package let contextName: String?

  package init(author: String?, contextName: String?) {
    self.author = author
    self.contextName = contextName
  }

  /// The program, and its process: without a bundle the name of the process.
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

  /// Shared by changes of one kind and entity; updates have the bits of the same properties, too.
  private struct Form: Hashable {
    let kind: Kind
    let entity: Int
    var columns: [UInt8]?
  }

  private struct Change {
    /// Its place among ``forms``.
    var form: Int
    let primaryKey: Int64
  }

  private struct Place: Hashable {
    let root: Int
    let primaryKey: Int64
  }

  /// Changes that are appended, at least: as for the rows of an entity.
  private static let fewestAppended = 16
  /// Changes of one form that get a statement of their own, at least: it reads one column, and not four.
  private static let fewestEven = 8

  private unowned(unsafe) let connection: Connection
  private let model: ModelLayout
  let schema: HistorySchema
  @exclusivity(unchecked)
  private var changes: ContiguousArray<Change> = []
  /// In the order in which they were first noted.
  @exclusivity(unchecked)
  private var forms: ContiguousArray<Form> = []
  private var formsByValue: [Form: Int] = [:]
  /// Where the change of an object is among ``changes``; nil until one object may come twice.
  @exclusivity(unchecked)
  private var places: [Place: Int]?
  /// The values that stay of deleted rows, by the place among ``changes``.
  private var tombstones: [Int: [SQLValue]] = [:]
  /// The form of the last insert or delete, and of the last update, which is often that of the next.
  @exclusivity(unchecked)
  private var last = 0
  @exclusivity(unchecked)
  private var lastUpdate = (form: -1, entity: 0, mask: PropertyMask.empty, elsewhere: PropertyMask.empty)
  /// Numbers of names in the file by their bytes, as of ``stringsVersion`` of the connection's data.
  private var strings: [[UInt8]: Int64] = [:]
  private var stringsVersion: UInt32?

  private let insertKeyed: LateStatement
  private let append: LateStatement
  private let appendEven: LateStatement
  /// While a statement runs: the row that is read, the end of those that it reads, and the key of the first of all.
  @exclusivity(unchecked)
  private var position = -1
  @exclusivity(unchecked)
  private var end = 0
  @exclusivity(unchecked)
  private var firstKey: Int64 = 0

  package init(_ connection: Connection, _ schema: HistorySchema, _ model: ModelLayout) throws {
    self.connection = connection
    self.schema = schema
    self.model = model
    let columns = "ZENTITYPK, ZTRANSACTIONID, Z_ENT, ZCHANGETYPE, ZENTITY, ZCOLUMNS"
    let values = "c0, ?1, \(HistorySchema.Table.change.rawValue)"
    func insert(_ columns: String, _ values: String) -> LateStatement {
      LateStatement("INSERT INTO ACHANGE(\(columns)) SELECT \(values) FROM feed_history", connection)
    }
    insertKeyed = insert("\(columns), Z_PK", "\(values), c1, c2, c3, c4")
    append = insert(columns, "\(values), c1, c2, c3")
    appendEven = insert(columns, "\(values), ?2, ?3, ?4")
    try connection.addFeed("feed_history", columnCount: 5, from: self)
    // Foundation looks through all files beside the executable for it: now, and not in the first save.
    _ = HistoryStamp.bundle
  }

  // MARK: Noting

  @inline(__always)
  func note(_ kind: Kind, entity: Int, _ primaryKey: Int64) {
    if last >= forms.count || forms[last].entity != entity || forms[last].kind != kind {
      last = form(Form(kind: kind, entity: entity))
    }
    add(Change(form: last, primaryKey: primaryKey))
  }

  /// Notes a row that was written over the one that was read.
  @inline(__always)
  func note(_ update: UnsafePointer<SavePlan.Update>, _ primaryKey: Int64) {
    Unmanaged.passUnretained(update.pointee.row)._withUnsafeGuaranteedRef { row in
      row.layoutReference._withUnsafeGuaranteedRef { entity in
        if entity.leadsToFamilies {
          noteUpdate(of: entity, primaryKey, update.pointee.mask, elsewhere: Self.elsewhere(update))
        } else {
          noteUpdate(of: entity, primaryKey, update.pointee.mask, elsewhere: .empty)
        }
      }
    }
  }

  /// The to-one relationships that lead to an object of another entity than before.
  private static func elsewhere(_ update: UnsafePointer<SavePlan.Update>) -> PropertyMask {
    var found = PropertyMask.empty
    let (row, base) = (update.pointee.row, update.pointee.base)
    update.pointee.mask.forEach { if row.entityNumber(at: $0) != base.entityNumber(at: $0) { found.insert($0) } }
    return found
  }

  /// Notes a row that was not noted before in this transaction.
  ///
  /// - Parameter elsewhere: has the to-one relationships that lead to an object of another entity than before.
  @inline(__always)
  func noteUpdate(of entity: EntityLayout, _ primaryKey: Int64, _ mask: PropertyMask, elsewhere: PropertyMask) {
    if lastUpdate.form < 0 || lastUpdate.entity != entity.number || lastUpdate.mask != mask
      || lastUpdate.elsewhere != elsewhere
    {
      let columns = schema.columns(mask, of: entity, elsewhere: elsewhere)
      lastUpdate = (form(Form(kind: .update, entity: entity.number, columns: columns)), entity.number, mask, elsewhere)
    }
    add(Change(form: lastUpdate.form, primaryKey: primaryKey))
  }

  /// Notes a row that may have been noted before in this transaction.
  func noteFurtherUpdate(of entity: EntityLayout, _ primaryKey: Int64, _ columns: [UInt8]) {
    if places == nil {
      places = Dictionary(
        changes.enumerated().compactMap { index, change in place(change).map { ($0, index) } },
        uniquingKeysWith: { first, _ in first })
    }
    guard let known = places?[Place(root: entity.rootNumber, primaryKey: primaryKey)] else {
      let form = form(Form(kind: .update, entity: entity.number, columns: columns))
      return add(Change(form: form, primaryKey: primaryKey))
    }
    var both = forms[changes[known].form]
    guard both.kind == .update, let old = both.columns else { return }
    precondition(old.count == columns.count, "changes of one object have bits of one entity")
    both.columns = zip(old, columns).map { $0 | $1 }
    changes[known].form = form(both)
  }

  /// Keeps the values that stay of the row noted next, which is deleted.
  func keepValues(_ values: [SQLValue]) {
    if !values.isEmpty { tombstones[changes.count] = values }
  }

  @inline(__always)
  private func add(_ change: Change) {
    if places != nil, let place = place(change) { places?[place] = changes.count }
    changes.append(change)
  }

  private func form(_ form: Form) -> Int {
    if let known = formsByValue[form] { return known }
    forms.append(form)
    formsByValue[form] = forms.count - 1
    return forms.count - 1
  }

  private func place(_ change: Change) -> Place? {
    model.entity(number: forms[change.form].entity).map { Place(root: $0.rootNumber, primaryKey: change.primaryKey) }
  }

  /// Drops the changes that were noted.
  func forget() {
    changes.removeAll(keepingCapacity: changes.count < Self.keptCapacity)
    forms.removeAll(keepingCapacity: forms.count < Self.keptCapacity)
    formsByValue.removeAll(keepingCapacity: formsByValue.count < Self.keptCapacity)
    lastUpdate.form = -1
    places = nil
    if !tombstones.isEmpty { tombstones = [:] }
  }

  private static let keptCapacity = 1_000

  /// Takes back the transaction, with the strings that it has added.
  func rollBack() {
    forget()
    (strings, stringsVersion) = ([:], nil)
  }

  /// Ends the committed transaction.
  @inline(__always)
  func commit() { stringsVersion = connection.dataVersion }

  // MARK: Writing

  /// Writes the noted changes as one transaction; nothing where there are none.
  func write(_ stamp: HistoryStamp) throws {
    defer { forget() }
    guard !changes.isEmpty else { return }
    precondition(connection.isInTransaction, "history is written by the transaction that has its rows")
    if forms.count > 1 { putInOrder() }
    if stringsVersion != connection.dataVersion { (strings, stringsVersion) = ([:], connection.dataVersion) }
    precondition(!forms.isEmpty, "each change has a form")
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
    if try isAppended() {
      try appendChanges(transaction)
    } else {
      try write(changes.indices, transaction, insertKeyed())
    }
    for (index, values) in tombstones { try write(values, at: firstKey + Int64(index)) }
  }

  /// Puts inserts first and deletes last, and those of one form beside each other.
  private func putInOrder() {
    var next = [Int](repeating: 0, count: forms.count)
    for change in changes { next[change.form] += 1 }
    var first = 0
    for form in forms.indices.sorted(by: { (forms[$0].kind.rawValue, $0) < (forms[$1].kind.rawValue, $1) }) {
      (next[form], first) = (first, first + next[form])
    }
    precondition(first == changes.count, "each change has a place of its own")
    let (old, kept) = (changes, tombstones)
    if !kept.isEmpty { tombstones = [:] }
    for (index, change) in old.enumerated() {
      changes[next[change.form]] = change
      if let values = kept[index] { tombstones[next[change.form]] = values }
      next[change.form] += 1
    }
  }

  /// Writes the changes of a form by one statement; where they are few, with those of the forms that follow.
  private func appendChanges(_ transaction: Int64) throws {
    var start = 0
    while start < changes.count {
      var (end, isEven) = stretch(from: start)
      while !isEven, end < changes.count, case let next = stretch(from: end), !next.isEven { end = next.end }
      let statement = try isEven ? appendEven() : append()
      if isEven {
        let form = forms[changes[start].form]
        statement.bind(form.kind.rawValue, at: 2)
        statement.bind(Int64(form.entity), at: 3)
        if let columns = form.columns {
          columns.withUnsafeBytes { statement.bind($0, at: 4) }
        } else {
          statement.bindNull(at: 4)
        }
      }
      try write(start..<end, transaction, statement)
      start = end
    }
  }

  /// The end of the changes that follow each other in one form, and whether they get a statement of their own.
  private func stretch(from start: Int) -> (end: Int, isEven: Bool) {
    precondition(changes.indices.contains(start), "a stretch begins with a change")
    var end = start + 1
    while end < changes.count, changes[end].form == changes[start].form { end += 1 }
    return (end, end - start >= Self.fewestEven)
  }

  private func write(_ range: Range<Int>, _ transaction: Int64, _ statement: Statement) throws {
    precondition(0 <= range.lowerBound && range.upperBound <= changes.count, "what is written is among the changes")
    (position, end) = (range.lowerBound - 1, range.upperBound)
    statement.bind(transaction, at: 1)
    try statement.run()
  }

  /// Takes numbers of a table; the last of them.
  private func raise(_ table: HistorySchema.Table, by count: Int64) throws -> Int64 {
    precondition(count > 0, "numbers are given to something")
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
    let bytes = Array(text.utf8)
    if let known = strings[bytes] { return known }
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
    strings[bytes] = number
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
    return position < end
  }

  package func write(column: Int, to value: FeedValue) {
    switch column {
    case 0: value.set(changes[position].primaryKey)
    case 1: value.set(forms[changes[position].form].kind.rawValue)
    case 2: value.set(Int64(forms[changes[position].form].entity))
    case 3: forms[changes[position].form].columns?.withUnsafeBytes { value.set($0) }
    default: value.set(firstKey + Int64(position))
    }
  }
}

extension Row {
  /// The number of the entity of a to-one relationship's object; 0 where there is none.
  fileprivate func entityNumber(at index: Int) -> UInt16 {
    if case .reference(let reference) = self[index] { reference.entity } else { 0 }
  }
}
