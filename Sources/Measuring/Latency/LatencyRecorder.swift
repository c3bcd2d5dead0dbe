import Histogram

/// Latencies of one worker, one kind of operation: a histogram of three significant digits, 1 ns to over an hour.
///
/// Each worker owns its recorder, so recording takes no lock; ``merge(_:)`` adds them up afterwards. Everything is
/// allocated when the recorder is made (270 kB): recording allocates nothing. A sample is never dropped: one above
/// ``latencyNanosecondsMax`` is counted there, and ``LatencySummary/latencyNanosecondsMax`` still tells its true size.
package struct LatencyRecorder: Sendable {
  /// Largest latency that keeps its size in the percentiles: 2⁴² ns, about 73 minutes.
  package static let latencyNanosecondsMax: UInt64 = 1 << 42

  private var histogram = Histogram<UInt64>(
    highestTrackableValue: latencyNanosecondsMax, numberOfSignificantValueDigits: .three)
  private var sumNanoseconds: UInt64 = 0
  private var largestNanoseconds: UInt64 = 0
  /// Operations that failed. Their latencies are not in the histogram: a fast refusal is not a fast operation.
  package private(set) var failed: UInt64 = 0

  /// Makes an empty recorder.
  package init() {}

  /// Operations that succeeded.
  package var count: UInt64 { histogram.totalCount }

  /// Counts a successful operation that took `nanoseconds`.
  @inline(__always)
  package mutating func record(_ nanoseconds: UInt64) {
    histogram.record(min(nanoseconds, Self.latencyNanosecondsMax))
    sumNanoseconds &+= nanoseconds
    if nanoseconds > largestNanoseconds { largestNanoseconds = nanoseconds }
  }

  /// Counts a failed operation.
  @inline(__always)
  package mutating func recordFailure() { failed &+= 1 }

  /// Adds what `other` recorded; the result is as if one recorder had seen all of it.
  package mutating func merge(_ other: LatencyRecorder) {
    histogram.add(other.histogram)
    sumNanoseconds &+= other.sumNanoseconds
    largestNanoseconds = max(largestNanoseconds, other.largestNanoseconds)
    failed &+= other.failed
  }

  /// Forgets everything, at the end of a warm-up.
  package mutating func reset() {
    histogram.reset()
    sumNanoseconds = 0
    largestNanoseconds = 0
    failed = 0
  }

  /// What was recorded, over a phase of `durationSeconds`; without a duration there is no rate.
  ///
  /// - Parameter bytes: Bytes the operations allocated or wrote, where that was measured.
  package func summary(durationSeconds: Double? = nil, bytes: UInt64? = nil) -> LatencySummary {
    func latency(_ percentile: Percentile) -> UInt64? {
      guard count >= percentile.countMin else { return nil }
      return min(histogram.valueAtPercentile(percentile.quantile * 100), largestNanoseconds)
    }
    return LatencySummary(
      count: count,
      failed: failed,
      ratePerSecond: durationSeconds.flatMap { $0 > 0 ? Double(count) / $0 : nil },
      latencyNanosecondsMean: count > 0 ? Double(sumNanoseconds) / Double(count) : nil,
      latencyNanosecondsP50: latency(.p50),
      latencyNanosecondsP90: latency(.p90),
      latencyNanosecondsP99: latency(.p99),
      latencyNanosecondsP999: latency(.p999),
      latencyNanosecondsMax: count > 0 ? largestNanoseconds : nil,
      bytes: bytes)
  }
}
