import Boundary
import SQLite

/// Someone writes into the file of the shipped model `Library`, past the stack.
enum LibraryLapse {
  /// Changes one value of each kind that the audit compares: a plain one, a derived one, and one beyond its bounds.
  static func changeFile(of session: CellSession) throws {
    let file = try Connection(path: session.directory + "/" + CellFiles.store)
    for (table, column, value) in [
      ("ZTAG", "ZWORD", "'changed in the file'"), ("ZAUTHOR", "ZWORKCOUNT", "ZWORKCOUNT + 1"),
      ("ZITEM", "ZPAGES", "5000"),
    ] {
      try file.execute(
        """
        UPDATE \(table) SET \(column) = \(value), Z_OPT = Z_OPT + 1
        WHERE Z_PK = (SELECT min(Z_PK) FROM \(table) WHERE \(column) IS NOT NULL)
        """)
    }
    file.close()
  }
}
