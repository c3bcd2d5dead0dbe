import Foundation

/// A results file that could not be written or read.
package struct ReportingError: Error, CustomStringConvertible, Sendable, Hashable {
  /// The file.
  package let path: String
  /// The line in it, from 1, where it is about one.
  package let line: Int?
  /// The column of a CSV file, where it is about one.
  package let column: String?
  /// What failed and why.
  package let cause: String
  /// What to do about it.
  package let remedy: String

  package init(path: String, line: Int? = nil, column: String? = nil, cause: String, remedy: String) {
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
  /// Why the system refused something, in its own words and without a full stop.
  package static func reason(_ error: any Error) -> String {
    // On Linux a value that is no object bridges to `NSError` only by way of `Error`.
    let underlying = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(CInt(truncatingIfNeeded: underlying.code)))
    }
    return withoutStop(error.localizedDescription)
  }

  /// The text without the full stop at its end, so that it can be gone on with.
  static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
