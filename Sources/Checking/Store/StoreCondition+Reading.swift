import SQLite

extension StoreCondition {
  /// Lines of `integrity_check` that are asked for.
  private static let integrityLinesMax = 20

  /// Looks at a store's file after its stack was released or its process died, without the stack and without writing; others may
  /// write meanwhile.
  ///
  /// - Throws: `Unusable`, when there is no such file or it cannot be opened; a file that is no whole database is a
  ///   damage.
  /// - Complexity: O(rows) for the whole file.
  package init(ofStoreAt path: String) throws(Unusable) {
    do {
      // Another process may be about to recover the log.
      let connection = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 5_000)
      // Statements refer to their connection without holding it.
      self = try withExtendedLifetime(connection) { try Self.condition(connection) }
    } catch let error as SQLiteError where error.code.primary == .corrupt || error.code.primary == .notADatabase {
      self = StoreCondition(
        rows: 0,
        damages: [Damage(.integrity, "file", expected: "a database", seen: error.message)])
    } catch {
      throw Unusable("\(path): the store cannot be read: \(error)")
    }
  }

  private static func condition(_ connection: Connection) throws -> Self {
    // One snapshot: where a process was killed, others may still write, and delete history.
    try connection.execute("BEGIN")
    // In a transaction a connection is not kept for the next owner, where a program keeps them.
    defer { try? connection.execute("COMMIT") }
    let lines = try connection.texts("PRAGMA integrity_check(\(integrityLinesMax))").filter { $0 != "ok" }
    let damages =
      lines.isEmpty
      ? []
      : [
        Damage(
          .integrity, "file", expected: "integrity_check is ok", seen: lines.joined(separator: "; "), count: lines.count
        )
      ]
    let tables = Set(try connection.texts("SELECT name FROM sqlite_master WHERE type = 'table'"))
    guard damages.isEmpty else { return StoreCondition(rows: 0, damages: damages) }
    var books = StoreIntegrityCheck(connection, tables: tables)
    try books.check()
    return StoreCondition(rows: books.rows, damages: damages + books.damages)
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

extension Connection {
  /// The first column of every row as text.
  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(at: 0)) }
    return texts
  }
}
