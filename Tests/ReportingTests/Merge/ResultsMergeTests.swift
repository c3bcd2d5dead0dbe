import Foundation
import Measuring
import Testing

@testable import Checking
@testable import Reporting

struct ResultsMergeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A plan of three blocks with two cells each; a shard has every second block, and all that only warm up.
  private func plan(_ shard: Int?, notes: String = "10", warmup: Int = 0) -> PlanDocument {
    let blocks = (0..<3).map { number in
      PlanDocument.Block(
        block: number, scenario: "import", seed: UInt64(number) + 1, repetition: number - warmup, floors: 0,
        cells: [0, 1].map {
          PlanDocument.Cell(cell: 2 * number + $0, strategy: ["a", "b"][$0], options: "", mergePolicy: "error")
        })
    }
    let none = PlanDocument.Expectation(must: [], may: [], notExercised: [])
    return PlanDocument(
      shard: shard.map { "\($0)/2" }, blockCount: 3, cellCount: 6,
      scenarios: [
        PlanDocument.PlannedScenario(
          name: "import", path: "import.yml", settings: ["notes": notes], checks: [], expect: none,
          expectByStrategy: [:])
      ],
      blocks: blocks.filter { block in
        block.repetition < 0 || shard.map { block.block % 2 == $0 - 1 } ?? true
      })
  }

  /// Writes a shard's results folder; `change` may spoil them.
  @discardableResult
  private func write(
    _ shard: Int, name: String? = nil, notes: String = "10", revision: String = "abc", warmup: Int = 0,
    change: (inout [CellRow]) -> Void = { _ in }
  ) throws -> String {
    let path = "\(folder.path)/\(name ?? "part-\(shard)")"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let plan = plan(shard, notes: notes, warmup: warmup)
    var manifest = ManifestTests.manifest
    manifest.run = "run-\(shard)"
    manifest.revision = revision
    manifest.startedAt = Date(timeIntervalSince1970: Double(1000 * (10 - shard)))
    try manifest.write(in: path)
    try plan.write(in: path)
    var rows = plan.blocks.filter { $0.repetition >= 0 }.flatMap { block in
      block.cells.map { cell in
        CellRow(
          key: CellKey(
            run: manifest.run, cell: cell.cell, scenario: "import", strategy: cell.strategy, options: "",
            mergePolicy: "error", seed: block.seed, repetition: block.repetition), verdict: .held)
      }
    }
    change(&rows)
    try CSVWriter(.cells, in: path).append(rows)
    try CSVWriter(.timings, in: path).append(
      rows.map {
        TimingRow(key: $0.key, phase: "import", operation: "save", role: "worker", summary: .init(count: 1))
      })
    try CSVWriter(.violations, in: path).append(
      rows.prefix(1).map { ViolationRow(key: $0.key, violation: Samples.violation(), isExpected: true, replay: "x") })
    if let cell = rows.first?.key.cell {
      try folder.write("{}\n", to: "\(name ?? "part-\(shard)")/histories/\(cell)/history.jsonl")
      try folder.write(
        HistogramLog(startSeconds: 0, entries: []).text, to: "\(name ?? "part-\(shard)")/histograms/\(cell).hlog")
    }
    return path
  }

  @Test(arguments: [true, false]) func partsBecomeOneWhole(isReversed: Bool) throws {
    let parts = [try write(1), try write(2)]
    let merge = try ResultsMerge(isReversed ? parts.reversed() : parts)
    let out = folder.path + "/whole"
    try merge.write(merge.joined(run: "whole", arguments: ["merge"]), to: out)
    let whole = try ExportedResults(readingFrom: out)
    #expect(whole.results.cells.map(\.key.cell) == Array(0..<6))
    #expect(whole.results.cells.map(\.key.run) == ["run-1", "run-1", "run-2", "run-2", "run-1", "run-1"])
    #expect(whole.results.timings.count == 6)
    #expect(whole.results.violations.map(\.key.cell) == [0, 2])
    #expect(whole.plan == plan(nil))
    #expect(whole.missingCells.isEmpty)
    #expect(whole.manifest.run == "whole" && whole.manifest.command == "merge")
    #expect(whole.manifest.seeds == [1, 2, 3])
    #expect(whole.manifest.startedAt == Date(timeIntervalSince1970: 8000))
    #expect(Set(whole.manifest.parts?.compactMap(\.shard) ?? []) == ["1/2", "2/2"])
    for file in ["histories/0/history.jsonl", "histories/2/history.jsonl", "histograms/0.hlog", "histograms/2.hlog"] {
      #expect(FileManager.default.fileExists(atPath: out + "/" + file), "\(file)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["part-1", "part-2", "whole"])
  }

  @Test func partsThatWarmedUpForThemselvesBecomeOneWhole() throws {
    let parts = [try write(1, warmup: 1), try write(2, warmup: 1)]
    try folder.write("1", to: "part-1/histories/0/history.jsonl")
    try folder.write("2", to: "part-2/histories/0/history.jsonl")
    let merge = try ResultsMerge(parts)
    let out = folder.path + "/whole"
    try merge.write(merge.joined(run: "whole", arguments: ["merge"]), to: out)
    let whole = try ExportedResults(readingFrom: out)
    #expect(whole.plan == plan(nil, warmup: 1))
    #expect(whole.results.cells.map(\.key.cell) == [2, 3, 4, 5])
    for (name, text) in [("0", "1"), ("run-2-0", "2")] {
      #expect(try String(contentsOfFile: "\(out)/histories/\(name)/history.jsonl", encoding: .utf8) == text)
    }
    #expect(
      refusal([parts[1]])
        == ["No folder has block 2 of the plan's 3. Run --shard 1/2, and name its folder too."])
    #expect(refusal([parts[0], parts[1], parts[1]]).first?.contains("has block 1 of the plan") == true)
  }

  private func refusal(_ folders: [String]) -> [String] {
    do {
      _ = try ResultsMerge(folders)
      return []
    } catch {
      return error.problems.map { $0.replacing(folder.path + "/", with: "") }
    }
  }

  @Test func aGapIsRefusedWithWhatToRun() throws {
    #expect(
      try refusal([write(1)])
        == ["No folder has block 1 of the plan's 3. Run --shard 2/2, and name its folder too."])
    #expect(
      try refusal([write(2)])
        == ["No folder has blocks 0, 2 of the plan's 3. Run --shard 1/2, and name its folder too."])
  }

  @Test func anOverlapIsRefused() throws {
    let parts = [try write(1), try write(2), try write(2, name: "again")]
    #expect(refusal(parts) == ["again: has block 1 of the plan, and so has part-2. Name each part once."])
    #expect(
      refusal([parts[0], parts[1], parts[0]]) == [
        "part-1: has blocks 0, 2 of the plan, and so has part-1. Name each part once."
      ])
  }

  @Test func anUnfinishedPartIsRefused() throws {
    let parts = [try write(1) { $0.removeLast() }, try write(2)]
    #expect(
      refusal(parts).map { $0.replacing(folder.path, with: "") }
        == ["part-1: cell 5 of its plan has no row. Finish it with contextbench run --resume part-1."])
  }

  @Test func rowsOfForeignCellsAreRefused() throws {
    let parts = [try write(1) { $0[0].key.cell = 77 }, try write(2)]
    let problems = refusal(parts)
    #expect(problems.first == "part-1: has rows of cell 77, which its plan does not have. Run this part again.")
    #expect(problems.count == 2)
  }

  @Test func anotherPlanOrRevisionIsRefused() throws {
    let first = try write(1)
    #expect(try refusal([first, write(2, notes: "11")]).first?.contains("import: notes is 11, not 10") == true)
    #expect(
      try refusal([first, write(2, name: "other", revision: "def")]).first?.contains("revision def, not abc") == true)
  }

  @Test func whatCannotBeReadIsRefusedAllAtOnce() throws {
    let first = try write(1)
    try folder.write("x", to: "part-1/cells.csv")
    let problems = refusal([first, "/no/such/folder"])
    #expect(problems.count == 2)
    #expect(problems[0].hasPrefix("part-1/cells.csv") && problems[1].hasPrefix("/no/such/folder: is not there"))
  }

  @Test func aFolderWithResultsIsNotOverwritten() throws {
    let parts = [try write(1), try write(2)]
    let merge = try ResultsMerge(parts)
    let error = #expect(throws: ReportingError.self) {
      try merge.write(merge.joined(run: "whole", arguments: []), to: parts[0])
    }
    #expect(error?.cause == "is not empty")
    #expect(try ExportedResults(readingFrom: parts[0]).manifest.run == "run-1")
  }

  @Test func theTableHasARowAGroup() throws {
    let merge = try ResultsMerge([
      write(1),
      write(2) {
        $0[0].ending = .violated; $0[0].reason = "why"
      },
    ])
    let text = GroupTable(merge.joined(run: "whole", arguments: [])).text(colour: false)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[2].hasPrefix("import/a") && lines[2].hasSuffix("held, but not as expected"))
    #expect(lines[3].hasPrefix("import/b") && lines[3].hasSuffix("held"))
    #expect(lines[4] == "not passed: import, a: why")
  }

  @Test(arguments: [80, 120, 200]) func theTableFitsATerminal(width: Int) throws {
    var results = ExportSamples.results()
    for index in results.results.cells.indices {
      results.results.cells[index].key.scenario = "counters-processes"
      results.results.cells[index].untilVisibleSeconds = 0.2345
      results.results.cells[index].mainThread = MainThreadTime(total: 0.1234)
    }
    let table = GroupTable(results).text(colour: false, width: width).split(separator: "\n").prefix {
      $0.contains("  ")
    }
    #expect(table.allSatisfy { $0.count <= width }, "\(table.joined(separator: "\n"))")
    let row = table.first { $0.hasPrefix("counters-processes/main-only ") } ?? ""
    #expect(row.contains("  235 ms  ") && row.contains("  123 ms  "), "\(row)")
    #expect(width < 120 || table[0].contains("until durable"), "\(table[0])")
  }

  @Test func strategiesThatAreVisibleSoonerComeFirst() {
    var results = ExportSamples.results()
    for index in results.results.cells.indices {
      let isMainOnly = results.results.cells[index].key.strategy == "main-only"
      results.results.cells[index].untilVisibleSeconds = isMainOnly ? 2 : 1
    }
    #expect(CellGroup.groups(of: results).map(\.strategy) == ["parent-child", "main-only"])
    let rows = results.results.cells
    let compared = ComparedCells(rows).subjects.compactMap(\.variant?.strategy)
    #expect(compared == ["parent-child", "main-only"])
    #expect(HTMLReportGroup.groups(of: rows).map(\.title) == compared)
  }
}
