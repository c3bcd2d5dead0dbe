import Testing

@testable import Measuring

struct MannWhitneyExactTests {
  /// By counting every way to choose the first sample's ranks.
  @Test(arguments: [(1, 1), (2, 3), (3, 3), (4, 5), (5, 5)])
  func agreesWithCountingEveryArrangement(n1: Int, n2: Int) throws {
    let ranks = Array(1...(n1 + n2))
    let choices = Self.choices(n1, of: ranks[...])
    func u(_ first: [Int]) -> Int {
      let second = ranks.filter { !first.contains($0) }
      return first.reduce(0) { sum, rank in sum + second.count { $0 < rank } }
    }
    let all = choices.map(u)
    for choice in choices {
      let tail = min(u(choice), n1 * n2 - u(choice))
      let expected = min(1, 2 * Double(all.count { $0 <= tail }) / Double(all.count))
      let second = ranks.filter { !choice.contains($0) }
      let p = try #require(MannWhitney.tails(choice.map(Double.init), second.map(Double.init))).p
      #expect(abs(p - expected) < 1e-12)
    }
  }

  private static func choices(_ count: Int, of ranks: ArraySlice<Int>) -> [[Int]] {
    guard count > 0 else { return [[]] }
    guard let first = ranks.first else { return [] }
    return choices(count - 1, of: ranks.dropFirst()).map { [first] + $0 } + choices(count, of: ranks.dropFirst())
  }

  /// Also with ties, as `scipy.stats.permutation_test` counts them.
  @Test func valuesThatAreEqualShareTheirRank() throws {
    let tied = try #require(MannWhitney.tails([1, 2, 2, 3, 5, 5, 7], [2, 3, 4, 5, 5, 8, 9, 9]))
    #expect(abs(tied.below - 539.0 / 6_435) < 1e-12)
    #expect(abs(tied.above - 0.935_198_135_198) < 1e-9)
    let distinct = try #require(MannWhitney.tails([4.1, 5.2, 6.3, 3.0, 2.2], [1.1, 5.0, 2.9, 0.3, 0.2, 2.1]))
    #expect(abs(distinct.above - 0.025_974_025_974) < 1e-9 && abs(distinct.below - 0.984_848_484_848) < 1e-9)
  }

  @Test func aFactorOfTwoIsShownAlsoWithTies() throws {
    let base = [1.0, 1, 1, 2, 2, 2, 2]
    let tails = try #require(MannWhitney.tails(base.map { 2 * $0 + 1 }, base))
    // One of 3,432 ways to choose the ranks.
    #expect(abs(tails.above - 1.0 / 3_432) < 1e-12)
  }

  @Test func isCloseToTheApproximationForLargeSamples() throws {
    let first: [Double] = (0..<20).map { (number: Int) -> Double in Double(number * number % 61 * 100 + number) }
    let second: [Double] = (0..<20).map { (number: Int) -> Double in Double(number * 7 % 53 * 100 + 50 + number) }
    let exact = try #require(MannWhitney.tails(first, second))
    let close = try #require(MannWhitney(first, second)?.p)
    #expect(abs(exact.p - close) < 0.01)
    // Beyond 25 values it is the approximation, and continues where the exact one ends.
    let large = try #require(MannWhitney.tails(first + (0..<6).map { 6_000 + Double($0) }, second))
    #expect(large.above < exact.above && abs(large.above + large.below - 1) < 0.02)
  }

  @Test func anEmptySampleHasNone() {
    #expect(MannWhitney.tails([], [2, 3]) == nil)
  }
}
