import SQLite
import Scheduling

/// A store in one SQLite file: one writer connection, a pool of readers beside it, and a cache of rows.
///
/// WAL mode: a reader is never blocked by the writer. Thread-safe.
final class SQLiteStore: @unchecked Sendable {
  // Sendable: the writer's connection is only used in the writer's turn, a reader's by whoever took it from the pool.

  let url: URL
  let options: StoreOptions
  let schema: StoreSchema
  let identity: StoreIdentity
  let cache: RowCache
  /// The turn to write: first come, first served, and seen by the wait-for graph.
  let writer: SerialQueue
  let metadata: [String: Any]

  let connection: Connection
  /// Statements of the writer; only in its turn.
  let statements: WriterStatements
  private let readers: ReaderPool
  /// By the number of the root entity.
  let readersByRoot: [Int: RowReader]

  /// Opens the file, or makes an empty store in it.
  ///
  /// - Throws: 134080 when the file cannot be opened, 259 when it is no store, 134100 when its entities are not the
  ///   model's.
  init(url: URL, model: NSManagedObjectModel, layout: ModelLayout, options: StoreOptions) throws {
    self.url = url
    self.options = options
    schema = StoreSchema(layout)
    readersByRoot = schema.tables.mapValues(RowReader.init)
    writer = SerialQueue(label: "writer of \(url.lastPathComponent)")
    let path = url.path
    do {
      let configuration = try ConnectionConfiguration(options)
      let connection = try Connection(path: path, mode: options.isReadOnly ? .readOnly : .readWriteCreate)
      let isNew = try connection.int64("SELECT count(*) FROM sqlite_master") == 0
      if isNew, !options.isReadOnly { try configuration.prepareNewFile(connection) }
      try configuration.apply(to: connection)
      if isNew {
        guard !options.isReadOnly else {
          throw NSError.coreData(
            NSPersistentStoreOpenError, "\(path) has no store in it, and is opened only for reading.")
        }
        try StoreMetadata.create(connection, schema: schema, model: model)
      }
      try StoreMetadata.verify(connection, schema: schema, path: path)
      metadata = try StoreMetadata.read(connection)
      let uuid = metadata[NSStoreUUIDKey] as? String ?? ""
      identity = StoreIdentity(uuid: uuid, model: model)
      cache = RowCache(identity: identity)
      self.connection = connection
      statements = try WriterStatements(connection: connection, schema: schema)
      readers = ReaderPool(path: path, configuration: configuration)
    } catch let error as SQLiteError {
      let code =
        error.code.primary == .notADatabase || error.code.primary == .corrupt
        ? CocoaError.Code.fileReadCorruptFile.rawValue : NSPersistentStoreOpenError
      throw NSError.coreData(code, "The store \(path) could not be opened: \(error.message).", underlying: error)
    }
  }

  /// Runs `body` with a connection of its own for reading, and what the row cache wants to know of the read.
  func reading<Result>(_ body: (Connection, _ start: UInt64) throws -> Result) throws -> Result {
    do {
      return try readers.withConnection { connection in
        try cache.reading { try body(connection, $0) }
      }
    } catch let error as SQLiteError {
      throw NSError.coreData(
        NSPersistentStoreOpenError, "The store could not be read: \(error.message).", underlying: error)
    }
  }

  // MARK: Keys

  /// Permanent keys that no other object gets, one for each layout; in a transaction of their own.
  func allotKeys(_ layouts: [EntityLayout]) throws -> [Int64] {
    try writer.sync {
      do {
        try connection.execute("BEGIN IMMEDIATE")
        var keys: [Int64] = []
        for layout in layouts { keys.append(try statements.allot(1, root: layout.root)) }
        try connection.execute("COMMIT")
        return keys
      } catch let error as SQLiteError {
        rollBack()
        throw NSError.coreData(
          NSPersistentStoreSaveError, "No permanent IDs could be obtained: \(error.message).", underlying: error)
      }
    }
  }

  func rollBack() {
    guard connection.isInTransaction else { return }
    do {
      try connection.execute("ROLLBACK")
    } catch {
      // A rollback only fails when SQLite has rolled back already.
      precondition(!connection.isInTransaction, "a transaction that failed is rolled back")
    }
  }
}
