import Measuring

/// A row of `timings.csv`: one operation in one phase of a cell, on one kind of thread.
package struct TimingRow: Sendable, Hashable {
  package var key: CellKey
  /// Phase of the workload.
  package var phase: String
  /// What was done.
  package var operation: String
  /// Who did it: `main`, `worker`, …
  package var role: String
  package var summary: LatencySummary
  /// What the latencies are counted from: `begin` or `intended`.
  package var latencyFrom: String

  /// Makes a row.
  package init(
    key: CellKey, phase: String, operation: String, role: String, summary: LatencySummary,
    latencyFrom: String = "begin"
  ) {
    self.key = key
    self.phase = phase
    self.operation = operation
    self.role = role
    self.summary = summary
    self.latencyFrom = latencyFrom
  }
}
