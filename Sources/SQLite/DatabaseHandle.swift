import CSQLite

/// SQLite's own connection object, shared by a ``Connection`` and its statements and closed with the last of them.
final class DatabaseHandle {
  let pointer: OpaquePointer
  /// Whether the file is no longer open; statements are gone then.
  @exclusivity(unchecked)
  private(set) final var isClosed = false
  /// The write-ahead log, as this connection keeps it short.
  let log = WriteAheadLog()
  /// Steps that are to fail; nil outside tests.
  @exclusivity(unchecked)
  final var faults: FaultPlan?

  /// Snapshots that the read in progress has taken; nil outside of one: ``ReadStart``.
  @exclusivity(unchecked)
  final var readStarts: Int?

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    log.watch(pointer)
    ReadStart.watch(self)
  }

  @inline(__always)
  func pass(_ sql: @autoclosure () -> String) throws {
    if let faults { try faults.pass(sql(), on: pointer) }
  }

  deinit { close() }

  /// Closes the file with every statement that is left; nothing once it is closed.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    while let statement = sqlite3_next_stmt(pointer, nil) { sqlite3_finalize(statement) }
    sqlite3_close_v2(pointer)
  }

  /// The error that a call on this connection just returned `code` for.
  func error(_ code: Int32, sql: String?) -> SQLiteError {
    precondition(code != SQLITE_OK && !isClosed, "an error is of a call that failed, and its database is open")
    return SQLiteError(code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)), sql: sql)
  }
}
