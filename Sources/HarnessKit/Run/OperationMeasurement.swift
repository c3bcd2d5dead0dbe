/// Counts and latencies of one operation in one phase on one kind of thread: a row of `timings.csv`.
public struct OperationMeasurement: Codable, Sendable, Equatable {
  /// The workload's phase: `import`, `update`, …
  public var phase: String
  /// What was done: `write`, `save`, `page-fetch`, …
  public var operation: String
  /// Who did it: `main` or `worker`.
  public var role: String
  /// Operations that failed; they are not in `latency`.
  public var failed: Int
  /// Successful operations a second over the phase; nil for an empty phase.
  public var ratePerSecond: Double?
  /// How long the successful ones took.
  public var latency: LatencyDigest
  /// Bytes allocated by the operation, all samples together; nil without jemalloc.
  public var bytes: UInt64?

  /// Makes a row.
  public init(
    phase: String, operation: String, role: String, failed: Int, ratePerSecond: Double?, latency: LatencyDigest,
    bytes: UInt64? = nil
  ) {
    self.phase = phase
    self.operation = operation
    self.role = role
    self.failed = failed
    self.ratePerSecond = ratePerSecond
    self.latency = latency
    self.bytes = bytes
  }
}
