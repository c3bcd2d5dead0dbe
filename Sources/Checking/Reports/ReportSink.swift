/// Takes violations that handlers see while a cell runs. Any thread.
package protocol ReportSink: Sendable {
  /// Appends one violation.
  func append(_ violation: Violation) throws(Unusable)
}
