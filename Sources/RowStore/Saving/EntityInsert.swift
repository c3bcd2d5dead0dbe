import SQLite

/// Writes the new rows of one entity with one statement, which takes them from a feed.
///
/// Only used in the writer's turn.
package final class EntityInsert: RowSource {
  private var statement: Statement!
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
  /// While the statement runs: what it writes.
  @exclusivity(unchecked)
  private var written: (rows: UnsafeBufferPointer<Pending>, keys: UnsafePointer<KeyTable>)?
  @exclusivity(unchecked)
  private var position = -1
  /// The row at that position, and its values: in place, and kept by the plan.
  @exclusivity(unchecked)
  private var current: (insert: Pending, slots: UnsafePointer<Slot>)?

  /// - Parameter columns: those that are written, but for key, entity and version.
  package init(
    _ entity: EntityLayout, table: TableSchema, columns: [Column], crossing: StoreCrossing, connection: Connection
  ) throws {
    bindings = .allocate(capacity: columns.count)
    _ = bindings.initialize(from: columns.map { ColumnBinding($0, crossing) })
    let feed = "feed_\(entity.number)"
    let names = columns.map { ", \($0.name)" }.joined()
    let values = columns.indices.map { ", c\($0 + 2)" }.joined()
    // With OR FAIL nothing is kept for undoing the statement alone: a save that fails is taken back as a whole.
    let sql =
      "INSERT OR FAIL INTO \(table.name)(Z_PK, Z_ENT, Z_OPT\(names)) SELECT c0, \(entity.number), c1\(values) FROM \(feed)"
    try connection.addFeed(feed, columnCount: columns.count + 2, from: self)
    statement = try connection.prepare(sql)
  }

  deinit { bindings.deallocate() }

  package var isEmpty: Bool { pending.isEmpty }

  package func add(_ insert: UnsafePointer<SavePlan.Insert>, primaryKey: Int64) {
    pending.append(
      Pending(
        row: .passUnretained(insert.pointee.row), key: insert.pointee.key, primaryKey: primaryKey,
        version: insert.pointee.version))
  }

  /// Writes what was added; `keys` are those that the plan's objects get.
  package func run(_ keys: KeyTable) throws {
    precondition(written == nil, "a feed is read by one statement at a time")
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

  func dropPending() { pending = [] }

  // MARK: RowSource

  package func next() -> Bool {
    position += 1
    guard let rows = written?.rows, position < rows.count else { return false }
    let insert = rows[position]
    current = (insert, insert.row._withUnsafeGuaranteedRef { $0.slots })
    return true
  }

  package func write(column: Int, to value: FeedValue) {
    guard let (insert, slots) = current, let keys = written?.keys else { return }
    switch column {
    case 0: value.set(insert.primaryKey)
    case 1: value.set(insert.version)
    default:
      (bindings.baseAddress! + column - 2).pointee.write(slots, of: insert.row, owner: insert.key, keys, to: value)
    }
  }
}
