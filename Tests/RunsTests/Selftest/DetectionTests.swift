import Cells
import Checking
import Reporting
import ScenarioSamples
import Testing

@testable import Runs

struct DetectionTests {
  private static let must =
    "repetitions: 3\nchecks: [lost-record]\nexpect: {must: [{kind: lost-record, at_least: 2}]}\n"
  private static let held = CheckResult(name: "lost-record", exercised: 1)
  private static let idle = CheckResult(name: "lost-record", exercised: 0)

  private static func lost(_ count: Int) -> CheckResult {
    CheckResult(
      name: "lost-record", exercised: 1,
      violations: [Violation(kind: .lostRecord, subject: "Note", expected: "there", seen: "gone", count: count)])
  }

  /// The row of a pair with these cells, by seed from 1 on; each cell takes a second.
  private func row(
    must: String = must, careless: (UInt64) -> CheckResult, careful: (UInt64) -> CheckResult
  ) throws -> DetectionRow {
    var (wrong, right) = (try readScenario(minimal + must), try readScenario(minimal + "repetitions: 3\n"))
    (wrong.name, right.name) = ("a", "a-careful")
    let records = Plan([wrong, right]).cells.map { cell in
      let result = cell.scenario.name == "a" ? careless(cell.seed) : careful(cell.seed)
      let outcome = CellOutcome(
        end: .finished, results: [result], required: ["lost-record"],
        expectation: cell.scenario.expectation(for: cell.variant.strategy))
      return CellRecord(
        cell: cell, row: CellRow(key: cell.key(run: "r"), verdict: outcome.verdict), outcome: outcome, seconds: 1)
    }
    let pair = HazardPair(name: "a", careless: wrong, careful: right)
    return try #require(Detection(pair: pair, records: records, run: "r").rows.first)
  }

  @Test func whatIsCaughtInEverySeedWithoutAnAlarmIsAProof() throws {
    let row = try row(careless: { _ in Self.lost(2) }, careful: { _ in Self.held })
    #expect(row.kind == "lost-record" && row.proof == .hazard)
    #expect(row.caught == 3 && row.seeds == 3 && row.falseAlarms == 0 && row.carefulSeeds == 3 && row.holds)
    #expect(row.secondsToFirst == 1)
  }

  @Test func aSeedInWhichItWasSeenTooSeldomIsMissed() throws {
    let row = try row(careless: { Self.lost($0 == 3 ? 2 : 1) }, careful: { _ in Self.held })
    #expect(row.caught == 1 && !row.holds)
    // Two strategies a seed, two seeds without, then the first cell of the third.
    #expect(row.secondsToFirst == 5)
  }

  @Test(arguments: [("there: gone", 3), ("there: lost", 0)]) func onlyViolationsWithTheTextAreCaught(
    text: String, caught: Int
  ) throws {
    let must = Self.must.replacing("at_least: 2", with: "containing: '\(text)'")
    let row = try row(must: must, careless: { _ in Self.lost(2) }, careful: { _ in Self.held })
    #expect(row.caught == caught && row.holds == (caught == 3))
  }

  @Test func aKindIsCaughtWhereAllItsEntriesAre() throws {
    let must = Self.must.replacing("at_least: 2}", with: "at_least: 2}, {kind: lost-record, containing: lost}")
    let row = try row(must: must, careless: { _ in Self.lost(2) }, careful: { _ in Self.held })
    #expect(row.caught == 0 && row.seeds == 3 && !row.holds)
  }

  @Test func anAlarmOnTheRightWayIsCountedBySeed() throws {
    let row = try row(careless: { _ in Self.lost(2) }, careful: { $0 == 2 ? Self.lost(1) : Self.held })
    #expect(row.caught == 3 && row.falseAlarms == 1 && !row.holds)
  }

  @Test func aRightWayThatHadNothingToCheckIsNoProof() throws {
    let row = try row(careless: { _ in Self.lost(2) }, careful: { $0 == 2 ? Self.idle : Self.held })
    #expect(row.inconclusive == 1 && row.falseAlarms == 0 && !row.holds)
  }
}
