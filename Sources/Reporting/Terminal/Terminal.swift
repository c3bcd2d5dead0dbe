#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The terminal behind a descriptor, if any.
package enum Terminal {
  /// Columns assumed when the terminal does not tell.
  static let widthDefault = 80
  /// Rows, likewise.
  private static let rowsDefault = 24

  /// Whether a person watches: a terminal that can move its cursor.
  package static func isInteractive(_ descriptor: CInt) -> Bool {
    isatty(descriptor) == 1 && environment("TERM") != "dumb"
  }

  /// Whether colour may be used; `NO_COLOR` turns it off.
  package static func hasColour(_ descriptor: CInt) -> Bool {
    isInteractive(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
  }

  /// Columns of the terminal.
  package static func width(_ descriptor: CInt) -> Int { size(descriptor).columns }

  /// Columns and rows of the terminal.
  package static func size(_ descriptor: CInt) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (widthDefault, rowsDefault) }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : rowsDefault)
  }

  /// Columns that tables on standard output have to fit: those of the terminal, or else of `COLUMNS`; nil without either.
  package static var tableWidth: Int? {
    isInteractive(STDOUT_FILENO) ? width(STDOUT_FILENO) : environment("COLUMNS").flatMap { Int($0) }.map { max(20, $0) }
  }

  /// Columns at which sentences on standard output are broken: those of tables, or ``widthElsewhere``.
  package static var textWidth: Int { tableWidth ?? widthElsewhere }

  /// Columns of text that is read elsewhere.
  package static let widthElsewhere = 120

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
