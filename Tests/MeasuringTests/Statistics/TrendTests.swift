import Scheduling
import Testing

@testable import Measuring

struct TrendTests {
  /// `scipy.stats.linregress`.
  @Test func theTrendAgreesWithScipy() throws {
    let trend = try #require(Statistics.trend([1.0, 1.4, 1.1, 1.5, 1.9, 1.6]))
    #expect(abs(trend.change - 0.7000000000000001) < 1e-12)
    #expect(abs(trend.p - 0.06100976201075677) < 1e-12)
  }

  @Test func valuesWithoutAnOrderSeldomHaveATrend() {
    var random = SeededRandom(seed: 12)
    let found = (0..<500).count { _ in (Statistics.trend(random.normal(10, deviation: 1))?.p ?? 1) <= 0.01 }
    #expect(found <= 12, "\(found) of 500")
  }

  @Test func fewOrEqualValuesHaveNone() {
    #expect(Statistics.trend([1, 2, 3, 4]) == nil)
    #expect(Statistics.trend([2, 2, 2, 2, 2, 2]) == nil)
    #expect(Statistics.trend([1, 2, 3, 4, 5])?.p == 0)
  }
}
