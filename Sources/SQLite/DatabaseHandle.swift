import CSQLite

/// SQLite's own connection object, shared by a ``Connection`` and its statements and closed with the last of them.
final class DatabaseHandle {
  let pointer: OpaquePointer
  /// Whether the file is no longer open for its owner; statements are gone then.
  @exclusivity(unchecked)
  private(set) final var isClosed = false
  /// Raised with each owner's end: statements of one before are gone too.
  @exclusivity(unchecked)
  private(set) final var generation = 0
  /// How the file was opened.
  let access: Int32
  /// Whether the connection outlives its owners: ``KeptDatabases``.
  let isKept: Bool
  /// Of one that does: statements by their text, and objects that SQLite calls, by name.
  final var statements: [String: KeptStatements] = [:]
  final var registered: [String: any Replaceable] = [:]
  /// The pragmas of ``Connection/configure(_:)``, as run last.
  final var configuration: String?
  /// See ``RowCollector``; nil until rows are collected.
  @exclusivity(unchecked)
  final var collector: RowCollector?
  /// Whether the connection is no more.
  private var isGone = false
  /// The write-ahead log, as this connection keeps it short.
  let log = WriteAheadLog()
  /// Steps that are to fail; nil outside tests.
  @exclusivity(unchecked)
  final var faults: FaultPlan?

  /// Snapshots that the read in progress has taken; nil outside of one: ``ReadStart``.
  @exclusivity(unchecked)
  final var readStarts: Int?
  /// Changes of rows that ``WorkCounts`` has counted.
  final var countedChanges = 0
  /// See ``Connection/finding``.
  final var finding: AnyObject?

  init(_ pointer: OpaquePointer, access: Int32, isKept: Bool) {
    self.pointer = pointer
    self.access = access
    self.isKept = isKept
    log.watch(pointer)
    ReadStart.watch(self)
  }

  @inline(__always)
  func pass(_ sql: @autoclosure () -> String) throws {
    if let faults { try faults.pass(sql(), on: pointer) }
  }

  deinit { closeForEver() }

  /// Ends the owner's use: closes the file with every statement that is left, or keeps it for the next; nothing once it is closed.
  func close() {
    guard !isClosed else { return }
    guard isKept, rest() else { return closeForEver() }
    isClosed = true
    generation += 1
    KeptDatabases.give(self)
  }

  /// Closes the file with every statement that is left, whether it is kept or not; nothing once that was done.
  func closeForEver() {
    guard !isGone else { return }
    isGone = true
    isClosed = true
    generation += 1
    while let statement = sqlite3_next_stmt(pointer, nil) { sqlite3_finalize(statement) }
    sqlite3_close_v2(pointer)
  }

  /// Gives a kept connection a new owner.
  func reopen() {
    precondition(isClosed && !isGone && isKept, "a connection has one owner at a time, and is open for it")
    isClosed = false
  }

  /// The error that a call on this connection just returned `code` for.
  func error(_ code: Int32, sql: String?) -> SQLiteError {
    precondition(code != SQLITE_OK && !isClosed, "an error is of a call that failed, and its database is open")
    return SQLiteError(code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)), sql: sql)
  }
}
