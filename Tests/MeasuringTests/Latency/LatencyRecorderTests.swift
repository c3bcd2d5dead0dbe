import Scheduling
import Testing

@testable import Measuring

struct LatencyRecorderTests {
  @Test func anEmptyRecorderMeasuresNothing() {
    let summary = LatencyRecorder().summary(durationSeconds: 1)
    #expect(summary == LatencySummary(count: 0, failed: 0, ratePerSecond: 0))
  }

  @Test func meanAndMaximumAreExact() {
    var recorder = LatencyRecorder()
    for nanoseconds: UInt64 in [123_456_789, 1, 1_000_000_007] { recorder.record(nanoseconds) }
    let summary = recorder.summary()
    #expect(summary.latencyNanosecondsMean == Double(123_456_789 + 1 + 1_000_000_007) / 3)
    #expect(summary.latencyNanosecondsMax == 1_000_000_007)
  }

  @Test(arguments: Percentile.allCases)
  func aPercentileIsGivenFromItsSampleSizeOn(percentile: Percentile) {
    var recorder = LatencyRecorder()
    for _ in 1..<percentile.countMin { recorder.record(5) }
    #expect(recorder.summary()[percentile] == nil)
    recorder.record(5)
    #expect(recorder.summary()[percentile] == 5)
  }

  @Test func tailPercentilesHaveTenSamplesAbove() {
    for percentile in Percentile.allCases where percentile != .p50 {
      #expect(abs(Double(percentile.countMin) * (1 - percentile.quantile) - 10) < 1e-6)
    }
  }

  @Test(arguments: 0..<8)
  func percentilesAgreeWithASortedSample(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var recorder = LatencyRecorder()
    var sample: [UInt64] = []
    for _ in 0..<20_000 {
      let nanoseconds = random.next() >> UInt64.random(in: 24...60, using: &random)
      sample.append(nanoseconds)
      recorder.record(nanoseconds)
    }
    sample.sort()
    for percentile in Percentile.allCases {
      let exact = sample[Int((percentile.quantile * Double(sample.count)).rounded(.up)) - 1]
      let seen = try #require(recorder.summary()[percentile])
      #expect(abs(Double(seen) - Double(exact)) <= Double(exact) * 0.001, "seed \(seed), \(percentile)")
    }
  }

  @Test func mergedRecordersAreOneRecorder() {
    var random = SeededRandom(seed: 7)
    var whole = LatencyRecorder()
    var parts = [LatencyRecorder](repeating: LatencyRecorder(), count: 4)
    for index in 0..<40_000 {
      let nanoseconds = random.next() >> UInt64.random(in: 30...60, using: &random)
      whole.record(nanoseconds)
      parts[index % 4].record(nanoseconds)
      if index.isMultiple(of: 1_000) {
        whole.recordFailure()
        parts[index / 1_000 % 4].recordFailure()
      }
    }
    var merged = LatencyRecorder()
    for part in parts { merged.merge(part) }
    #expect(merged.summary(durationSeconds: 2) == whole.summary(durationSeconds: 2))
    #expect(merged.failed == 40)
  }

  @Test func bytesAreTheSumWhereEveryOperationHasThem() {
    var recorder = LatencyRecorder()
    recorder.record(1, bytes: 100)
    var other = LatencyRecorder()
    other.record(1, bytes: 50)
    recorder.merge(other)
    #expect(recorder.summary().bytes == 150)
    #expect(recorder.summary().bytesPerOperation == 75)
    recorder.recordFailure()
    #expect(recorder.summary().bytes == 150)
    recorder.record(1, bytes: nil)
    #expect(recorder.summary().bytes == nil)
  }

  @Test func aLateTickCountsForThoseItHeldUp() {
    var recorder = LatencyRecorder()
    recorder.record(35, every: 10)
    #expect(recorder.counts.map(\.nanoseconds) == [5, 15, 25, 35])
    recorder.record(10, every: 10)
    #expect(recorder.counts.map(\.nanoseconds) == [5, 10, 15, 25, 35])
  }

  @Test func aLatencyAboveTheRangeIsKept() {
    var recorder = LatencyRecorder()
    recorder.record(.max)
    #expect(recorder.count == 1)
    #expect(recorder.summary().latencyNanosecondsMax == .max)
  }

  @Test func failuresDoNotCountAsLatencies() {
    var recorder = LatencyRecorder()
    recorder.record(10)
    recorder.recordFailure()
    let summary = recorder.summary(durationSeconds: 0.5)
    #expect(summary.count == 1)
    #expect(summary.failed == 1)
    #expect(summary.ratePerSecond == 2)
    #expect(summary.latencyNanosecondsMax == 10)
  }

  @Test func resetForgetsTheWarmUp() {
    var recorder = LatencyRecorder()
    recorder.record(1_000_000)
    recorder.recordFailure()
    recorder.reset()
    recorder.record(2)
    #expect(recorder.summary().latencyNanosecondsMax == 2)
    #expect(recorder.summary().count == 1)
    #expect(recorder.failed == 0)
  }
}

extension LatencySummary {
  fileprivate subscript(percentile: Percentile) -> UInt64? {
    switch percentile {
    case .p50: latencyNanosecondsP50
    case .p90: latencyNanosecondsP90
    case .p99: latencyNanosecondsP99
    case .p999: latencyNanosecondsP999
    }
  }
}
