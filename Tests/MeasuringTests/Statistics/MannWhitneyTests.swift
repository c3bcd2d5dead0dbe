import Scheduling
import Testing

@testable import Measuring

struct MannWhitneyTests {
  @Test func uCountsPairsAndHalvesTies() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<100 {
      let first = draw(&random)
      let second = draw(&random)
      var pairs = 0.0
      for a in first { for b in second { pairs += a > b ? 1 : a == b ? 0.5 : 0 } }
      let test = try #require(MannWhitney(first, second))
      #expect(test.u == pairs)
    }
  }

  @Test func swappingTheSamplesTurnsTheSign() throws {
    var random = SeededRandom(seed: 2)
    for _ in 0..<100 {
      let first = draw(&random)
      let second = draw(&random)
      let there = try #require(MannWhitney(first, second))
      let back = try #require(MannWhitney(second, first))
      #expect(there.u + back.u == Double(first.count * second.count))
      #expect(there.z == -back.z)
      #expect(there.p == back.p)
    }
  }

  /// Worked by hand: U = 0 of 25 pairs, mean 12.5, variance 25·11/12, z = (−12.5 + 0.5)/4.787.
  @Test func separatedSamplesOfFive() throws {
    let test = try #require(MannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]))
    #expect(test.u == 0)
    #expect(abs(test.z - -2.506_7) < 1e-4)
    #expect(abs(test.p - 0.012_186) < 1e-5)
  }

  /// Worked by hand: ranks 1, 2, 4, 4, 4, 6 with one tie of three; U = 2; variance 9/12·(7 − 24/30) = 4.65.
  @Test func tiesLowerTheVariance() throws {
    let test = try #require(MannWhitney([1, 2, 5], [5, 5, 9]))
    #expect(test.u == 1)
    #expect(abs(test.z - (1 - 4.5 + 0.5) / 4.65.squareRoot()) < 1e-12)
  }

  @Test func equalSamplesShowNothing() {
    #expect(MannWhitney([2, 2, 2], [2, 2])?.p == 1)
    #expect(MannWhitney([1], [1])?.p == 1)
  }

  @Test func anEmptySampleCannotBeCompared() {
    #expect(MannWhitney([], [1]) == nil)
    #expect(MannWhitney([1], []) == nil)
  }

  @Test func samplesOfOneDistributionAreSeldomCalledDifferent() throws {
    var random = SeededRandom(seed: 9)
    var called = 0
    for _ in 0..<400 {
      let first = (0..<12).map { _ in Double.random(in: 0...1, using: &random) }
      let second = (0..<12).map { _ in Double.random(in: 0...1, using: &random) }
      if try #require(MannWhitney(first, second)).p < 0.05 { called += 1 }
    }
    #expect(called <= 36, "5 % of 400 are 20, and \(called) were seen")
  }

  private func draw(_ random: inout SeededRandom) -> [Double] {
    (0..<Int.random(in: 1...12, using: &random)).map { _ in Double(Int.random(in: 0...6, using: &random)) }
  }
}
