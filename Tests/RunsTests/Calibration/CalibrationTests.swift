import Boundary
import Checking
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

@Suite struct CalibrationTests {
  private static func plan(steps: Int?, seed: UInt64 = 5) throws -> CalibrationPlan {
    CalibrationPlan(try readScenario(minimal + "floor: true\n"), repetitions: 6, seed: seed) { _ in steps }
  }

  @Test func everyStrategyIsInBaseAndHeadOfEachRepetitionSideBySide() throws {
    let plan = try Self.plan(steps: 7)
    #expect(plan.plan.blocks.count == 6)
    #expect(plan.plan.cells.map(\.number) == Array(0..<24))
    for block in plan.plan.blocks {
      #expect(block.floors.count == 1)
      for start in stride(from: 0, to: block.cells.count, by: 2) {
        let pair = block.cells[start..<start + 2]
        #expect(Set(pair.map(\.variant.strategy)).count == 1)
        #expect(Set(pair.map(\.arm)) == [.base, .head])
        #expect(Set(pair.map(\.seed)).count == 1)
      }
    }
    // The order of a pair is drawn.
    let first = plan.plan.blocks.flatMap { block in block.cells.enumerated().filter { $0.offset % 2 == 0 } }
    #expect(Set(first.map(\.element.arm)) == [.base, .head])
  }

  @Test(arguments: [nil, 7])
  func onlyTheHeadIsSlowed(steps: Int?) throws {
    for cell in try Self.plan(steps: steps).plan.cells {
      #expect(cell.settings.values[Slowdown.key] == String(cell.arm == .head ? steps ?? 0 : 0))
    }
  }

  // MARK: The scale

  private static func row(_ strategy: String, _ arm: Arm, seconds: Double) -> CellRow {
    var row = CellRow(
      key: CellKey(
        run: "r", cell: 0, scenario: "import", strategy: strategy, options: "", mergePolicy: "error", seed: 1,
        repetition: 0), verdict: .held)
    row.arm = arm
    row.floorSeconds = seconds
    return row
  }

  @Test func stepsFollowFromWhatTheProbeCost() throws {
    let probe = Double(SlowdownScale.probeSteps)
    // A step costs 1 ms for main-only, 4 ms for parent-child.
    let rows = [
      Self.row("main-only", .base, seconds: 10), Self.row("main-only", .head, seconds: 10 + probe / 1_000),
      Self.row("parent-child", .base, seconds: 20), Self.row("parent-child", .head, seconds: 20 + probe / 250),
    ]
    let scale = try SlowdownScale(rows, cost: \.floorSeconds)
    #expect(scale.steps("main-only", share: 0.05) == 500)
    #expect(scale.steps("parent-child", share: 0.05) == 250)
    #expect(scale.steps("nested-writer", share: 0.05) == nil)
  }

  @Test func stepsThatCostNothingAreNoScale() {
    let rows = [Self.row("main-only", .base, seconds: 10), Self.row("main-only", .head, seconds: 10.1)]
    #expect(throws: HarnessFailure.self) { try SlowdownScale(rows, cost: \.floorSeconds) }
    #expect(throws: HarnessFailure.self) { try SlowdownScale(rows) { _ in nil } }
  }

  @Test func bothSidesHaveTheSameSubjects() throws {
    let plan = try Self.plan(steps: 7)
    let records = plan.plan.cells.map { cell in
      CellRecord(
        cell: cell, row: CellRow(key: cell.key(run: "r"), verdict: .held),
        outcome: CellOutcome(end: .finished, results: [], required: [], expectation: ScenarioExpectation()), seconds: 0)
    }
    let rows = zip(CalibrationPlan.rows(records), plan.plan.cells).map { row, cell in
      var row = row
      row.arm = cell.arm
      return row
    }
    let base = CalibrationPlan.base(rows)
    #expect(base.count == 12 && base.allSatisfy { $0.arm == nil })
    let head = rows.filter { $0.arm == .head }
    #expect(Set(base.map(\.key.options)) == Set(head.map(\.key.options)))
    #expect(head.count == 12 && head.allSatisfy { !$0.key.options.contains("slowdown") })
  }

  private static let shares = [0.05, 0.1, 0.15]

  private static func options(same: Int, slowed: Int) throws -> CalibrationOptions {
    CalibrationOptions(
      run: RunOptions(
        scenarios: [], vocabulary: testVocabulary, executable: "x", arguments: [], version: "0", allocator: "system"),
      scenario: try readScenario(minimal), samePairs: same, slowedPairs: slowed, shares: shares, repetitions: 2)
  }

  @Test func kindsOfPairsAreSpreadOverTheWhole() throws {
    let trials = try Self.options(same: 40, slowed: 20).trials
    #expect(trials.count == 100)
    for kind in [nil] + Self.shares {
      let places = trials.indices.filter { trials[$0] == kind }
      #expect(places.count == (kind == nil ? 40 : 20))
      #expect(places.count { $0 < 50 } * 2 == places.count)
    }
    #expect(try Self.options(same: 0, slowed: 1).trials.compactMap(\.self).count == 3)
  }

  // MARK: The report

  private static func rows(
    _ share: Double?, pairs: Int, differing: Int, verdict: ComparisonRow.Verdict,
    method: CalibrationRow.Method = .beside
  ) -> [CalibrationRow] {
    (0..<pairs).map { pair in
      var row = CalibrationRow.empty
      row.share = share
      row.pair = pair + (share.flatMap(shares.firstIndex(of:)).map { 1_000 * ($0 + 1) } ?? 0)
      row.method = method
      (row.role, row.canShow) = ("primary", true)
      row.verdict = pair < differing ? verdict : .inconclusive
      return row
    }
  }

  @Test(
    arguments: [
      (0, 20, nil), (1, 18, "A/A side by side: 1 of 40 comparisons show a difference"),
      (0, 17, "a slowdown of 15.0 % was found in 17 of 20"),
    ] as [(Int, Int, String?)])
  func theLimitsAreKept(alarms: Int, found: Int, failure: String?) {
    var report = CalibrationReport(folder: "f", shares: Self.shares)
    report.add(Self.rows(nil, pairs: 40, differing: alarms, verdict: .worse), failures: [])
    report.add(Self.rows(0.05, pairs: 20, differing: 18, verdict: .worse), failures: [])
    report.add(Self.rows(0.1, pairs: 20, differing: 20, verdict: .worse), failures: [])
    report.add(Self.rows(0.15, pairs: 20, differing: found, verdict: .worse), failures: [])
    #expect(report.ending == (failure == nil ? .passed : .violated))
    if let failure { #expect(report.text(colour: false).contains(failure), "\(report.text(colour: false))") }
  }

  @Test func runsOfTheSameThingAreJudgedApartFromWhatRanSideBySide() {
    var report = CalibrationReport(folder: "f", shares: Self.shares)
    report.add(Self.rows(nil, pairs: 40, differing: 0, verdict: .worse), failures: [])
    report.add(Self.rows(nil, pairs: 99, differing: 5, verdict: .worse, method: .apart), failures: [])
    #expect(
      report.failures == [
        "A/A between runs: 5 of 99 comparisons show a difference", "A/A between runs raised an alarm in 5 of 99 pairs",
      ])
  }

  @Test func whatCouldNotAlarmIsNoProof() {
    var report = CalibrationReport(folder: "f", shares: Self.shares)
    let rows = Self.rows(nil, pairs: 40, differing: 0, verdict: .worse).map { row in
      var row = row
      row.canShow = false
      return row
    }
    report.add(rows, failures: [])
    #expect(report.failures == ["A/A side by side: no comparison has enough cells to raise an alarm"])
  }

  @Test func aSecondaryRowRaisesNoAlarm() {
    var report = CalibrationReport(folder: "f", shares: Self.shares)
    let rows =
      (Self.rows(nil, pairs: 400, differing: 0, verdict: .worse)
        + Self.rows(nil, pairs: 3, differing: 3, verdict: .worse).map { row in
          var row = row
          row.role = "secondary"
          return row
        })
    report.add(rows, failures: [])
    #expect(report.failures.isEmpty, "\(report.failures)")
  }

  @Test func aSlowdownThatLooksFasterIsNotFound() {
    var report = CalibrationReport(folder: "f", shares: Self.shares)
    report.add(Self.rows(0.05, pairs: 20, differing: 20, verdict: .better), failures: [])
    #expect(report.failures == ["a slowdown of 5.00 % was found in 0 of 20 pairs"])
  }

  @Test(arguments: [80, 120, 200]) func theTableFitsATerminal(width: Int) {
    var report = CalibrationReport(folder: "f", shares: Self.shares)
    report.add(Self.rows(nil, pairs: 1_234, differing: 0, verdict: .worse), failures: [])
    report.add(Self.rows(nil, pairs: 20, differing: 0, verdict: .worse, method: .apart), failures: [])
    for share in Self.shares {
      report.add(Self.rows(share, pairs: 20, differing: 20, verdict: .worse), failures: [])
    }
    let lines = report.text(colour: false, width: width).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines.joined(separator: "\n"))")
    let same = lines.first { $0.hasPrefix("nothing  ") && $0.contains("side by side") } ?? ""
    #expect(same.contains("  1234 "), "\(same)")
    for column in ["pairs", "alarms"] { #expect(lines[0].contains(column) || lines[1].contains(column)) }
    #expect(width < 200 || lines[0].contains("instructions"), "\(lines[0])")
  }
}
