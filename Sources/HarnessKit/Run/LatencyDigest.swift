/// The numbers of a latency distribution that go into the CSV, in nanoseconds.
///
/// A percentile is nil when the sample is too small for it: p99 needs 1,000 samples, p999 needs 10,000.
public struct LatencyDigest: Codable, Sendable, Equatable {
  /// Number of samples.
  public var count: Int
  /// Arithmetic mean.
  public var meanNanoseconds: Double?
  /// Half of the samples are at most this.
  public var p50Nanoseconds: UInt64?
  /// 90 % of the samples are at most this.
  public var p90Nanoseconds: UInt64?
  /// 99 % of the samples are at most this.
  public var p99Nanoseconds: UInt64?
  /// 99.9 % of the samples are at most this.
  public var p999Nanoseconds: UInt64?
  /// The largest sample.
  public var maxNanoseconds: UInt64?

  /// Makes a digest; leave out what was not measured.
  public init(
    count: Int, meanNanoseconds: Double? = nil, p50Nanoseconds: UInt64? = nil, p90Nanoseconds: UInt64? = nil,
    p99Nanoseconds: UInt64? = nil, p999Nanoseconds: UInt64? = nil, maxNanoseconds: UInt64? = nil
  ) {
    self.count = count
    self.meanNanoseconds = meanNanoseconds
    self.p50Nanoseconds = p50Nanoseconds
    self.p90Nanoseconds = p90Nanoseconds
    self.p99Nanoseconds = p99Nanoseconds
    self.p999Nanoseconds = p999Nanoseconds
    self.maxNanoseconds = maxNanoseconds
  }
}
