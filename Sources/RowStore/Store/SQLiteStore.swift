import Foundation
import SQLite
import Scheduling

/// A store in one SQLite database: one writer connection, readers, and a cache of rows.
///
/// A file is in WAL mode and has a pool of readers, so that a reader is never blocked by the writer; a database in memory
/// has one connection, used by one thread at a time. Thread-safe.
package final class SQLiteStore: @unchecked Sendable {
  // Sendable: the writer's connection is only used in the writer's turn, a reader's by the one that took it from the pool.

  package let type: String
  package let place: StorePlace
  package private(set) var options: StoreOptions
  package let schema: StoreSchema
  package let identity: StoreIdentity
  /// The part of its objects' keys above the primary keys.
  package let tag: StoreTag
  package let crossing: CrossStoreCheck
  package let cache: RowCache
  /// The turn to write: first come, first served, and seen by the wait-for graph.
  package let writer: SerialQueue
  private let storedMetadata: Locked<StoreMetadata.Values>

  package let connection: Connection
  /// Statements of the writer; only in its turn.
  let statements: WriterStatements
  let readers: ReaderPool
  /// Whether readers use the writer's connection.
  let sharesConnection: Bool
  private let isState: Bool
  /// Notices commits by others; nil where that is not wanted.
  let changeWatch = Locked<StoreWatch?>(nil)
  /// Keeps the files of large values that a state may still meet, as long as the state lives.
  let keptReads = Locked<HeldFiles?>(nil)
  /// A copy of a file that cannot be read where it is; nil for all others.
  private var quiet: ReadOnlySnapshot?
  /// By the number of the root entity.
  let readersByRoot: [Int: RowReader]
  /// New values of derived attributes in the save under way.
  let derivedValues = DerivedValues()
  /// The files of large values that the save under way writes and gives up.
  package let files: FileChanges
  /// Puts each change into the history; nil for a store without one, and one that is only read.
  let history: HistoryWriter?

  /// Goes last, after every connection.
  private var traces: ReadTraces?
  /// Whether connections are closed; only in the writer's turn.
  private(set) var isClosed = false

  /// Opens the database, or makes an empty store in it.
  ///
  /// - Parameters:
  ///   - members: the entities of a configuration; all of the model with nil.
  ///   - writer: the turn to write, of the coordinator.
  ///   - isState: whether only the state of this moment is read, in one transaction.
  ///   - source: a store with the objects that a new one begins with; its UUID is another one.
  ///   - known: the rows of the same store at another place; used when the UUID is the same.
  /// - Throws: 134000 for a type there is none of, 256 when the file cannot be opened, 512 without its folder, 259 when it is no store, 134100
  ///   when its entities are not the model's.
  package init(
    type: String, url: URL?, model: any StoredModel, layout: ModelLayout, members: [EntityLayout]? = nil,
    options: StoreOptions, writer: SerialQueue, known: RowCache? = nil, copying source: Connection? = nil,
    isState: Bool = false
  ) throws {
    self.type = type
    self.isState = isState
    self.options = options
    self.writer = writer
    place = try StorePlace(type: type, url: url)
    let path = place.path
    do {
      let configuration = try ConnectionConfiguration(options)
      let isWritten = place.isMemory || !options.isReadOnly
      traces = isWritten ? nil : ReadTraces(path)
      let quiet = isWritten ? nil : try Self.quietFile(path, configuration)
      self.quiet = quiet
      let readPath = quiet?.path ?? path
      let isOwn = isWritten && source == nil
      let file = isOwn ? try StoreImage.write(to: place, type, options, model, layout, members) : nil
      let connection = try configuration.connection(readPath, isWritten ? .readWriteCreate : .readOnly)
      let made =
        try file
        ?? (isOwn ? StoreImage.write(to: place, memory: connection, type, options, model, layout, members) : nil)
      let found = made ?? (source == nil ? StoreFinding.known(to: connection, layout, members) : nil)
      let isNew = try found == nil && StoreMetadata.isEmpty(connection)
      if isNew, isWritten { try configuration.prepareNewFile(connection) }
      try configuration.apply(to: connection)
      if isNew {
        guard isWritten else {
          throw NSError.coreData(
            StoreErrorCode.open, "\(path) has no store in it, and is opened only for reading.")
        }
        if let source {
          try connection.copy(from: source)
          try StoreMetadata.renew(connection, type: type)
        }
      } else if source != nil {
        throw place.isTaken
      }
      let metadata: [String: Any]
      if let found {
        (schema, metadata) = found
      } else {
        let hasTables = !isNew || source != nil
        schema = StoreSchema(layout, members: members, file: hasTables ? try FileNames(connection) : FileNames())
        if !hasTables { try StoreMetadata.create(connection, type: type, schema: schema, model: model) }
        try Self.requireInside(schema)
        metadata = try StoreMetadata.verify(connection, schema: schema, model: model, path: path)
      }
      files = FileChanges(
        place.isMemory || !schema.hasExternal ? nil : path, isDurable: configuration.isDurable)
      let external = files.folder
      if isWritten, options.isOn(StoreOptions.Key.vacuum) { try connection.execute("VACUUM") }
      if isWritten, options.isOn(StoreOptions.Key.analyze) { try connection.execute("ANALYZE") }
      storedMetadata = Locked(StoreMetadata.Values(metadata))
      guard let uuid = metadata[StoreKeys.uuid] as? String, !uuid.isEmpty else {
        throw NSError.coreData(
          CocoaError.Code.fileReadCorruptFile.rawValue, "\(path) has no store UUID in its table Z_METADATA.")
      }
      cache =
        known.flatMap { $0.identity.uuid == uuid ? $0 : nil }
        ?? RowCache(identity: StoreIdentity(uuid: uuid, model: model))
      identity = cache.identity
      let tag = identity.tag
      self.tag = tag
      crossing = CrossStoreCheck(tag)
      readersByRoot = schema.tables.mapValues { RowReader($0, tag, external: external) }
      self.connection = connection
      statements = try WriterStatements(connection: connection, schema: schema, crossing: crossing)
      history = isWritten ? try Self.history(connection, schema, &self.options, isNew: made != nil) : nil
      if found == nil { StoreFinding.note(connection, schema, members, metadata) }
      // Without a WAL a reader of its own would wait for this writer's lock inside a save, and keep it from committing.
      sharesConnection =
        try isState || isWritten && (place.isMemory || connection.string("PRAGMA journal_mode") != "wal")
      if isState {
        try connection.execute("BEGIN")
        _ = try StoreMetadata.uuid(connection)
      }
      readers =
        sharesConnection
        ? ReaderPool(sharing: connection, turn: writer) : ReaderPool(path: readPath, configuration: configuration)
      if isWritten { try prepareDerived() }
      if schema.hasExternal { prepareFiles() }
      if !place.isMemory, isWritten { connection.noteLog() }
      StoreFaults.attach(to: connection)
    } catch let error as SQLiteError {
      throw Self.openFailure(path, error)
    }
  }

  /// - Throws: 134080 where a relationship leads out of the store.
  private static func requireInside(_ schema: StoreSchema) throws {
    guard let outside = schema.relationshipOutside else { return }
    throw NSError.coreData(
      StoreErrorCode.open,
      "The configuration has \(outside.owner.name), and not the \(outside.relation.destination.name) that its "
        + "relationship \(outside.name) leads to; put both into it, since relationships stay within one store.")
  }

  /// The file as it can be read where SQLite can put nothing beside it, as in a folder that is only read; nil where it
  /// can be read as it is.
  private static func quietFile(_ path: String, _ configuration: ConnectionConfiguration) throws -> ReadOnlySnapshot? {
    try ReadOnlySnapshot.unless(path) {
      _ = try StoreMetadata.isEmpty(configuration.connection(path, .readOnly))
    }
  }

  /// Closes the file, in the writer's turn: at once, except connections that are reading, which are closed when they come back.
  /// The file's log is written into the file as far as no reader needs it.
  ///
  /// - Throws: 132001 inside a save, a batch request, or a read through the writer's connection.
  package func close() throws {
    guard !isClosed else { return }
    if isState, !connection.isRunning { try? connection.execute("COMMIT") }
    guard !connection.isInTransaction, !connection.isRunning else { throw isInUse }
    isClosed = true
    changeWatch.withLock { $0 }?.close()
    releaseSnapshots()
    if !place.isMemory, !options.isReadOnly {
      if connection.hasOtherLog {
        // Its owner has the file now.
        connection.keepLogOnClose()
      } else {
        // SQLite does it itself only for the last connection of all; others in the way are not waited for.
        connection.setBusyTimeout(milliseconds: 0)
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
    readers.close(keeping: quiet, traces)
    connection.close()
    quiet = nil
    traces = nil
  }

  /// Why a file could not be opened: 259 when it is no database or a broken one, 512 without its folder, else 256.
  package static func openFailure(_ path: String, _ error: SQLiteError) -> NSError {
    let isLost = !FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent)
    let code: CocoaError.Code =
      switch error.code.primary {
      case .notADatabase, .corrupt: .fileReadCorruptFile
      case .cannotOpen where isLost: .fileWriteUnknown
      default: .fileReadUnknown
      }
    return NSError.coreData(
      code.rawValue, "The store \(path) could not be opened: \(error.reason).", underlying: error,
      userInfo: [StoreErrorKey.sqliteDomain: Int(error.code.primary.rawValue), NSFilePathErrorKey: path])
  }

  /// Statements that contexts' reads have used so far.
  package var readStatements: Int { readers.statements }

  /// Whether objects of every entity of the model can be in the store.
  package var takesEveryEntity: Bool { schema.takesEveryEntity }

  /// Whether objects of that entity can be in the store.
  package func takes(_ entity: EntityLayout) -> Bool { schema.takes(entity) }

  /// Whether the store has a table for that entity.
  package func hasTable(_ entity: EntityLayout) -> Bool { schema.tables[entity.rootNumber] != nil }

  /// Runs `body` with a connection for reading, and the read's start for the row cache.
  ///
  /// - Parameters:
  ///   - isOneOfMany: whether reads by the same thread follow, until ``releaseSnapshots()``: they may share a snapshot, which
  ///     is given up as soon as any connection has committed.
  ///   - start: nil inside a save of a store in memory, where rows may be read that are taken back.
  package func reading<Result>(
    isOneOfMany: Bool = false, _ body: (Connection, _ start: RowCache.ReadStart?) throws -> Result
  ) throws -> Result {
    let reads = schema.hasExternal ? files.folder?.reads : nil
    defer { withExtendedLifetime(reads) {} }
    do {
      return try readers.withConnection(isOneOfMany: isOneOfMany, cache: cache) { connection, start in
        let result = try body(connection, start)
        try verifyIdentity(connection)
        return result
      }
    } catch let error as SQLiteError {
      throw failure(CocoaError.Code.fileReadUnknown.rawValue, "The store \(place.label) could not be read", error)
    }
  }

  /// Ends the transactions kept open for reads one after the other. Any thread.
  package func releaseSnapshots() { readers.releaseSnapshots() }

  /// An error that has SQLite's beneath, and its code under `NSSQLiteErrorDomain`.
  package func failure(_ code: Int, _ sentence: String, _ error: SQLiteError) -> NSError {
    NSError.coreData(
      code, "\(sentence): \(error.reason).", underlying: error,
      userInfo: [StoreErrorKey.sqliteDomain: Int(error.code.primary.rawValue), NSFilePathErrorKey: place.path])
  }

  // MARK: Metadata

  /// The store's metadata, with the changes not yet written.
  package var metadata: [String: Any] { storedMetadata.withLock { $0.values } }

  /// Changes the store's metadata; the next save writes them. UUID and type stay, and so do the versions of the model where
  /// `new` names none.
  package func setMetadata(_ new: [String: Any]) {
    writer.sync { storedMetadata.withLock { $0.set(new) } }
  }

  /// Gives this store, which is a copy that is not in use yet, the metadata of the other that are in no file.
  package func copyUnsavedMetadata(of other: SQLiteStore) {
    let (values, isChanged) = other.storedMetadata.withLock { ($0.values, $0.isChanged) }
    if isChanged { storedMetadata.withLock { $0.set(values) } }
  }

  /// Whether metadata were set that the file does not have yet.
  package var hasUnsavedMetadata: Bool { storedMetadata.withLock { $0.isChanged } && !options.isReadOnly }

  /// Writes the metadata set since the last save, in a transaction of their own; in the writer's turn.
  package func saveMetadata() throws {
    try requireNoTransaction()
    let plist = try changedMetadata()
    do {
      try beginWriting()
      if let plist { try StoreMetadata.write(connection, plist) }
      try commitWriting()
    } catch let error as SQLiteError {
      rollBack()
      throw failure(StoreErrorCode.save, "The store \(place.label) could not be written", error)
    }
    markMetadataWritten()
  }

  /// Makes the last writes of a transaction, before it is committed.
  package func prepareCommit() throws {
    if let plist = try changedMetadata() { try StoreMetadata.write(connection, plist) }
    try files.sync()
  }

  /// - Throws: 134030 where they are no property list.
  private func changedMetadata() throws -> Data? { try storedMetadata.withLock { try $0.changedPlist } }

  /// Notes that the metadata were committed.
  func markMetadataWritten() { storedMetadata.withLock { $0.isChanged = false } }

  // MARK: Keys

  /// Permanent keys that no other object gets, one for each layout; in a transaction of their own.
  package func allotKeys(_ layouts: [Unmanaged<EntityLayout>]) throws -> ContiguousArray<Int64> {
    try writer.sync {
      try requireNoTransaction()
      do {
        try beginWriting()
        let roots = layouts.map { $0._withUnsafeGuaranteedRef { $0.rootNumber } }
        // By the number of the root entity.
        var counts = [Int](repeating: 0, count: schema.model.entities.count + 1)
        for root in roots { counts[root] += 1 }
        var next = [Int64](repeating: 0, count: counts.count)
        for table in schema.orderedTables where counts[table.root.number] > 0 {
          next[table.root.number] = try allot(counts[table.root.number], root: table.root)
        }
        precondition(next.count == counts.count, "each family has its table in the store that gives the keys")
        try commitWriting()
        return ContiguousArray(
          roots.map { root in
            defer { next[root] += 1 }
            return next[root]
          })
      } catch let error as SQLiteError {
        rollBack()
        throw failure(StoreErrorCode.save, "No permanent IDs could be obtained", error)
      }
    }
  }

  package func rollBack() {
    files.undo()
    history?.rollBack()
    guard connection.isInTransaction else { return }
    do {
      try connection.execute("ROLLBACK")
    } catch {
      // A rollback only fails when SQLite has rolled back already.
      precondition(!connection.isInTransaction, "a transaction that failed is rolled back")
    }
  }
}
