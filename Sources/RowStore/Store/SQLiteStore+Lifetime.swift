import Foundation
import SQLite
import Scheduling

// From opening to closing: which store the file is, and whether it is open.

extension SQLiteStore {
  /// Begins a transaction that writes; in the writer's turn.
  ///
  /// - Throws: also when the file was destroyed, or replaced by another store, since this one was opened.
  func beginWriting() throws {
    precondition(writer.isHeld, "a store is written by whoever has its writer")
    guard !isClosed else { throw SQLiteError(code: .misuse, message: "the store is closed") }
    // Snapshots of idle connections would keep the log's pages.
    releaseSnapshots()
    try statements.begin.run()
    do {
      if !place.isMemory, connection.hasMoved { throw place.isAnother }
      if connection.hasLostLog { throw place.hasLostLog }
      try verifyIdentity(connection)
    } catch {
      rollBack()
      throw error
    }
  }

  /// Has reads that begin from now on carried out in `other`, the same store at another place; in the writer's turn.
  package func continueReading(in other: SQLiteStore) {
    precondition(other.identity === identity, "another place has the same store")
    readers.continueReading(in: other.readers)
    if let folder = files.folder, let otherFolder = other.files.folder { folder.continueReading(in: otherFolder) }
  }

  /// Commits the writes.
  func commitWriting() throws {
    try statements.commit.run()
    // No other connection has written since the transaction began.
    connection.verifiedVersion = connection.dataVersion
    history?.commit()
    StoreWatch.noteCommit(place.path)
  }

  /// Calls `onChange` after commits to the file, of whatever process, until the store is closed; see ``StoreWatch``.
  package func watch(onChange: @escaping @Sendable () -> Void) throws {
    guard !place.isMemory else { return }
    let connection = try ConnectionConfiguration(options).connection(place.path, .readOnly)
    // A store that is written without a history may have the tables of one from before.
    let hasHistory = try history != nil || options.isReadOnly && HistorySchema.exists(connection)
    let watch = try StoreWatch(place.path, connection, hasHistory: hasHistory, onChange: onChange)
    changeWatch.withLock { $0 = watch }
  }

  /// The store as it is now, for reading, whatever is written later: a read transaction that is held until it is closed.
  ///
  /// - Throws: 134091 for a store that has no write-ahead log, in which a reader would keep writers away; also where the file
  ///   is another store's by now.
  package func currentState(
    model: any StoredModel, layout: ModelLayout, writer: SerialQueue
  ) throws -> SQLiteStore {
    try requireStates()
    var options = options.dictionary ?? [:]
    options[StoreOptions.Key.readOnly] = true
    options[StoreOptions.Key.remoteChange] = nil
    // Taken before the state begins: files given up after it stay as long as it does.
    let reads = schema.hasExternal ? files.folder?.reads : nil
    let state = try SQLiteStore(
      type: type, url: URL(fileURLWithPath: place.path), model: model, layout: layout,
      members: takesEveryEntity ? nil : schema.entities.filter(takes), options: StoreOptions(options), writer: writer,
      known: RowCache(identity: identity), isState: true)
    guard state.identity === identity else {
      cache.lose()
      throw failure(
        CocoaError.Code.fileReadUnknown.rawValue, "The store \(place.label) could not be read", place.isAnother)
    }
    state.keptReads.withLock { $0 = reads }
    return state
  }

  /// - Throws: as ``currentState(model:layout:writer:)``.
  package func requireStates() throws {
    guard place.isMemory || sharesConnection else { return }
    throw NSError.coreData(
      StoreErrorCode.unsupportedRequest,
      "The store \(place.label) has no query generations: they need a file with a write-ahead log.")
  }

  /// Checks that the file is still this store's, if it was changed since this connection checked last, and notes such a change.
  ///
  /// - Throws: when the file was given another store since this one was opened, or none.
  func verifyIdentity(_ connection: Connection) throws {
    guard !place.isMemory else { return }
    let version = connection.dataVersion
    guard version != connection.verifiedVersion else { return }
    cache.noteSighting()
    guard try StoreMetadata.uuid(connection) == identity.uuid else {
      cache.lose()
      throw place.isAnother
    }
    connection.verifiedVersion = version
  }
}

extension StorePlace {
  /// Why nothing is read or written any more: keys and versions of one store mean nothing in another.
  fileprivate var isAnother: SQLiteError {
    SQLiteError(
      code: .schema,
      message:
        "the store was destroyed, or replaced by another, since it was opened; remove it from the coordinator and add "
        + "it again")
  }

  /// Why nothing is written any more: the rows would be in a file without a name.
  fileprivate var hasLostLog: SQLiteError {
    SQLiteError(
      code: .schema,
      message:
        "the store's write-ahead log was removed, or replaced by another, since it was opened, by hand or by another copy "
        + "of SQLite in this process; remove the store from the coordinator and add it again")
  }
}
