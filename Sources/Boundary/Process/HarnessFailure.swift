/// The harness could not do its work; says nothing about what was to be measured.
package struct HarnessFailure: Error, Sendable, CustomStringConvertible {
  /// What failed, why, and what to do.
  package var description: String

  /// Makes a failure.
  package init(_ description: String) { self.description = description }
}
