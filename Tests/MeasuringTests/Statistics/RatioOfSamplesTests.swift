import Scheduling
import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

struct RatioOfSamplesTests {
  @Test func theRatioIsTheMedianOfAllRatios() throws {
    let estimate = try #require(Statistics.ratioOfSamples([6, 6.5, 9].map { log($0) }, [2, 3].map { log($0) }))
    // 2, 2.17, 3, 3, 3.25, 4.5.
    #expect(abs(estimate.ratio - 3) < 1e-12)
    #expect(Statistics.ratioOfSamples([], [1]) == nil)
    #expect(Statistics.ratioOfSamples([1], []) == nil)
  }

  /// R's `wilcox.test` with `conf.int`: of five and five values the third smallest and largest difference.
  @Test func theIntervalLeavesOutTheOutermostRatios() throws {
    #expect(MannWhitney.criticalU(5, 5, tail: 0.025) == 2)
    #expect(MannWhitney.criticalU(3, 3, tail: 0.025) == nil)
    let (above, below) = ([0.1, 0.5, 0.7, 1.1, 1.2], [0, 0.05, 0.2, 0.25, 0.3])
    let differences = above.flatMap { value in below.map { value - $0 } }.sorted()
    let interval = try #require(Statistics.ratioOfSamples(above, below)?.interval)
    #expect(abs(log(interval.low) - differences[2]) < 1e-12)
    #expect(abs(log(interval.high) - differences[22]) < 1e-12)
  }

  @Test(arguments: 1...4) func fewValuesHaveNoInterval(count: Int) throws {
    let few = (0..<count).map(Double.init)
    #expect(try #require(Statistics.ratioOfSamples(few, [0, 1, 2, 3, 4, 5])).interval == nil)
    #expect(try #require(Statistics.ratioOfPairs(few)).interval == nil)
  }

  @Test func anIntervalIsWithinAnEffectToBothSides() {
    func interval(_ low: Double, _ high: Double) -> RatioEstimate.Interval {
      RatioEstimate.Interval(low: low, high: high, confidence: 0.95)
    }
    #expect(interval(0.99, 1.01).isWithin(0.02))
    #expect(!interval(0.97, 1.01).isWithin(0.02))
    #expect(!interval(0.99, 1.03).isWithin(0.02))
  }
}
