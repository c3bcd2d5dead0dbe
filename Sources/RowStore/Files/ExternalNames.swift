import SQLite

/// The files of large values that the rows of a database refer to.
package enum ExternalNames {
  /// The names in any column that could have one, whatever the model.
  ///
  /// - Complexity: O(*n*) for *n* rows of tables with binary columns.
  package static func all(in connection: Connection) throws -> Set<String> {
    let columns = try connection.prepare(
      "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' "
        + "AND m.rootpage > 0 AND (c.type = '' OR upper(c.type) LIKE '%BLOB%')")
    var names: Set<String> = []
    while try columns.step() {
      try names.formUnion(self.names(in: connection, table: columns.string(at: 0), column: columns.string(at: 1)))
    }
    return names
  }

  /// The names in one column.
  package static func names(in connection: Connection, table: String, column: String) throws -> Set<String> {
    let (table, column) = (quoted(table), quoted(column))
    let rows = try connection.prepare("SELECT \(column) FROM \(table) WHERE \(condition(column))")
    var names: Set<String> = []
    while try rows.step() {
      if let name = rows.withBytes(at: 0, ExternalReference.name) { names.insert(name) }
    }
    return names
  }

  /// SQL that holds where a column refers to a file; of other values SQLite reads only their lengths.
  package static func condition(_ column: String) -> String {
    "typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN 3 AND \(largest) AND substr(\(column), 1, 1) = X'02'"
  }

  /// Bytes of the longest reference: a file's name has 255 at most.
  private static let largest = 257

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
