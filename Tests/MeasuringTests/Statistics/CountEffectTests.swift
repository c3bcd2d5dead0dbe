import Scheduling
import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

struct CountEffectTests {
  private static let one = log(1.01)

  @Test(arguments: 3...5) func twoPercentIsShownByAFewPairs(count: Int) throws {
    let effect = try #require(CountEffect((0..<count).map { log(1.02) + 0.0002 * Double($0 % 3 - 1) }))
    // Below the level that one of ten rows of a comparison must reach.
    #expect(effect.pAbove(Self.one) < 0.0005 && effect.pBelow(-Self.one) > 0.999)
  }

  @Test func twoPairsDecideNothing() throws {
    let effect = try #require(CountEffect([0.5, 0.5]))
    #expect(!effect.isEnough && effect.pAbove(0) == 1 && effect.pBelow(1) == 1)
    #expect(CountEffect([]) == nil)
  }

  /// Equal values are no certainty: the deviation is at least the smallest that is believed.
  @Test func equalCountsHaveAnInterval() throws {
    let interval = try #require(CountEffect([0, 0, 0, 0, 0])?.estimate().interval)
    let half = StudentT.quantile(upperTail: 0.025, degrees: 4) * CountEffect.deviationMin / 5.0.squareRoot()
    #expect(abs(interval.high - exp(half)) < 1e-12 && abs(interval.low - exp(-half)) < 1e-12)
    #expect(CountEffect([0, 0, 0, 0])?.estimate().interval == nil)
  }

  /// The interval holds the true ratio about as often as it says, of values that spread more than the smallest deviation.
  @Test(arguments: [5, 10, 40]) func theIntervalCovers(count: Int) throws {
    var random = SeededRandom(seed: UInt64(count))
    let trials = 2_000
    let covered = try (0..<trials).count { _ in
      let effect = try #require(CountEffect(random.normal(count, mean: 0.1, deviation: 0.003)))
      let interval = try #require(effect.estimate().interval)
      return interval.low <= exp(0.1) && exp(0.1) <= interval.high
    }
    let share = Double(covered) / Double(trials)
    #expect(share > 0.93 && share < 0.98, "\(share)")
  }
}
