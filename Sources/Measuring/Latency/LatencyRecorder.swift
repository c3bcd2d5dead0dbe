import Histogram

/// Latencies of one worker, one kind of operation: a histogram of three significant digits, 1 ns to over an hour.
///
/// Each worker owns its recorder, so recording takes no lock; ``merge(_:)`` adds them up afterwards. Everything is
/// allocated when the recorder is made (270 kB): recording allocates nothing. A sample is never dropped: one above
/// ``latencyNanosecondsMax`` is counted there, and ``LatencySummary/latencyNanosecondsMax`` still tells its true size.
package struct LatencyRecorder: Sendable {
  /// Largest latency that keeps its size in the percentiles: 2⁴² ns, about 73 minutes.
  package static let latencyNanosecondsMax: UInt64 = 1 << 42

  var histogram = Histogram<UInt64>(
    highestTrackableValue: latencyNanosecondsMax, numberOfSignificantValueDigits: .three)
  var sumNanoseconds: UInt64 = 0
  var largestNanoseconds: UInt64 = 0
  var bytes: UInt64 = 0
  /// Successful operations with known bytes.
  var countWithBytes: UInt64 = 0
  /// Operations that failed. Their latencies are not in the histogram: a fast refusal is not a fast operation.
  package internal(set) var failed: UInt64 = 0

  /// Makes an empty recorder.
  package init() {}

  /// Operations that succeeded.
  package var count: UInt64 { histogram.totalCount }

  /// A recorder with a histogram's values: the mean and the maximum are as exact as these.
  init(_ histogram: Histogram<UInt64>) {
    for value in histogram.recordedValues() {
      let nanoseconds = min(value.value, Self.latencyNanosecondsMax)
      self.histogram.record(nanoseconds, count: value.count)
      sumNanoseconds &+= nanoseconds &* value.count
      largestNanoseconds = max(largestNanoseconds, nanoseconds)
    }
    precondition(count == histogram.totalCount, "no value of a histogram is lost")
  }

  /// The recorded latencies in ascending order, as the greatest that share a count, and how many there are of each.
  package var counts: [(nanoseconds: UInt64, count: UInt64)] {
    histogram.recordedValues().map { ($0.value, $0.count) }
  }

  /// The latency that a share of the operations did not exceed; nil where there is none.
  ///
  /// - Parameter share: In 0…1. Whether the sample is large enough for it is up to the caller.
  package func latency(notExceededBy share: Double) -> UInt64? {
    precondition((0...1).contains(share), "a share lies in 0…1")
    return count > 0 ? min(histogram.valueAtPercentile(share * 100), largestNanoseconds) : nil
  }

  /// Counts a successful operation that took `nanoseconds`, in which its thread allocated `bytes`; nil = not measured.
  @inline(__always)
  package mutating func record(_ nanoseconds: UInt64, bytes: UInt64?) {
    record(nanoseconds)
    guard let bytes else { return }
    self.bytes &+= bytes
    countWithBytes &+= 1
  }

  /// Counts a latency of a thing that happens every `intervalNanoseconds`, and those of the later ones that it held up.
  ///
  /// - SeeAlso: Tene, "How NOT to Measure Latency": coordinated omission.
  package mutating func record(_ nanoseconds: UInt64, every intervalNanoseconds: UInt64) {
    precondition(intervalNanoseconds > 0, "an interval is positive")
    var late = nanoseconds
    record(late)
    while late > intervalNanoseconds {
      late -= intervalNanoseconds
      record(late)
    }
  }

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

  /// Adds the values of `other`; the result is as if one recorder had seen all of them.
  package mutating func merge(_ other: LatencyRecorder) {
    let before = count
    histogram.add(other.histogram)
    sumNanoseconds &+= other.sumNanoseconds
    largestNanoseconds = max(largestNanoseconds, other.largestNanoseconds)
    failed &+= other.failed
    bytes &+= other.bytes
    countWithBytes &+= other.countWithBytes
    precondition(count == before &+ other.count, "no latency of either is lost")
  }

  /// Forgets everything, at the end of a warm-up.
  package mutating func reset() {
    histogram.reset()
    sumNanoseconds = 0
    largestNanoseconds = 0
    failed = 0
    bytes = 0
    countWithBytes = 0
  }

  /// The summary of a phase of `durationSeconds`; without a duration there is no rate.
  package func summary(durationSeconds: Double? = nil) -> LatencySummary {
    precondition((durationSeconds ?? 0) >= 0, "a phase does not end before it begins")
    precondition(countWithBytes <= count, "bytes are known of operations that succeeded")
    func latency(_ percentile: Percentile) -> UInt64? {
      count >= percentile.countMin ? self.latency(notExceededBy: percentile.quantile) : nil
    }
    let percentiles = Percentile.allCases.compactMap(latency)
    precondition(
      zip(percentiles, percentiles.dropFirst()).allSatisfy(<=) && (percentiles.last ?? 0) <= largestNanoseconds,
      "percentiles rise, and do not exceed the largest latency")
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
      bytes: count > 0 && countWithBytes == count ? bytes : nil)
  }
}
