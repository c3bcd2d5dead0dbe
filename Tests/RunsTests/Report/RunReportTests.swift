import Cells
import Checking
import Foundation
import Measuring
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

@Suite struct RunReportTests {
  private let strategies = "workload: import\nstrategies: [notification-merge, parent-child]\nrepetitions: 2\n"

  /// A report of a plan with the same in all cells.
  private func report(
    _ text: String, results: [CheckResult] = [CheckResult(name: "lost-record", exercised: 1)],
    mainThreadSeconds: (String) -> Double = { _ in 1 }
  ) throws -> RunReport {
    let scenario = try readScenario(text)
    let cells = Plan([scenario]).cells
    var report = RunReport(folder: "results", plannedCellCount: cells.count, replay: ReplayCommand())
    for cell in cells {
      let outcome = CellOutcome(
        end: .finished, results: results, required: ["lost-record"],
        expectation: scenario.expectation(for: cell.variant.strategy))
      var row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
      row.mainThread = MainThreadTime(total: mainThreadSeconds(cell.variant.strategy) + Double(cell.repetition) / 100)
      report.add(CellRecord(cell: cell, row: row, outcome: outcome, seconds: 0))
    }
    return report
  }

  private let lost = CheckResult(
    name: "lost-record", exercised: 1,
    violations: [Violation(kind: .lostRecord, subject: "Note 7", expected: "there", seen: "gone")])

  @Test func theTableHasARowAStrategyAndTheFolderIsTheLastLine() throws {
    let text = try report(strategies).text(colour: false)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "test, medians of 2 repetitions")
    #expect(lines.count { $0.hasPrefix("notification-merge ") && $0.hasSuffix("held") } == 1)
    #expect(lines.count { $0.hasPrefix("parent-child ") && $0.hasSuffix("held") } == 1)
    #expect(lines.last == "results")
    #expect(try report(strategies).ending == .passed)
  }

  @Test func theTableEndsWithWhatItSaysOfTheStrategies() throws {
    let few = try report(strategies) { $0 == "parent-child" ? 8 : 2 }.text(colour: false)
    #expect(few.contains("\ntest: 2 of 2 strategies held\n  main thread  too few to rank (2 of 5)"))
    let five = try report(strategies.replacingOccurrences(of: "repetitions: 2", with: "repetitions: 5")) {
      $0 == "parent-child" ? 8 : 2
    }
    let conclusion = five.text(colour: false)
    #expect(conclusion.contains("main thread  notification-merge keeps main freest ("))
    #expect(conclusion.contains("; next is parent-child, 3.97× (3."))
  }

  @Test func theArmsOfPairsAreCompared() throws {
    let scenario = try readScenario(strategies + "aa: true\n")
    var report = RunReport(folder: "results", plannedCellCount: 8, replay: ReplayCommand())
    for cell in Plan([scenario]).cells {
      let outcome = CellOutcome(end: .finished, results: [], required: [], expectation: ScenarioExpectation())
      var row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
      row.arm = cell.arm
      row.untilDurableSeconds = cell.arm == .b ? 2 : 1
      report.add(CellRecord(cell: cell, row: row, outcome: outcome, seconds: 0))
    }
    let text = report.text(colour: false)
    for strategy in ["parent-child", "notification-merge"] {
      #expect(text.contains("until durable, \(strategy), arm b / arm a: 2.00×\n"))
    }
    #expect(try !self.report(strategies).text(colour: false).contains("arm a"))
  }

  @Test func warningsAreShown() throws {
    var report = try report(strategies)
    report.addWarning("something is missing.")
    #expect(report.text(colour: false).contains("warning: something is missing.\n"))
    #expect(report.ending == .passed)
  }

  @Test func thereIsNoMainThreadRatioOfOneRepetitionOrOfSeveralOptionSets() throws {
    let once = strategies.replacing("repetitions: 2", with: "repetitions: 1")
    #expect(try !report(once).text(colour: false).contains("main thread, parent-child"))
    let crossed = strategies + "options: {parent-child: {save_every: [10, 20]}}\n"
    let text = try report(crossed).text(colour: false)
    #expect(!text.contains("main thread, parent-child"))
    #expect(text.contains("parent-child save_every=10 ") && text.contains("parent-child save_every=20 "))
  }

  @Test func violationsOfOneKindAreOneParagraphWithTheirCommand() throws {
    let report = try report(strategies, results: [lost])
    let text = report.text(colour: false)
    #expect(report.ending == .violated)
    #expect(text.contains("violation: lost-record in 2 of 2 cells of test, parent-child\n"))
    #expect(
      text.contains("to reproduce (by repetition): contextbench run test.yml --strategy parent-child --seed 1 ")
    )
    #expect(text.contains("not passed: test, parent-child, 2 cells, the first cell "))
  }

  @Test func anExpectedViolationIsShownAndPasses() throws {
    let report = try report(strategies + "expect: {must: [lost-record]}\n", results: [lost])
    #expect(report.ending == .passed)
    let text = report.text(colour: false)
    #expect(text.contains("expected: lost-record in 2 of 2 cells"))
    #expect(text.contains("violated, as expected"))
    #expect(!text.contains("not passed"))
  }

  @Test func anInterruptedReportSaysHowFarItCame() throws {
    #expect(try report(strategies).interrupted().text(colour: false).contains("interrupted after 4 of 4 cells\n"))
  }

  @Test func aHarnessFailureIsTheWorstEnding() throws {
    var report = try report(strategies, results: [lost])
    report.addHarnessFailure("the floor failed")
    #expect(report.ending == .harnessFailed)
    #expect(report.text(colour: false).contains("not passed: the floor failed\n"))
  }

  @Test func strategiesThatAreVisibleSoonerComeFirstAndThoseWithoutATimeLast() throws {
    let scenario = try readScenario(
      "workload: import\nstrategies: [notification-merge, main-only, parent-child]\nrepetitions: 1\n")
    var report = RunReport(folder: "results", plannedCellCount: 3, replay: ReplayCommand())
    for cell in Plan([scenario]).cells where !cell.isWarmup {
      let outcome = CellOutcome(end: .finished, results: [], required: [], expectation: ScenarioExpectation())
      var row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
      row.untilVisibleSeconds = ["notification-merge": 3, "parent-child": 2][cell.variant.strategy]
      report.add(CellRecord(cell: cell, row: row, outcome: outcome, seconds: 0))
    }
    let names = report.text(of: "test", colour: false).split(separator: "\n").dropFirst(3).prefix(3)
      .map { $0.prefix { $0 != " " } }
    #expect(names == ["parent-child", "notification-merge", "main-only"])
  }

  @Test func sentencesFitTheTerminal() throws {
    var report = try report(strategies)
    report.addWarning("these are rather many words, of which no line of a narrow terminal has room for all")
    let text = report.text(colour: false, width: 60)
    #expect(
      text.contains(
        """
        warning: these are rather many words, of which no line of
          a narrow terminal has room for all

        """))
    #expect(!report.text(colour: false).contains("of\n"))
  }

  @Test func aTableThatWasShownIsNotShownAgain() throws {
    var report = try report(strategies)
    let table = report.text(of: "test", colour: false)
    #expect(table.hasPrefix("test, medians of 2 repetitions\n"))
    #expect(report.text(colour: false).hasPrefix(table))
    report.markShown("test")
    #expect(report.text(colour: false) == "\nresults\n")
  }
}
