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
      let p = try #require(MannWhitney.exactP(choice.map(Double.init), second.map(Double.init)))
      #expect(abs(p - expected) < 1e-12)
    }
  }

  private static func choices(_ count: Int, of ranks: ArraySlice<Int>) -> [[Int]] {
    guard count > 0 else { return [[]] }
    guard let first = ranks.first else { return [] }
    return choices(count - 1, of: ranks.dropFirst()).map { [first] + $0 } + choices(count, of: ranks.dropFirst())
  }

  @Test func theSmallestIsThatOfSeparateSamples() throws {
    for count in 2...12 {
      let low = (0..<count).map(Double.init)
      let p = try #require(MannWhitney.exactP(low, low.map { $0 + 100 }))
      #expect(abs(p - MannWhitney.smallestP(count, count)) < 1e-12)
    }
  }

  @Test func isCloseToTheApproximationForLargeSamples() throws {
    let first: [Double] = (0..<20).map { (number: Int) -> Double in Double(number * number % 61 * 100 + number) }
    let second: [Double] = (0..<20).map { (number: Int) -> Double in Double(number * 7 % 53 * 100 + 50 + number) }
    let exact = try #require(MannWhitney.exactP(first, second))
    let close = try #require(MannWhitney(first, second)?.p)
    #expect(abs(exact - close) < 0.01)
  }

  @Test func tiesAndLargeSamplesHaveNone() {
    #expect(MannWhitney.exactP([1, 2], [2, 3]) == nil)
    #expect(MannWhitney.exactP([], [2, 3]) == nil)
    #expect(MannWhitney.exactP((0..<30).map(Double.init), [0.5]) == nil)
  }
}
