import Foundation

/// A results file that could not be written or read.
package struct ReportingError: Error, CustomStringConvertible, Sendable, Hashable {
  /// The file.
  package let path: String
  /// The line in it, from 1, where it is about one.
  package let line: Int?
  /// The column of a CSV file, where it is about one.
  package let column: String?
  /// The failure and its cause.
  package let cause: String
  /// The remedy.
  package let remedy: String

  package init(path: String, line: Int? = nil, column: String? = nil, cause: String, remedy: String) {
    precondition(line.map { $0 > 0 } ?? true, "lines of a file count from 1")
    precondition(!cause.isEmpty && !remedy.isEmpty, "a problem says its cause and its remedy")
    self.path = path
    self.line = line
    self.column = column
    self.cause = cause
    self.remedy = remedy
  }

  package var description: String {
    "\(path)\(line.map { ":\($0)" } ?? ""): \(column.map { "\($0): " } ?? "")\(cause). \(remedy)"
  }
}

extension ReportingError {
  /// A file that could not be written, for the system's reason.
  package init(writing path: String, _ code: CInt) {
    precondition(code != 0, "what the system refuses has a number")
    self.init(
      path: path, cause: "cannot be written: \(String(cString: strerror(code)))",
      remedy: Self.remedy(code, "Choose a folder that exists and is writable"))
  }

  /// A file that Foundation could not write.
  package init(writing path: String, _ error: any Error) {
    self.init(
      path: path, cause: "cannot be written: \(Self.reason(error))",
      remedy: Self.remedy(error, "Choose a folder that exists and is writable"))
  }

  /// Advice on an error of the system's.
  ///
  /// - Parameter other: the remedy where another place would help.
  package static func remedy(_ code: CInt, _ other: String) -> String {
    switch code {
    case ENOSPC, EDQUOT: "Make room on its disk and run again"
    case EMFILE: "Let this process have more open files: ulimit -n"
    case ENFILE: "Close files of other processes, or raise fs.file-max"
    case ENOMEM: "Make memory free and run again"
    case EIO: "Look whether its disk works"
    case EFBIG: "Let this process write larger files: ulimit -f"
    case ENAMETOOLONG: "Choose a shorter path"
    case EEXIST, ENOTDIR: "Choose a name that no file has"
    case ENOLCK, EOPNOTSUPP: "Choose a folder on a file system with locks"
    default: other
    }
  }

  /// The same for an error of Foundation's.
  package static func remedy(_ error: any Error, _ other: String) -> String {
    code(of: error).map { remedy($0, other) } ?? other
  }

  /// The system's error that Foundation wrapped; nil where it was none.
  private static func code(of error: any Error) -> CInt? {
    // On Linux a value that is no object bridges to `NSError` only by way of `Error`.
    let own = error as NSError
    let underlying = (own.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? own
    return underlying.domain == NSPOSIXErrorDomain ? CInt(truncatingIfNeeded: underlying.code) : nil
  }

  /// Why the system refused something, in its own words and without a full stop.
  package static func reason(_ error: any Error) -> String {
    if let code = code(of: error) { return String(cString: strerror(code)) }
    return withoutStop(error.localizedDescription)
  }

  /// The text without the full stop at its end, so that it can be gone on with.
  static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
