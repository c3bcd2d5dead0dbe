import Measuring

/// Counts and latencies of one operation in one phase on one kind of thread: a row of `timings.csv`.
package struct OperationMeasurement: Codable, Sendable, Hashable {
  /// The workload's phase: `import`, `update`, …
  package var phase: String
  /// What was done: `write`, `save`, `page-fetch`, …
  package var operation: String
  /// Who did it: `main` or `worker`.
  package var role: String
  /// How often and how fast.
  package var summary: LatencySummary
  /// What latencies count from: `begin` of the operation, or `intended`, the instant at which it was due.
  package var latencyFrom: String

  /// Makes a row.
  package init(phase: String, operation: String, role: String, summary: LatencySummary, latencyFrom: String) {
    self.phase = phase
    self.operation = operation
    self.role = role
    self.summary = summary
    self.latencyFrom = latencyFrom
  }
}
