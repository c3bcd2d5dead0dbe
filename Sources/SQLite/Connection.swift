import CSQLite

/// One connection to one database file.
///
/// The write-ahead log is kept short (``WriteAheadLog``). Not thread-safe: opened without SQLite's own mutexes, so its owner sees to it that one thread at a time uses it and
/// its statements.
package final class Connection {
  /// How a file is opened.
  package enum Mode: Sendable {
    /// Created when missing.
    case readWriteCreate
    case readWrite
    /// Neither the file nor its WAL is written.
    case readOnly
  }

  let database: DatabaseHandle
  /// Path as given.
  package let path: String
  /// Statements kept for reuse; the oldest goes for a new one.
  package static let cachedStatementsMax = 256
  @exclusivity(unchecked)
  private var cachedStatements: [String: Statement] = [:]
  @exclusivity(unchecked)
  private var numberedStatements: ContiguousArray<Statement?> = []
  /// Whether the database has its texts in UTF-8; nil until it is asked.
  private var isUTF8: Bool?
  /// Statements handed out by ``cached(_:)`` and ``cached(number:_:)`` so far.
  @exclusivity(unchecked)
  package private(set) final var statementsUsed = 0
  /// The keys of ``cachedStatements`` in a ring, the oldest at ``oldestCached`` once it is full.
  private var cachedSQL: [String] = []
  private var oldestCached = 0

  /// The registrations of ``registerLate(_:)`` that were not called yet.
  @exclusivity(unchecked)
  var lateFunctions: [(Connection) throws -> Void] = []

  /// Opens `path`; a path that starts with `file:` is a URI with SQLite's query parameters.
  ///
  /// - Parameter busyTimeoutMilliseconds: see ``setBusyTimeout(milliseconds:)``.
  /// - Throws: `SQLiteError`; a file that is not a database is found at the first statement, not here.
  package init(path: String, mode: Mode = .readWriteCreate, busyTimeoutMilliseconds: Int32 = 0) throws {
    let access: Int32 =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    self.path = path
    if let kept = KeptDatabases.reuse(path, access: access) {
      kept.reopen()
      database = kept
    } else {
      database = try Self.open(path, access)
    }
    setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
  }

  deinit {
    if database.isKept { close() }
  }

  private static func open(_ path: String, _ access: Int32) throws -> DatabaseHandle {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code: ResultCode(rawValue: code), message: "\(path): \(message)")
    }
    sqlite3_extended_result_codes(opened, 1)
    // A file may come from anywhere. The pragma sets a flag of the connection, and reads nothing.
    csqlite_distrust_schema(opened)
    sqlite3_exec(opened, "PRAGMA cell_size_check = ON", nil, nil, nil)
    return DatabaseHandle(opened, access: access, isKept: KeptDatabases.keeps(path))
  }

  /// Lets SQL write into SQLite's own tables; for damaging a file on purpose.
  package func allowSchemaWrites() { csqlite_set_defensive(openPointer, 0) }

  /// Closes the file; every call that needs it fails from now on, and statements must not be used any more.
  package func close() {
    // A connection that is kept goes to another owner, with its statements.
    releaseSnapshot()
    hold = nil
    canHold = false
    dropCachedStatements()
    database.close()
  }

  /// Whether a statement has begun and not ended.
  package var isRunning: Bool {
    var statement = database.isClosed ? nil : sqlite3_next_stmt(database.pointer, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 { return true }
      statement = sqlite3_next_stmt(database.pointer, current)
    }
    return false
  }

  /// Keeps a snapshot between reads; nil before the first is to be kept, and where none can be.
  @exclusivity(unchecked)
  private var hold: SnapshotHold?
  private var canHold = true

  /// Whether a snapshot is kept for the next read.
  package var holdsSnapshot: Bool { hold?.isHeld ?? false }

  /// Lets the next read and those after it share one snapshot, as long as no connection commits: ``SnapshotHold``.
  ///
  /// - Precondition: the connection only reads, and no statement of it is running.
  package func holdSnapshot() {
    if hold == nil, canHold {
      // A step that is to fail is one of a read's own.
      let faults = database.faults.take()
      defer { database.faults = faults }
      hold = try? SnapshotHold(self)
      canHold = hold != nil
    }
    hold?.acquire()
  }

  /// Gives up the snapshot that is kept if another connection has committed since; before each read.
  @inline(__always)
  package func renewSnapshot() { hold?.renew() }

  /// Gives up the snapshot that is kept.
  package func releaseSnapshot() { hold?.giveUp() }

  /// Runs `body` as one read, which should take one snapshot: ``ReadStart``.
  package func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
    precondition(database.readStarts == nil, "a look at the file is not inside another one")
    database.readStarts = 0
    defer { database.readStarts = nil }
    return try body()
  }

  /// SQLite's handle, for calls that cannot fail.
  private var openPointer: OpaquePointer {
    precondition(!database.isClosed, "a connection that is asked for its state is open")
    return database.pointer
  }

  func requireOpen(_ sql: String) throws {
    guard !database.isClosed else { throw SQLiteError(code: .misuse, message: "the connection is closed", sql: sql) }
  }

  /// Version of the SQLite library in use, such as `3.40.1`.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Bytes that SQLite holds for every connection and statement of the process.
  package static var memoryInUse: Int64 { sqlite3_memory_used() }

  /// Runs each statement of `sql` to its end, rows ignored.
  package func execute(_ sql: String) throws {
    if database.isKept, Self.repeated.contains(sql) { return try executeKept(sql) }
    try requireOpen(sql)
    try database.pass(sql)
    var code = sqlite3_exec(database.pointer, sql, nil, nil, nil)
    if code != SQLITE_OK, try registersMissing(code) { code = sqlite3_exec(database.pointer, sql, nil, nil, nil) }
    guard code == SQLITE_OK else { throw database.error(code, sql: sql) }
  }

  /// Compiles the first statement of `sql`.
  package func prepare(_ sql: String) throws -> Statement {
    try requireOpen(sql)
    let kept = database.keptStatements(sql)
    if let idle = kept?.idle.popLast() { return Statement(handle: idle, database: database, kept) }
    var compiled: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    var code = sqlite3_prepare_v3(database.pointer, sql, -1, flags, &compiled, nil)
    if code != SQLITE_OK, try registersMissing(code) {
      code = sqlite3_prepare_v3(database.pointer, sql, -1, flags, &compiled, nil)
    }
    guard code == SQLITE_OK else { throw database.error(code, sql: sql) }
    guard let compiled else { throw SQLiteError(code: .misuse, message: "there is no statement", sql: sql) }
    return Statement(handle: compiled, database: database, kept)
  }

  /// A compiled statement for `sql`, kept for the next time and handed out reset, every parameter NULL.
  ///
  /// - Precondition: its earlier user is done with it.
  package func cached(_ sql: String) throws -> Statement {
    statementsUsed += 1
    return try cachedForChecks(sql)
  }

  /// The same for statements of the stack's own, which are not counted.
  package func cachedForChecks(_ sql: String) throws -> Statement {
    if let statement = cachedStatements[sql] {
      statement.resetAndUnbind()
      return statement
    }
    let statement = try prepare(sql)
    keep(statement, sql)
    return statement
  }

  /// The same for a statement that is used again and again, by a number that nothing else has: it is found at once, and
  /// never goes for another. Its parameters are as they were.
  ///
  /// - Precondition: its earlier user has reset it, and small numbers are used.
  package func cached(number: Int, _ sql: @autoclosure () -> String) throws -> Statement {
    statementsUsed += 1
    if number < numberedStatements.count, let statement = numberedStatements[number] { return statement }
    while numberedStatements.count <= number { numberedStatements.append(nil) }
    let statement = try prepare(sql())
    numberedStatements[number] = statement
    return statement
  }

  /// A statement that finds rows by key, and continues where it was, as long as the snapshot is kept; nil where none is.
  ///
  /// - Parameters:
  ///   - number: small, and of nothing else.
  ///   - feed: names the table of keys that the statement selects from.
  package func keyedSelect(
    number: Int, feed: @autoclosure () -> String, _ sql: @autoclosure () -> String
  ) throws -> KeyedSelect? {
    guard let hold, hold.isHeld else { return nil }
    statementsUsed += 1
    return try hold.select(number) { try KeyedSelect(self, feed: feed(), sql()) }
  }

  private func keep(_ statement: Statement, _ sql: String) {
    precondition(
      cachedSQL.count == cachedStatements.count && cachedStatements[sql] == nil, "a kept statement is listed once")
    if cachedSQL.count < Self.cachedStatementsMax {
      cachedSQL.append(sql)
    } else {
      cachedStatements[cachedSQL[oldestCached]] = nil
      cachedSQL[oldestCached] = sql
      oldestCached = (oldestCached + 1) % Self.cachedStatementsMax
    }
    cachedStatements[sql] = statement
  }

  /// Drops every statement kept by ``cached(_:)`` and ``cached(number:_:)``.
  package func dropCachedStatements() {
    cachedStatements.removeAll()
    numberedStatements.removeAll()
    cachedSQL.removeAll()
    oldestCached = 0
  }

  /// The first column of the first row of `sql` as an integer; nil without a row.
  package func int64(_ sql: String) throws -> Int64? {
    let statement = try prepare(sql)
    precondition(statement.columnCount > 0, "a number is asked for by a statement that has a column")
    return try statement.step() ? statement.int64(at: 0) : nil
  }

  /// The first column of the first row of `sql` as text; nil without a row or for NULL.
  package func string(_ sql: String) throws -> String? {
    let statement = try prepare(sql)
    precondition(statement.columnCount > 0, "a text is asked for by a statement that has a column")
    return try statement.step() && !statement.isNull(at: 0) ? statement.string(at: 0) : nil
  }

  /// Whether a table's column has texts that SQLite compares by their bytes in UTF-8.
  package func comparesBytes(table: String, column: String) throws -> Bool {
    if isUTF8 == nil { isUTF8 = try string("PRAGMA encoding") == "UTF-8" }
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      database.pointer, "main", table, column, nil, &collation, nil, nil, nil)
    guard isUTF8 == true, code == SQLITE_OK, let collation else { return false }
    return strcmp(collation, "BINARY") == 0
  }

  /// Writes the changes of the open transaction to the file, or its WAL; the COMMIT then has little left to write.
  package func flush() throws {
    let code = sqlite3_db_cacheflush(openPointer)
    guard code == SQLITE_OK else { throw database.error(code, sql: "(flush)") }
  }

  /// Takes over everything that another connection's database has, in place of its own contents; under SQLite's locks.
  package func copy(from source: Connection) throws {
    precondition(source !== self && !source.database.isClosed, "a database is copied from another one, which is open")
    guard let backup = sqlite3_backup_init(openPointer, "main", source.database.pointer, "main") else {
      throw database.error(sqlite3_errcode(database.pointer), sql: "(copy)")
    }
    // All pages in one step; when another connection has a lock, SQLite waits for the busy time-out.
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    let code = stepped == SQLITE_DONE ? finished : stepped
    guard code == SQLITE_OK else {
      throw SQLiteError(code: ResultCode(rawValue: code), message: "\(source.path) could not be copied to \(path)")
    }
  }

  /// The bytes of the database's file, as the connection sees it.
  package var contents: [UInt8] {
    get throws {
      var count: sqlite3_int64 = 0
      guard let bytes = sqlite3_serialize(openPointer, "main", &count, 0) else {
        throw SQLiteError(code: ResultCode(rawValue: SQLITE_NOMEM), message: "\(path): the database cannot be copied")
      }
      defer { sqlite3_free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }

  /// Takes everything out of the database, also out of one that cannot be read; under SQLite's locks.
  package func emptyDatabase() throws {
    csqlite_set_reset_database(openPointer, 1)
    defer { csqlite_set_reset_database(database.pointer, 0) }
    try execute("VACUUM")
  }

  /// Makes a table `name` with columns `c0`, `c1`, … that statements of this connection can select from, once at a time.
  ///
  /// - Precondition: `source` lives as long as the statements that use the table.
  package func addFeed(_ name: String, columnCount: Int, from source: some RowSource) throws {
    precondition(columnCount > 0, "a feed has a column")
    let feed = SourcedFeed(columnCount: columnCount, source: source)
    if database.replace(name, by: feed) { return }
    let code = feed.register(name, in: database.pointer)
    guard code == SQLITE_OK else { throw database.error(code, sql: name) }
  }

  /// Sets how long a statement waits for another connection's lock before `SQLITE_BUSY`, in milliseconds.
  package func setBusyTimeout(milliseconds: Int32) {
    database.log.busyTimeoutMilliseconds = milliseconds
    BusyWait.setLimit(milliseconds, of: openPointer)
  }

  /// Tries `body` again while it fails with `SQLITE_BUSY`, for as long as statements wait for a lock: for steps at which SQLite
  /// does not wait by itself, such as the switch to WAL.
  package func retryingWhileBusy<Result>(_ body: () throws -> Result) throws -> Result {
    precondition(!isInTransaction, "what is tried again is a whole transaction, not a part of one")
    let end = SuspendingClock.now + .milliseconds(Int64(database.log.busyTimeoutMilliseconds))
    while true {
      do {
        return try body()
      } catch let error as SQLiteError where error.code.primary == .busy && SuspendingClock.now < end {
        if !BusyWait.wait() { sqlite3_sleep(Self.retryMilliseconds) }
      }
    }
  }

  private static let retryMilliseconds: Int32 = 1

  // MARK: The file's identity

  /// Changes with every commit to the file, by whatever connection or process, that this connection has seen: as of its
  /// latest transaction.
  ///
  /// - SeeAlso: SQLite, "SQLITE_FCNTL_DATA_VERSION".
  package var dataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(openPointer, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// The ``dataVersion`` at which the owner last checked which store the file is; nil before the first check.
  package var verifiedVersion: UInt32?

  /// Whether the file that is open is no longer the one at its path.
  ///
  /// - SeeAlso: SQLite, "SQLITE_FCNTL_HAS_MOVED".
  package var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(openPointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// The write-ahead log as it was when ``noteLog()`` looked; nil where there was none.
  private var notedLog: FileIdentity?

  /// Remembers which file has the write-ahead log, for ``hasLostLog``.
  package func noteLog() { notedLog = FileIdentity(path + "-wal") }

  /// Whether the log that is open is no longer the one at its path: later writes to it are in no file that others see, and gone
  /// when this process ends.
  package var hasLostLog: Bool { notedLog.map { FileIdentity(path + "-wal") != $0 } ?? false }

  /// Another log is at the path of the one that is open: this one's pages are not to be written into the file.
  package var hasOtherLog: Bool { hasLostLog && FileIdentity(path + "-wal") != nil }

  /// Has the file left as it is when it is closed, with the log beside it.
  package func keepLogOnClose() { csqlite_set_no_checkpoint_on_close(openPointer, 1) }

  /// Rows changed by the latest INSERT, UPDATE or DELETE.
  package var changedRows: Int { Int(sqlite3_changes64(database.pointer)) }

  /// Steps that fail although nothing is wrong with them, for tests.
  package var faults: FaultPlan? {
    get { database.faults }
    set { database.faults = newValue }
  }

  /// True between BEGIN and COMMIT or ROLLBACK.
  package var isInTransaction: Bool { !database.isClosed && sqlite3_get_autocommit(database.pointer) == 0 }
}
