import Measuring
import Testing

@testable import Reporting

struct HumanReadableTests {
  @Test(
    arguments: [
      (0, "0"), (1, "1.00"), (0.001_234_5, "0.00123"), (0.999_6, "1.00"), (9.994, "9.99"), (9.996, "10.0"),
      (12.34, "12.3"), (99.96, "100"), (123.4, "123"), (999.4, "999"), (999.6, "1,000"), (1_234_567, "1,234,567"),
      (-2.5, "-2.50"), (.nan, "–"), (.infinity, "–"),
    ] as [(Double, String)])
  func threeDigitsAreSignificant(number: Double, expected: String) {
    #expect(HumanReadable.significant(number) == expected)
  }

  @Test(
    arguments: [
      (0, "0 ns"), (0.000_000_012, "12.0 ns"), (0.000_789, "789 µs"), (0.045_6, "45.6 ms"), (0.999_9, "1.00 s"),
      (1.234, "1.23 s"), (83, "83.0 s"), (nil, "–"),
    ] as [(Double?, String)])
  func durationsHaveAFittingUnit(seconds: Double?, expected: String) {
    #expect(HumanReadable.seconds(seconds) == expected)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.00 kB"), (301_234_567, "301 MB"), (2_500_000_000, "2.50 GB"), (nil, "–"),
    ] as [(UInt64?, String)])
  func sizesAreInPowersOfAThousand(bytes: UInt64?, expected: String) {
    #expect(HumanReadable.bytes(bytes) == expected)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (105_000, "105,000"), (-1_234_567, "-1,234,567")])
  func countsHaveThousands(count: Int, expected: String) {
    #expect(HumanReadable.count(count) == expected)
  }

  @Test func aRatioShowsItsInterval() {
    let interval = RatioEstimate(
      ratio: 159.26, interval: RatioEstimate.Interval(low: 120.4, high: 201.3, confidence: 0.95))
    #expect(HumanReadable.ratio(interval) == "159× (95.0 %: 120…201)")
    #expect(HumanReadable.ratio(2.314) == "2.31×")
    #expect(HumanReadable.ratio(nil as Double?) == "–")
    #expect(HumanReadable.ratio(nil as RatioEstimate?) == "–")
  }

  @Test func nanosecondsAreDurations() {
    #expect(HumanReadable.nanoseconds(16_700_000) == "16.7 ms")
    #expect(HumanReadable.nanoseconds(nil) == "–")
  }
}
