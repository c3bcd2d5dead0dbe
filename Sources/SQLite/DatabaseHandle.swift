import CSQLite

/// SQLite's own connection object, shared by a ``Connection`` and its statements and closed with the last of them.
final class DatabaseHandle {
  let pointer: OpaquePointer
  /// Steps that are to fail; nil outside tests.
  @exclusivity(unchecked)
  final var faults: FaultPlan?

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  @inline(__always)
  func pass(_ sql: @autoclosure () -> String) throws {
    if let faults { try faults.pass(sql(), on: pointer) }
  }

  deinit { sqlite3_close_v2(pointer) }

  /// The error that a call on this connection just returned `code` for.
  func error(_ code: Int32, sql: String?) -> SQLiteError {
    SQLiteError(code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)), sql: sql)
  }
}
