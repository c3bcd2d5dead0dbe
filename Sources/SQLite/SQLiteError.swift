/// A call of SQLite that failed: the code, SQLite's own sentence, and the SQL it was about.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: ResultCode
  package let message: String
  package let sql: String?

  package init(code: ResultCode, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// Why it failed, for a sentence: SQLite's words, but for a full disk, where those do not name the disk.
  package var reason: String {
    code.primary == .full && message == code.description
      ? "there is no room left on its disk; make room, and try again" : message
  }

  package var description: String {
    let place = sql.map { " in: \($0)" } ?? ""
    return "SQLite \(code.rawValue) (\(code.description)): \(message)\(place)"
  }
}
