/// A histogram log that cannot be read.
package struct HistogramLogError: Error, CustomStringConvertible, Sendable, Hashable {
  /// What is wrong, as it follows the name of the file.
  package let description: String

  init(_ description: String) { self.description = description }
}
