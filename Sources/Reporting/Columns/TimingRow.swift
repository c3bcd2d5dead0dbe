import Checking
import Measuring

/// A row of `timings.csv`: one operation in one phase of a cell, on one kind of thread.
package struct TimingRow: Sendable, Hashable {
  package var key: CellKey
  /// Phase of the workload.
  package var phase: String
  /// The operation.
  package var operation: String
  /// The kind of thread: `main`, `worker`, …
  package var role: String
  package var summary: LatencySummary
  /// The start of the latencies: `begin` or `intended`.
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

extension Table where Row == TimingRow {
  /// `timings.csv`.
  package static let timings = Table(
    fileName: "timings.csv", grain: "one row per cell, phase, operation and kind of thread: how long it took",
    empty: { TimingRow(key: .empty, phase: "", operation: "", role: "", summary: LatencySummary(count: 0)) },
    key: \.key,
    columns: counts + Column<LatencySummary>.latencies.map { $0.inside(\.summary) } + rest)

  private static let counts: [Column<TimingRow>] = [
    .text("phase", "phase of the workload", \.phase),
    .text("operation", "what was done", \.operation),
    .text("role", "kind of thread that did it: main or worker", \.role),
    .unsigned("count", "operations that succeeded; the latencies are theirs", \.summary.count),
    .unsigned("failed", "operations that failed", \.summary.failed),
    .number("rate", unit: "1/s", "successful operations per second of the phase", \.summary.ratePerSecond),
  ]

  private static let rest: [Column<TimingRow>] = [
    .text(
      "latency_from", "what latencies are counted from: begin of the operation, or intended, the instant it was due",
      \.latencyFrom),
    .unsigned(
      "bytes", unit: "bytes", "bytes that the thread allocated in these operations, together", \.summary.bytes),
    .derived("bytes_per_operation", unit: "bytes", "bytes / count") { $0.summary.bytesPerOperation },
  ]
}

extension Column where Row == LatencySummary {
  /// The mean and the percentiles, of a row of `timings.csv` and of `percentiles.csv`.
  static let latencies: [Column<LatencySummary>] = [
    .number("latency_ns_mean", unit: "ns", "mean latency", \.latencyNanosecondsMean),
    .unsigned("latency_ns_p50", unit: "ns", "median; needs 2 samples", \.latencyNanosecondsP50),
    .unsigned("latency_ns_p90", unit: "ns", "90 % took no longer; needs 100 samples", \.latencyNanosecondsP90),
    .unsigned("latency_ns_p99", unit: "ns", "99 % took no longer; needs 1,000 samples", \.latencyNanosecondsP99),
    .unsigned("latency_ns_p999", unit: "ns", "99.9 % took no longer; needs 10,000 samples", \.latencyNanosecondsP999),
    .unsigned("latency_ns_max", unit: "ns", "longest latency", \.latencyNanosecondsMax),
  ]
}
