import Checking
import Testing

@testable import Reporting

/// Comparisons of cells with counted instructions.
struct CountComparisonTests {
  private static let strategies = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]

  /// Nine strategies, each with its own count, a few hundredths of a percent apart from cell to cell.
  private func rows(_ factor: Double, count: Int, arm: Arm?, salt: UInt64, run: String = "run") -> [CellRow] {
    var random = SampleGenerator(state: salt)
    return Self.strategies.enumerated().flatMap { place, strategy in
      (0..<count).map { repetition in
        var key = Samples.key(cell: repetition, scenario: "import")
        (key.run, key.strategy, key.repetition, key.seed) = (run, strategy, repetition, UInt64(repetition))
        var row = CellRow(key: key, verdict: .notExercised)
        row.arm = arm
        row.instructions = UInt64(
          Double(400_000_000 + 50_000_000 * place) * factor * (1 + 0.0003 * Double.random(in: -1...1, using: &random)))
        return row
      }
    }
  }

  private func results(_ rows: [CellRow]) -> Results {
    Results(path: "results", cells: rows, timings: [], violations: [])
  }

  private func sideBySide(_ factor: Double, count: Int, salt: UInt64 = 1) throws -> Comparison {
    try Comparison(
      sideBySide: results(
        rows(1, count: count, arm: .base, salt: salt) + rows(factor, count: count, arm: .head, salt: salt + 100)),
      options: ComparisonOptions())
  }

  @Test(arguments: 1...20) func fivePairsShowTwoPercentInEveryStrategy(salt: UInt64) throws {
    let comparison = try sideBySide(1.02, count: 5, salt: salt)
    #expect(comparison.rows.count == Self.strategies.count + 1)
    #expect(comparison.rows.allSatisfy { $0.metric.isPrimary && $0.verdict == .worse })
  }

  @Test(arguments: [1, 1.005, 0.995]) func lessThanTheMinimumEffectIsEquivalent(factor: Double) throws {
    #expect(try sideBySide(factor, count: 5).rows.allSatisfy { $0.verdict == .equivalent })
  }

  @Test func twoPairsSayWhatWouldDecide() throws {
    let comparison = try sideBySide(1.5, count: 2).planned()
    #expect(comparison.isInconclusive && comparison.rows.allSatisfy { !$0.canShow && $0.needed == .cells(5) })
  }

  /// Cells of two runs are partners when strategy, seed and repetition are the same.
  @Test func twoRunsAreComparedPairByPair() throws {
    let base = rows(1, count: 5, arm: nil, salt: 1, run: "one")
    let comparison = try Comparison(
      base: results(base), head: results(rows(0.97, count: 7, arm: nil, salt: 2, run: "two")),
      options: ComparisonOptions())
    #expect(comparison.rows.allSatisfy { $0.verdict == .better && $0.headCount == 5 && !$0.isAdvisory })
    let elsewhere = rows(1, count: 5, arm: nil, salt: 1).map { row in
      var row = row
      row.key.seed += 77
      return row
    }
    #expect(throws: ComparisonProblem.self) {
      try Comparison(base: results(base), head: results(elsewhere), options: ComparisonOptions())
    }
  }

  @Test func aCountIsNotComparedWithATime() {
    let counted = results(rows(1, count: 5, arm: nil, salt: 1))
    let timed = results(
      counted.cells.map { row in
        var row = row
        row.instructions = nil
        row.untilDurableSeconds = 1
        return row
      })
    for (base, head) in [(counted, timed), (timed, counted)] {
      #expect(throws: ComparisonProblem.self) {
        try Comparison(base: base, head: head, options: ComparisonOptions())
      }
    }
  }
}
