import Checking
import Foundation
import Testing

@testable import Reporting

/// Timelines of made-up histories.
struct TimelineTests {
  private func key(_ cell: Int) -> CellKey { ExportSamples.key(cell) }

  private func violation(_ kind: ViolationKind = .lostUpdate, cell: Int = 2, step: Int?, isExpected: Bool = false)
    -> ViolationRow
  {
    let violation = Violation(
      kind: kind, subject: "Note/7", expected: "kept", seen: ExportSamples.hostile, firstStep: step)
    return ViolationRow(key: key(cell), violation: violation, isExpected: isExpected, replay: "contextbench run x")
  }

  private func line(
    _ step: Int, _ time: Int, _ type: String, _ process: Int, _ function: String, key: Int = 7, context: String? = nil
  ) -> String {
    let context = context.map { ",\"context\":\"\($0)\"" } ?? ""
    return "{\"index\":\(step),\"time\":\(time),\"type\":\"\(type)\",\"process\":\(process),\"f\":\"\(function)\","
      + "\"value\":{\"entity\":\"Note\",\"key\":\(key),\"count\":1,\"value\":0}\(context)}\n"
  }

  /// One worker that reads: one record per microsecond; and one that deletes from the record `open` to the last.
  private func longHistory(_ records: Int, cell: Int = 2, open: Int? = nil, in folder: TemporaryFolder) throws {
    var text = ""
    var reads = 0
    for step in 0..<records {
      if step == open {
        text += line(step, 1_000 * step, "invoke", 2, "delete")
      } else if open != nil, step == records - 1 {
        text += line(step, 1_000 * step, "ok", 2, "delete")
      } else {
        text += line(step, 1_000 * step, reads.isMultiple(of: 2) ? "invoke" : "ok", 1, "read", key: reads / 2)
        reads += 1
      }
    }
    try folder.write(text, to: "histories/\(cell)/history.jsonl")
  }

  private func timelines(_ rows: [ViolationRow], in folder: TemporaryFolder) throws -> Timelines {
    try Timelines(of: Results(path: folder.path, cells: [], violations: rows))
  }

  private func page(_ rows: [ViolationRow], in folder: TemporaryFolder) throws -> String {
    let results = Results(path: folder.path, cells: [], violations: rows)
    return HTMLReport(
      results: results, manifest: ManifestTests.manifest, timelines: try Timelines(of: results), pictures: [],
      withoutPictures: "none"
    ).text
  }

  @Test func aCellHasARowForEachWorkerAndQueueAndItsViolationsAtTheirSteps() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      line(0, 0, "invoke", 1, "update") + line(1, 1_000, "invoke", 2, "read")
        + line(2, 4_000, "ok", 1, "update", context: "writer") + line(3, 6_000, "invoke", 0, "drained")
        + line(4, 8_000, "ok", 0, "drained") + line(5, 9_000, "fail", 2, "read")
        + line(6, 10_000, "invoke", 1, "delete"), to: "histories/2/history.jsonl")
    let found = try timelines([violation(step: 3)], in: folder)
    let timeline = try #require(found.shown.first)
    #expect(timeline.rows.map(\.name) == ["main", "worker 1", "worker 2", "queue writer"])
    let bars = timeline.rows.map { $0.bars.map { "\($0.span.name) \($0.place)" } }
    #expect(
      bars == [
        ["merged 0.6...0.8", "lost-update 0.6...0.6"], ["update Note 7 0.0...0.4", "delete Note 7 1.0...1.0"],
        ["read Note 7 0.1...0.9"], ["update Note 7 0.0...0.4"],
      ])
    #expect(timeline.rows[0].bars.map(\.isViolation) == [false, true])

    let page = try page([violation(step: 3)], in: folder)
    let texts = try HTMLReportTests.texts(of: page)
    #expect(texts.contains("The whole history: 7 records, 0.000 ms to 0.010 ms after the first record."))
    #expect(page.contains("<i class=\"bar merge\" style=\"left:60.000000%;width:20.000000%\""))
    let mark = "<i class=\"bar mark\" style=\"left:60.000000%\" title=\"lost-update at 0.006 ms: Note/7: a &lt;b"
    #expect(page.contains(mark))
    #expect(page.contains("<i class=\"line\" style=\"left:60.000000%\">"))
    #expect(page.contains("<i class=\"bar refused\" style=\"left:10.000000%;width:80.000000%\""))
    #expect(page.contains("title=\"update Note 7: at 0.000 ms, took 0.004 ms, ok, step 2, writer\""))
    // The last record is of an operation that never ended.
    #expect(page.contains("<i class=\"bar open\" style=\"left:100.000000%\""))
  }

  @Test func ofALongHistoryThePageHasWhatIsAroundTheViolation() throws {
    let folder = try TemporaryFolder()
    try longHistory(10_000, in: folder)
    let rows = [violation(step: 6_001), violation(.lostRecord, step: 20), violation(.hang, step: nil)]
    let found = try timelines([rows[0], rows[2]], in: folder)
    let timeline = try #require(found.shown.first)
    #expect(timeline.shown == 1_600 && timeline.recorded == 10_000)
    #expect(timeline.time == 4_801_000...6_400_000)
    // The read that began before, and the one that ends later, are cut and no more.
    let bars = timeline.rows[0].bars
    #expect(bars.first?.span.begin == 4_800_000 && bars.first?.place.lowerBound == 0)
    #expect(bars.last?.span.end == 6_401_000 && bars.last?.place.upperBound == 1)
    #expect(bars.allSatisfy { $0.isViolation || $0.span.category == "read" })
    let mark = try #require(bars.first { $0.isViolation })
    #expect(mark.span.begin == 6_001_000)

    let texts = try HTMLReportTests.texts(of: page(rows, in: folder))
    let extent = try #require(texts.first { $0.contains("records") })
    // Violations of all kinds are equally bad, and the timeline shows the first by name.
    #expect(extent.hasPrefix("1,600 of 10,000 records, 0.000 ms to 1.599 ms after the first record. 8,400 are left"))
    #expect(extent.contains("out: contextbench export \(folder.path) --format trace --out trace.json has all"))
    #expect(extent.contains("Of the cell's violations 1 lie outside this stretch."))
    #expect(extent.hasSuffix("Of the cell's violations 1 have no step in the history, and no mark."))
  }

  @Test(arguments: [(10_000, "completed later"), (7_000, "ok")])
  func whatCompletesBehindTheStretchIsNotUnfinished(records: Int, type: String) throws {
    let folder = try TemporaryFolder()
    try longHistory(records, open: 6_100, in: folder)
    let found = try timelines([violation(step: 6_001)], in: folder)
    let row = try #require(found.shown.first?.rows.first { $0.name == "worker 2" })
    #expect(row.bars.map { $0.span.arguments["type"] } == [type])
    #expect(row.bars.map(\.span.category) == ["save"])
    #expect(row.bars.map(\.place.upperBound) == [1])
  }

  @Test func withoutAStepItIsTheEndThatIsShown() throws {
    let folder = try TemporaryFolder()
    try longHistory(4_000, in: folder)
    let found = try timelines([violation(.deadlock, step: nil)], in: folder)
    let timeline = try #require(found.shown.first)
    #expect(timeline.time == 2_400_000...3_999_000)
    #expect(timeline.withoutStep == 1 && timeline.outside == 0)
    let page = try page([violation(.deadlock, step: nil)], in: folder)
    #expect(page.contains("class=\"timeline\"") && !page.contains("Next violation"))
  }

  @Test func eachCellIsShownOnceAndTheOthersAreCountedWhenThereIsNoRoom() throws {
    let folder = try TemporaryFolder()
    for cell in 0..<12 { try longHistory(1_600, cell: cell, in: folder) }
    var rows: [ViolationRow] = []
    for (cell, kind) in zip(0..., ViolationKind.allCases.prefix(12)) {
      rows.append(violation(kind, cell: cell, step: 5, isExpected: cell == 0))
      rows.append(violation(kind, cell: cell + 100, step: 5, isExpected: cell == 0))
    }
    rows.append(violation(.longFork, cell: 3, step: 9))
    let found = try timelines(rows, in: folder)
    // Expected ones come last.
    #expect(found.shown.map(\.key.cell) == Array(1...9) && found.omitted == 3)
    let texts = try HTMLReportTests.texts(of: page(rows, in: folder))
    #expect(texts.count { $0.hasPrefix("Timeline of cell ") } == 9)
    #expect(texts.contains("the timeline of cell 3."))
    #expect(texts.contains { $0.hasPrefix("There was no room for the timelines of 3 more kinds.") })
  }

  @Test func aCellWithoutHistoryHasNoTimelineAndADamagedOneIsNamed() throws {
    let folder = try TemporaryFolder()
    let none = try timelines([violation(step: 3)], in: folder)
    #expect(none == Timelines())
    let page = try page([violation(step: 3)], in: folder)
    #expect(!page.contains("class=\"timeline\""))
    try folder.write(line(0, 0, "invoke", 1, "update") + "{}\n", to: "histories/2/history.jsonl")
    let error = #expect(throws: ReportingError.self) { try timelines([violation(step: 0)], in: folder) }
    #expect(error?.description.contains("histories/2/history.jsonl:2") == true)
  }

  @Test func theScriptKnowsEveryMoveOfThePage() throws {
    let folder = try TemporaryFolder()
    try longHistory(20, in: folder)
    let page = try page([violation(step: 3)], in: folder)
    let moves = page.matches(of: /data-move="(\w+)"/).map { String($0.1) }
    #expect(moves == ["in", "out", "all", "next"])
    for move in moves {
      #expect(HTMLReport.script.contains("\n  \(move): box =>"), "\(move)")
      #expect(HTMLReport.script.contains(": \"\(move)\""), "a key moves \(move)")
    }
  }
}
