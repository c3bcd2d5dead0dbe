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
