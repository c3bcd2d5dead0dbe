#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What a descriptor leads to.
package enum Terminal {
  /// Columns assumed when the terminal does not tell.
  static let widthDefault = 80

  /// Whether a person watches: a terminal that can move its cursor.
  package static func isInteractive(_ descriptor: CInt) -> Bool {
    isatty(descriptor) == 1 && environment("TERM") != "dumb"
  }

  /// Whether colour may be used; `NO_COLOR` turns it off.
  package static func hasColour(_ descriptor: CInt) -> Bool {
    isInteractive(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
  }

  /// Columns of the terminal.
  package static func width(_ descriptor: CInt) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return widthDefault }
    return Int(size.ws_col)
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
