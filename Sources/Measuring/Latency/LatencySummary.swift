/// The reported numbers of a ``LatencyRecorder``; nil means "not measured".
///
/// A percentile is nil when the sample is smaller than ``Percentile/countMin``.
package struct LatencySummary: Codable, Sendable, Hashable {
  /// Operations that succeeded; the latencies are theirs.
  package var count: UInt64
  /// Operations that failed.
  package var failed: UInt64
  /// Successful operations per second of the phase.
  package var ratePerSecond: Double?
  /// Exact mean.
  package var latencyNanosecondsMean: Double?
  /// Median, within 0.1 %, as all percentiles.
  package var latencyNanosecondsP50: UInt64?
  /// 90 % took no longer.
  package var latencyNanosecondsP90: UInt64?
  /// 99 % took no longer.
  package var latencyNanosecondsP99: UInt64?
  /// 99.9 % took no longer.
  package var latencyNanosecondsP999: UInt64?
  /// Exact maximum.
  package var latencyNanosecondsMax: UInt64?
  /// Bytes of all these operations together.
  package var bytes: UInt64?

  /// Mean bytes of an operation; nil without bytes, or without an operation.
  package var bytesPerOperation: Double? {
    guard let bytes, count > 0 else { return nil }
    return Double(bytes) / Double(count)
  }

  /// Makes a summary of numbers measured elsewhere.
  package init(
    count: UInt64, failed: UInt64 = 0, ratePerSecond: Double? = nil, latencyNanosecondsMean: Double? = nil,
    latencyNanosecondsP50: UInt64? = nil, latencyNanosecondsP90: UInt64? = nil, latencyNanosecondsP99: UInt64? = nil,
    latencyNanosecondsP999: UInt64? = nil, latencyNanosecondsMax: UInt64? = nil, bytes: UInt64? = nil
  ) {
    self.count = count
    self.failed = failed
    self.ratePerSecond = ratePerSecond
    self.latencyNanosecondsMean = latencyNanosecondsMean
    self.latencyNanosecondsP50 = latencyNanosecondsP50
    self.latencyNanosecondsP90 = latencyNanosecondsP90
    self.latencyNanosecondsP99 = latencyNanosecondsP99
    self.latencyNanosecondsP999 = latencyNanosecondsP999
    self.latencyNanosecondsMax = latencyNanosecondsMax
    self.bytes = bytes
  }
}
