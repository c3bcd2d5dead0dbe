import CRuntime
import SQLite

/// Writes the new rows of one entity with one statement, which takes them from a feed.
///
/// Only used in the writer's turn.
package final class EntityInsert: RowSource {
  /// Rows that are appended, at least: looking where the table ends costs as much as it saves of some rows.
  private static let fewestAppended = 16
  /// The version of a row that never was in the store.
  private static let firstVersion: Int64 = 1

  /// Its owner's.
  private unowned(unsafe) let connection: Connection
  private let table: String
  /// Whether the table's key is SQLite's rowid, as in every table that the stack or Apple's made; nil before it was asked.
  private var hasRowIDs: Bool?
  private let insertKeyed: LateStatement
  private let append: LateStatement
  private let bindings: UnsafeMutableBufferPointer<ColumnBinding>
  /// A row to be written; alive as long as the plan that has it.
  private struct Pending {
    package let row: Unmanaged<Row>
    /// As the plan has it, perhaps temporary.
    package let key: Int64
    package let primaryKey: Int64
    package let version: Int64
  }

  // Not checked for exclusivity at run time: SQLite calls back while the statement runs, and nothing is changed then but
  // the position.
  @exclusivity(unchecked)
  private var pending: ContiguousArray<Pending> = []
  /// While the statement runs: the rows that it writes.
  @exclusivity(unchecked)
  private var written: (rows: UnsafeBufferPointer<Pending>, keys: UnsafePointer<KeyTable>)?
  @exclusivity(unchecked)
  private var position = -1
  /// The row at that position, and its values: in place, and kept by the plan.
  @exclusivity(unchecked)
  private var current: (insert: Pending, values: RowValues)?

  /// - Parameter columns: those that are written, but for key, entity and version.
  package init(
    _ entity: EntityLayout, table: TableSchema, columns: [Column], crossing: CrossStoreCheck, connection: Connection
  ) throws {
    bindings = .allocate(capacity: columns.count)
    _ = bindings.initialize(from: columns.map { ColumnBinding($0, crossing) })
    self.connection = connection
    let feed = "feed_\(entity.number)"
    let names = columns.map { ", \($0.name)" }.joined()
    let values = columns.indices.map { ", c\($0 + 2)" }.joined()
    // With OR FAIL nothing is kept for undoing the statement alone: a save that fails is taken back as a whole.
    let insert = "INSERT OR FAIL INTO \(table.name)"
    insertKeyed = LateStatement(
      "\(insert)(Z_PK, Z_ENT, Z_OPT\(names)) SELECT c0, \(entity.number), c1\(values) FROM \(feed)", connection)
    append = LateStatement(
      "\(insert)(Z_ENT, Z_OPT\(names)) SELECT \(entity.number), \(Self.firstVersion)\(values) FROM \(feed)", connection)
    self.table = table.name
    try connection.addFeed(feed, columnCount: columns.count + 2, from: self)
  }

  deinit { bindings.deallocate() }

  package var isEmpty: Bool { pending.isEmpty }

  package func add(_ insert: UnsafePointer<SavePlan.Insert>, primaryKey: Int64) {
    pending.append(
      Pending(
        row: .passUnretained(insert.pointee.row), key: insert.pointee.key, primaryKey: primaryKey,
        version: insert.pointee.version))
  }

  /// Writes the added rows; `keys` are those that the plan's objects get.
  package func run(_ keys: KeyTable) throws {
    precondition(written == nil, "a feed is read by one statement at a time")
    precondition(!pending.isEmpty, "a statement inserts at least one row")
    let statement = try isAppended() ? append() : insertKeyed()
    position = -1
    // Through pointers, since each value that SQLite asks for would count references to both.
    try pending.withUnsafeBufferPointer { rows in
      try withUnsafePointer(to: keys) { keys in
        written = (rows, keys)
        defer { (written, current) = (nil, nil) }
        try statement.run()
      }
    }
  }

  /// Whether SQLite gives the rows the same keys by itself: those that follow the table's last. It neither looks for the
  /// place of each row then, nor asks for key and version.
  private func isAppended() throws -> Bool {
    guard pending.count >= Self.fewestAppended, let first = pending.first?.primaryKey else { return false }
    let isRun = pending.indices.allSatisfy {
      pending[$0].primaryKey == first + Int64($0) && pending[$0].version == Self.firstVersion
    }
    return try isRun && isKeyTheRowID() && lastKey() == first - 1
  }

  /// Else rows that are appended would have no key: another program may have made the table anew.
  private func isKeyTheRowID() throws -> Bool {
    if let hasRowIDs { return hasRowIDs }
    let statement = try connection.cachedForChecks(
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE name = 'Z_PK' AND pk > 0) "
        + "AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')")
    defer { statement.reset() }
    statement.bind(table, at: 1)
    let isRowID = try statement.step() && statement.int64(at: 0) == 1
    hasRowIDs = isRowID
    return isRowID
  }

  /// The highest key in the table; 0 without rows.
  private func lastKey() throws -> Int64 {
    let statement = try connection.cachedForChecks("SELECT max(Z_PK) FROM \(table)")
    defer { statement.reset() }
    return try statement.step() ? statement.int64(at: 0) : 0
  }

  func dropPending() { pending = [] }

  // MARK: RowSource

  package func next() -> Bool {
    position += 1
    guard let rows = written?.rows, position < rows.count else { return false }
    if position + 1 < rows.count { contextbench_prefetch(rows[position + 1].row.toOpaque(), 4) }
    let insert = rows[position]
    current = (insert, insert.row._withUnsafeGuaranteedRef { $0.values })
    return true
  }

  package func write(column: Int, to value: FeedValue) {
    guard let (insert, values) = current, let keys = written?.keys else { return }
    switch column {
    case 0: value.set(insert.primaryKey)
    case 1: value.set(insert.version)
    default:
      (bindings.baseAddress! + column - 2).pointee.write(values, of: insert.row, owner: insert.key, keys, to: value)
    }
  }
}
