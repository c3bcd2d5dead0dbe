import Cells
import Checking
import Measuring
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

struct RunProgressTests {
  private static let text = "workload: import\nstrategies: [notification-merge, parent-child]\nrepetitions: 2\n"

  private func record(_ cell: PlannedCell, seconds: Double) -> CellRecord {
    let outcome = CellOutcome(
      end: .finished, results: [CheckResult(name: "lost-record", exercised: 1)], required: ["lost-record"],
      expectation: ScenarioExpectation())
    var row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
    row.untilVisibleSeconds = seconds
    row.mainThread = MainThreadTime(total: seconds / 10)
    return CellRecord(cell: cell, row: row, outcome: outcome, seconds: 0)
  }

  @Test func aTableShowsEveryStrategyBeforeItsFirstCellHasEnded() throws {
    let scenario = try readScenario(Self.text)
    let cells = Plan([scenario]).cells.filter { $0.variant.strategy == "parent-child" && !$0.isWarmup }
    let records = zip(cells, [1.0, 3.0]).map { record($0, seconds: $1) }
    let lines = LiveTable(scenario, records).lines(colour: false, width: 200)
    #expect(lines[0].hasPrefix("test so far: medians, and the 95 % interval of each"))
    let narrow = LiveTable(scenario, records).lines(colour: false, width: 60)
    #expect(narrow.allSatisfy { $0.count <= 60 })
    #expect(narrow.prefix(2).joined(separator: " ").hasSuffix("(the range of fewer than 6 cells)"))
    let waiting = try #require(lines.first { $0.hasPrefix("notification-merge ") })
    #expect(waiting.split(separator: " ").map(String.init) == ["notification-merge", "0", "–", "–", "–", "–"])
    let ended = try #require(lines.first { $0.hasPrefix("parent-child ") })
    let words = ended.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    #expect(words == "parent-child 2 2.00 s 1.00 s…3.00 s 200 ms 100 ms…300 ms – held")
  }

  @Test func aTableIsDrawnOverTheOneBefore() throws {
    var written: [String] = []
    let scenario = try readScenario(Self.text)
    var progress = RunProgress(total: 4, start: 0, size: { (200, 40) }, table: { written.append($0) })
    progress.update(done: 0, label: "first", of: scenario, now: 0)
    progress.add(record(Plan([scenario]).cells[0], seconds: 1), done: 1, now: 2_000_000_000)
    progress.update(done: 1, label: "second", of: scenario, now: 2_000_000_000)
    progress.clear()
    progress.clear()
    #expect(written.count == 3)
    let height = written[0].split(separator: "\n").count
    #expect(!written[0].hasPrefix("\u{1B}"))
    #expect(written[1].hasPrefix("\u{1B}[\(height)A\r\u{1B}[J"))
    #expect(written[1].hasSuffix("1/4  2.00 s  about 6.00 s left  second\n"))
    #expect(written[2] == "\u{1B}[\(height)A\r\u{1B}[J")
  }

  @Test(arguments: [4, 5, 24]) func aTableStaysOnAScreenOfThatManyRows(rows: Int) throws {
    var written = ""
    let scenario = try readScenario(
      Self.text + "options: {parent-child: {save_every: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]}}\n")
    var progress = RunProgress(total: 4, start: 0, size: { (100, rows) }, table: { written += $0 })
    progress.update(done: 0, label: String(repeating: "x", count: 99), of: scenario, now: 0)
    let lines = written.split(separator: "\n")
    #expect(lines.count < rows)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(written.contains("more rows") == (rows < 16))
  }

  @Test func elsewhereThanOnATerminalEachCellIsALine() throws {
    var written: [String] = []
    let scenario = try readScenario(Self.text)
    let cells = Plan([scenario]).cells.filter { $0.variant.strategy == "parent-child" }
    var progress = RunProgress(total: cells.count, start: 0, lines: { written.append($0) })
    for (done, cell) in cells.enumerated() {
      progress.update(done: done, label: "not shown", of: scenario, now: 0)
      progress.add(record(cell, seconds: Double(done + 1)), done: done + 1, now: 1_000_000_000)
    }
    progress.clear()
    #expect(written.count == cells.count)
    #expect(written.first?.hasSuffix("test parent-child: held (warm-up)\n") == cells[0].isWarmup)
    #expect(
      written.last?.hasPrefix("\(cells.count)/\(cells.count)  1.00 s  test parent-child: held; medians of 2: ") == true)
    #expect(written.last?.contains("until visible 2.50 s (2.00 s…3.00 s)") == cells[0].isWarmup)
  }
}
