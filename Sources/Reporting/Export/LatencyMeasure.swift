/// A percentile of the latency of one operation in the cells of a group.
package struct LatencyMeasure: Sendable {
  /// An operation of a phase on one kind of thread.
  package struct Operation: Sendable, Hashable, Comparable {
    package let phase: String
    package let operation: String
    package let role: String

    /// `phase operation (role)`.
    package var name: String { "\(phase) \(operation) (\(role))" }

    package static func < (left: Operation, right: Operation) -> Bool {
      (left.phase, left.operation, left.role) < (right.phase, right.operation, right.role)
    }
  }

  /// A column of `timings.csv` that holds a latency.
  package struct Percentile: Sendable {
    /// Name of the column.
    package let column: String
    /// The row's value in nanoseconds.
    package let nanoseconds: @Sendable (TimingRow) -> Double?
  }

  /// All percentiles that are reported.
  package static let percentiles: [Percentile] = [
    Percentile(column: "latency_ns_p50") { $0.summary.latencyNanosecondsP50.map { Double($0) } },
    Percentile(column: "latency_ns_p90") { $0.summary.latencyNanosecondsP90.map { Double($0) } },
    Percentile(column: "latency_ns_p99") { $0.summary.latencyNanosecondsP99.map { Double($0) } },
    Percentile(column: "latency_ns_p999") { $0.summary.latencyNanosecondsP999.map { Double($0) } },
    Percentile(column: "latency_ns_max") { $0.summary.latencyNanosecondsMax.map { Double($0) } },
  ]

  /// The timings of a group by operation, sorted.
  package static func operations(of group: CellGroup) -> [(operation: Operation, rows: [TimingRow])] {
    let rows = Dictionary(grouping: group.timings) {
      Operation(phase: $0.phase, operation: $0.operation, role: $0.role)
    }
    return rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
