/// A results file that could not be written; the run cannot go on without it.
package struct ReportingError: Error, CustomStringConvertible, Sendable, Hashable {
  /// The file.
  package let path: String
  /// What failed and why.
  package let cause: String
  /// What to do about it.
  package let remedy: String

  package var description: String { "\(path): \(cause). \(remedy)" }
}
