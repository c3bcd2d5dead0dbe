import Checking
import Testing

@testable import Reporting

struct PairComparisonTests {
  private static let metric = ComparedMetric("until_durable_s", effectMin: 0.02)

  /// Pairs with times that differ by a factor and a few percent, while the machine is up to twice as slow from pair to pair.
  private func pairs(
    _ factors: [String: Double], count: Int, salt: UInt64 = 1, base: Arm = .base, head: Arm = .head
  ) -> [CellRow] {
    var random = SampleGenerator(state: salt)
    return factors.sorted { $0.key < $1.key }.flatMap { strategy, factor in
      (0..<count).flatMap { repetition in
        let machine = Double.random(in: 1...2, using: &random)
        return [base, head].map { arm in
          var key = Samples.key(cell: repetition, scenario: "import")
          key.strategy = strategy
          key.repetition = repetition
          var row = CellRow(key: key, verdict: .held)
          row.arm = arm
          row.untilDurableSeconds =
            machine * (arm == head ? factor : 1) * (1 + 0.02 * Double.random(in: -1...1, using: &random))
          return row
        }
      }
    }
  }

  private func compare(_ rows: [CellRow]) -> Comparison { Comparison(pairsOf: rows) { _ in [Self.metric] } }

  @Test(arguments: 1...20) func anAAComparisonShowsNoDifference(salt: UInt64) {
    let comparison = compare(pairs(["a": 1, "b": 1, "c": 1], count: 15, salt: salt))
    #expect(comparison.rows.count == 4)
    #expect(
      comparison.rows.allSatisfy { $0.verdict != .worse && $0.verdict != .better }, "\(comparison.text(colour: false))")
    #expect(comparison.rows.first { $0.subject.variant == nil }?.verdict == .equivalent)
  }

  @Test(arguments: [(1.06, ComparisonRow.Verdict.worse), (1 / 1.06, .better)])
  func aDifferenceFarBelowWhatTheMachineDoesIsShown(factor: Double, verdict: ComparisonRow.Verdict) throws {
    let rows = pairs(["a": 1, "b": factor, "c": 1], count: 15)
    let comparison = compare(rows)
    let row = try #require(comparison.rows.first { $0.subject.variant?.strategy == "b" })
    #expect(row.verdict == verdict, "\(comparison.text(colour: false))")
    #expect(abs(row.estimate.ratio / factor - 1) < 0.02)
    #expect(comparison.rows.first { $0.subject.variant?.strategy == "a" }?.verdict != verdict)
    // As two runs the same cells show nothing.
    func side(_ arm: Arm) -> [CellRow] {
      rows.filter { $0.arm == arm }.map { row in
        var row = row
        row.arm = nil
        return row
      }
    }
    let apart = Comparison(base: side(.base), head: side(.head)) { _ in [Self.metric] }
    #expect(apart.rows.allSatisfy { $0.leaning == .inconclusive }, "\(apart.text(colour: false))")
  }

  @Test func whatAllHaveInCommonIsShownWithFewRepetitions() throws {
    let comparison = compare(pairs(["a": 1.1, "b": 1.1, "c": 1.1], count: 8)).planned()
    let together = try #require(comparison.rows.first { $0.subject.variant == nil })
    // A value a repetition: its pairs are not independent.
    #expect(together.verdict == .worse && together.headCount == 8)
    let single = try #require(comparison.rows.first { $0.subject.variant != nil })
    #expect(single.verdict == .inconclusive && !single.canShow)
    guard case .cells(let count) = try #require(single.needed) else {
      Issue.record("cells would decide")
      return
    }
    #expect(count > 8)
    #expect(single.verdictText == "inconclusive: \(count - 8) more cells would decide")
    #expect(comparison.text(colour: false).contains("to decide: --repetitions "))
  }

  @Test(arguments: [2, 3, 4]) func aFactorOfTwoIsNotShownByAFewPairs(count: Int) {
    let comparison = compare(pairs(["a": 2], count: count))
    #expect(
      comparison.rows.allSatisfy { $0.verdict == .inconclusive && $0.estimate.interval == nil && $0.noise == nil })
    #expect(comparison.isInconclusive)
    #expect(comparison.text(colour: false).contains("unknown"))
  }

  @Test func aDifferenceBelowTheMinimumEffectIsNone() {
    let comparison = compare(pairs(["a": 1.01, "b": 1.01], count: 60))
    #expect(comparison.rows.allSatisfy { $0.verdict == .equivalent }, "\(comparison.text(colour: false))")
  }

  @Test func whatMustShowIsShownOrExcludedInEveryRow() {
    let rows = pairs(["a": 1, "b": 1], count: 12)
    func isInconclusive(_ effect: Double?) -> Bool {
      Comparison(pairsOf: rows, mustShow: effect) { _ in [Self.metric] }.isInconclusive
    }
    #expect(!isInconclusive(nil) && !isInconclusive(0.05))
    #expect(isInconclusive(0.003))
  }

  @Test func aRowThatAThresholdNamesMustNotStayInconclusive() throws {
    let rows = pairs(["a": 1, "b": 1], count: 30)
    func isInconclusive(_ thresholds: [Threshold]) throws -> Bool {
      var options = ComparisonOptions()
      options.thresholds = thresholds
      let comparison = try Comparison(sideBySide: Results(path: "here", cells: rows), options: options)
      return comparison.isInconclusive
    }
    let threshold = Threshold(
      scenario: nil, strategy: "b", column: "until_durable_s", effect: 0.000_1, source: "thresholds.yml:2")
    #expect(try !isInconclusive([]))
    #expect(try isInconclusive([threshold]))
  }

  @Test func thePairsOfTheSameThingTwiceAreComparedToo() {
    let comparison = compare(pairs(["a": 1, "b": 1.1], count: 15, base: .a, head: .b))
    #expect(comparison.regressions.contains { $0.subject.variant?.strategy == "b" })
  }

  @Test func aBaseWithoutAnyHeadIsMissing() {
    let rows = pairs(["a": 1, "b": 1], count: 15).filter { $0.key.strategy == "a" || $0.arm == .base }
    let comparison = compare(rows)
    #expect(comparison.missing.map(\.subject.variant?.strategy) == ["b"])
    #expect(comparison.rows.map(\.subject.variant?.strategy) == ["a"])
  }

  @Test func aPairOfWhichOneHasNoValueIsLeftOut() throws {
    var rows = pairs(["a": 1], count: 15)
    rows[0].untilDurableSeconds = nil
    rows[3].untilDurableSeconds = 0
    #expect(compare(rows).rows.first?.headCount == 13)
  }

  @Test func whatOnlyRanToBeComparedWithIsNoPartOfARun() {
    let rows = pairs(["a": 3], count: 10)
    let comparison = Comparison(base: rows, head: rows) { _ in [Self.metric] }
    #expect(comparison.rows.first?.headCount == 10)
  }

  @Test func aRunWithoutPairsSaysWhatToDo() {
    let rows = pairs(["a": 1], count: 2).map { row in
      var row = row
      row.arm = nil
      return row
    }
    let error = #expect(throws: ComparisonProblem.self) {
      try Comparison(sideBySide: Results(path: "here", cells: rows), options: ComparisonOptions())
    }
    #expect(error?.description.contains("here has no pairs of cells") == true)
    #expect(error?.description.contains("--against") == true)
  }

  @Test(arguments: [1.05, 1.3, 3]) func theSameDifferenceInEveryPairIsShown(factor: Double) {
    let rows = (0..<15).flatMap { repetition in
      [Arm.base, .head].map { arm in
        var key = Samples.key(cell: repetition, scenario: "import")
        key.repetition = repetition
        var row = CellRow(key: key, verdict: .held)
        row.arm = arm
        row.untilDurableSeconds = arm == .head ? factor : 1
        return row
      }
    }
    let row = compare(rows).rows.first
    #expect(row?.verdict == .worse && (row?.noise ?? 1) < 1e-9)
  }

  @Test func aTimeThatIsGoneIsNotMissing() {
    let rows = pairs(["a": 1], count: 15).map { row in
      var row = row
      if row.arm == .head { row.untilDurableSeconds = 0 }
      return row
    }
    let comparison = compare(rows + pairs(["b": 1], count: 15))
    #expect(comparison.missing.isEmpty)
    #expect(comparison.rows.map(\.subject.variant?.strategy) == ["b"])
  }

  @Test func aBaseThatCouldNotRunSaysSo() {
    let rows = pairs(["a": 1], count: 2).map { row in
      var row = row
      if row.arm == .base { row.untilDurableSeconds = nil }
      return row
    }
    let error = #expect(throws: ComparisonProblem.self) {
      try Comparison(sideBySide: Results(path: "here", cells: rows), options: ComparisonOptions())
    }
    #expect(error?.description.contains("no cell of the baseline in here has a value") == true)
  }

  @Test func aThresholdOfOneStrategyLeavesItAmongAll() throws {
    var options = ComparisonOptions()
    options.thresholds = [
      Threshold(scenario: nil, strategy: "b", column: "until_durable_s", effect: 0.5, source: "thresholds.yml:2")
    ]
    let rows = pairs(["a": 1.1, "b": 1.1], count: 15)
    let comparison = try Comparison(sideBySide: Results(path: "here", cells: rows), options: options)
    func row(_ strategy: String?) -> ComparisonRow? {
      comparison.rows.first {
        $0.subject.variant?.strategy == strategy && $0.metric.column == "until_durable_s"
      }
    }
    #expect(row("a")?.verdict == .worse && row("b")?.verdict == .equivalent)
    #expect(row(nil)?.headCount == 15 && row(nil)?.verdict == .worse)
  }
}
