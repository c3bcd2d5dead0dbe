import SQLite

/// A statement that is compiled when it is first needed, and kept.
final class LateStatement {
  /// Its owner's.
  private unowned(unsafe) let connection: Connection
  private let sql: String
  private var made: Statement?

  init(_ sql: String, _ connection: Connection) { (self.sql, self.connection) = (sql, connection) }

  /// The statement; as its last user left it.
  func callAsFunction() throws -> Statement {
    if let made { return made }
    let statement = try connection.prepare(sql)
    made = statement
    return statement
  }
}
