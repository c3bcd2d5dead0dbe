/// How a run, or a cell of it, ended; a run ends like the worst of its cells.
package enum RunEnding: String, Codable, Sendable, Comparable, CaseIterable {
  /// All held and all exercised, or as expected.
  case passed
  /// A check had nothing to check, or could not be made.
  case inconclusive
  /// A violation that is not expected, or an expected one that is missing.
  case violated
  /// The harness itself failed.
  case harnessFailed = "harness failed"

  package static func < (left: RunEnding, right: RunEnding) -> Bool { left.severity < right.severity }

  private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
