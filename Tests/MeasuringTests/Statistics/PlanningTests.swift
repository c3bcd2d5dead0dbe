import Scheduling
import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// At the number that is advised the difference is shown in at least 80 of 100 cases.
struct PlanningTests {
  private static let trials = 60

  /// The share of trials, each with a pilot of its own, in which the advised number shows the difference.
  private func power(_ trial: (inout SeededRandom) throws -> Bool) rethrows -> Double {
    var random = SeededRandom(seed: 8)
    return try Double((0..<Self.trials).count { _ in try trial(&random) }) / Double(Self.trials)
  }

  @Test(arguments: [(6, 0.05), (10, 0.1), (20, 0.1)]) func pairs(pilot: Int, deviation: Double) throws {
    let (effect, level) = (0.1, 0.005)
    let power = try power { random in
      let count = try #require(
        Planning.pairs(
          random.normal(pilot, mean: 0.3, deviation: deviation), effect: effect, level: level, using: &random))
      let sample = random.normal(count, mean: effect, deviation: deviation)
      return (SignedRank(sample)?.pAbove ?? 1) <= level
    }
    #expect(power >= Planning.power, "\(power)")
  }

  @Test(arguments: [(6, 0.05), (10, 0.1)]) func samples(pilot: Int, deviation: Double) throws {
    let (effect, level) = (0.1, 0.025)
    let power = try power { random in
      let count = try #require(
        Planning.samples(random.normal(pilot, deviation: deviation), effect: effect, level: level, using: &random))
      let base = random.normal(count, deviation: deviation)
      let head = random.normal(count, mean: effect, deviation: deviation)
      return (MannWhitney.tails(head, base)?.above ?? 1) <= level
    }
    #expect(power >= Planning.power, "\(power)")
  }

  @Test(arguments: [0.02, 0.05]) func runs(deviation: Double) throws {
    let (effect, level) = (0.1, 0.025)
    let power = try power { random in
      let count = try #require(
        Planning.runs(deviation: deviation, effect: effect, level: level, using: &random))
      func runs(_ mean: Double) -> [[Double]] {
        (0..<count).map { _ in random.normal(1, mean: mean, deviation: deviation) }
      }
      return try #require(RunEffect(base: runs(0), head: runs(effect))).pAbove(0) <= level
    }
    #expect(power >= Planning.power, "\(power)")
  }

  @Test func theAdviceIsNotMuchMoreThanIsNeeded() throws {
    var random = SeededRandom(seed: 3)
    let wide = random.normal(40, deviation: 0.1)
    let count = try #require(Planning.pairs(wide, effect: 0.1, level: 0.005, using: &random))
    // Of normal differences (2.58 + 0.84)² · 1.05 = 12.
    #expect((10...24).contains(count), "\(count)")
  }

  @Test func nothingIsPromisedOfTooLittleOrTooMuch() {
    var random = SeededRandom(seed: 3)
    let few = random.normal(4, deviation: 0.1)
    #expect(Planning.pairs(few, effect: 0.1, level: 0.01, using: &random) == nil)
    let wide = random.normal(10, deviation: 1)
    #expect(Planning.pairs(wide, effect: 0.001, level: 0.01, using: &random) == nil)
    #expect(Planning.samples(wide, effect: 0, level: 0.01, using: &random) == nil)
    #expect(Planning.runs(deviation: 1, effect: 0.01, level: 0.01, using: &random) == nil)
  }

  @Test func sixPairsThatAreAllTheSameNeedNoMoreThanTheTest() {
    var random = SeededRandom(seed: 3)
    // 2⁻⁷ is the first below the level.
    #expect(Planning.pairs([0, 0, 0, 0, 0, 0], effect: 0.1, level: 0.01, using: &random) == 7)
  }
}
