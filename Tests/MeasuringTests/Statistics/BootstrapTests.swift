import Scheduling
import Testing

@testable import Measuring

struct BootstrapTests {
  @Test func theSameSeedGivesTheSameInterval() throws {
    var random = SeededRandom(seed: 4)
    let above = (0..<40).map { _ in Double.random(in: 2...3, using: &random) }
    let below = (0..<40).map { _ in Double.random(in: 1...2, using: &random) }
    #expect(interval(above, below, seed: 1) == interval(above, below, seed: 1))
    #expect(interval(above, below, seed: 1) != interval(above, below, seed: 2))
  }

  @Test func constantSamplesHaveNoSpread() {
    #expect(
      interval([6, 6, 6], [2, 2], seed: 1) == RatioInterval(ratio: 3, low: 3, high: 3, confidence: 0.95))
  }

  @Test func theRatioLiesInItsInterval() throws {
    var random = SeededRandom(seed: 11)
    for seed in 0..<20 as Range<UInt64> {
      let above = (0..<9).map { _ in Double.random(in: 2...3, using: &random) }
      let below = (0..<7).map { _ in Double.random(in: 1...2, using: &random) }
      let seen = try #require(interval(above, below, seed: seed))
      #expect(seen.low <= seen.ratio && seen.ratio <= seen.high, "seed \(seed)")
      let medians = try #require(Statistics.median(above)) / #require(Statistics.median(below))
      #expect(seen.ratio == medians)
    }
  }

  @Test func theIntervalContainsTheTrueRatioAboutAsOftenAsItSays() throws {
    var random = SeededRandom(seed: 5)
    var contained = 0
    for seed in 0..<400 as Range<UInt64> {
      let above = (0..<20).map { _ in Double.random(in: 3...5, using: &random) }
      let below = (0..<20).map { _ in Double.random(in: 1...3, using: &random) }
      let seen = try #require(interval(above, below, seed: seed, resamples: 300))
      if seen.low <= 2 && 2 <= seen.high { contained += 1 }
    }
    #expect((368...395).contains(contained), "95 % of 400 are 380, and \(contained) were seen")
  }

  @Test(arguments: [([], [1]), ([1], []), ([1, 0], [1]), ([1], [1, -1])] as [([Double], [Double])])
  func aRatioWithoutMeaningIsNotGiven(above: [Double], below: [Double]) {
    #expect(interval(above, below, seed: 1) == nil)
  }

  @Test func onlyAnIntervalAwayFromOneExcludesIt() {
    #expect(RatioInterval(ratio: 2, low: 1.1, high: 3, confidence: 0.95).excludesOne)
    #expect(RatioInterval(ratio: 0.5, low: 0.2, high: 0.9, confidence: 0.95).excludesOne)
    #expect(!RatioInterval(ratio: 2, low: 0.9, high: 3, confidence: 0.95).excludesOne)
  }

  private func interval(
    _ above: [Double], _ below: [Double], seed: UInt64, resamples: Int = Statistics.bootstrapResamples
  ) -> RatioInterval? {
    var random = SeededRandom(seed: seed)
    return Statistics.ratioOfMedians(above, below, resamples: resamples, using: &random)
  }
}
