import SQLite

/// Writes the new rows of one entity with one statement, which takes them from a feed.
///
/// Only used in the writer's turn.
final class EntityInsert: RowSource {
  private var statement: Statement!
  private let bindings: UnsafeMutableBufferPointer<ColumnBinding>
  private let cache: RowCache
  private let tag: StoreTag
  /// What is to be written; alive as long as the save that wants it.
  private var pending: ContiguousArray<Unmanaged<NSManagedObject>> = []
  private var position = -1

  /// - Parameter columns: those that are written, but for key, entity and version.
  init(
    _ entity: EntityLayout, table: TableSchema, columns: [Column], cache: RowCache, crossing: StoreCrossing,
    connection: Connection
  ) throws {
    self.cache = cache
    tag = crossing.tag
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

  var isEmpty: Bool { pending.isEmpty }

  func add(_ object: NSManagedObject) { pending.append(.passUnretained(object)) }

  /// Writes what was added.
  func run() throws {
    position = -1
    try statement.run()
  }

  func dropPending() { pending = [] }

  // MARK: RowSource

  func next() -> Bool {
    position += 1
    return position < pending.count
  }

  func write(column: Int, to value: FeedValue) {
    pending[position]._withUnsafeGuaranteedRef { object in
      switch column {
      case 0: value.set(tag.primaryKey(object.permanentKey))
      case 1: value.set(cache.insertVersion(object))
      default:
        guard let row = object.values else { preconditionFailure("an object to be written is realised") }
        Unmanaged.passUnretained(row)._withUnsafeGuaranteedRef { row in
          row.withUnsafeMutablePointerToElements { bindings[column - 2].write($0, of: object, to: value) }
        }
      }
    }
  }
}
