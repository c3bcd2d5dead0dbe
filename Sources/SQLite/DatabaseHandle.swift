import CSQLite

/// SQLite's own connection object, shared by a ``Connection`` and its statements and closed with the last of them.
final class DatabaseHandle {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_close_v2(pointer) }

  /// The error that a call on this connection just returned `code` for.
  func error(_ code: Int32, sql: String?) -> SQLiteError {
    SQLiteError(code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)), sql: sql)
  }
}
