import Boundary
import Foundation
import Reporting
import Scheduling
import Testing

@testable import Exploring

@Suite struct InterleavingTests {
  private func step(
    _ task: String, _ point: String, at nanoseconds: UInt64 = 0, isPreemption: Bool = false, _ operations: [String] = []
  ) -> ScheduleStep {
    var step = ScheduleStep(
      task: task, point: point, subject: "", nanoseconds: nanoseconds, isPreemption: isPreemption)
    step.operations = operations
    return step
  }

  private var steps: [ScheduleStep] {
    [
      step("main", "enter"), step("a", "start"), step("a", "read", ["ok read = 1"]),
      step("b", "start", isPreemption: true), step("b", "write", ["ok update = 2"]), step("a", "write"),
      step("a", "commit", ["ok update = 2"]), step("main", "block"),
    ]
  }

  @Test func theTableHasAColumnForEachTaskAndARowForEachOperation() {
    let text = InterleavingTable(steps, critical: (3, 5)).text(width: 120)
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.first == "… 1 steps before")
    #expect(lines.last == "commit, [ok update = 2]", "nothing after the last operation")
    #expect(lines[1].split(separator: " ") == ["a", "b"])
    #expect(lines.contains("start, read, [ok read = 1]"))
    #expect(lines.contains("①                              start"))
    #expect(lines.contains { $0.hasPrefix("②") && $0.hasSuffix("write") })
  }

  @Test func nothingComesAfterTheViolationAndTheDecidingSteps() {
    let text = InterleavingTable(steps, critical: (3, 4), seen: 1).text(width: 120)
    #expect(text.hasSuffix("write, [ok update = 2]\n") && !text.contains("commit"), "\(text)")
    let later = InterleavingTable(steps, critical: (3, 5), seen: 1).text(width: 120)
    #expect(later.hasSuffix("write\n") && !later.contains("commit"), "\(later)")
    for table in [InterleavingTable(steps, seen: 1), InterleavingTable(steps, critical: (3, 4), seen: 9)] {
      #expect(table.text(width: 120).contains("commit"), "the deciding steps, or the operation, are unknown")
    }
  }

  @Test func ofALongOneTheEndStays() {
    let table = InterleavingTable(steps)
    let lines = table.text(width: 120, linesMax: 4).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.count == 4, "\(lines)")
    #expect(lines.first == "… 5 steps before; replay shows them")
    #expect(lines.last == "write, commit, [ok update = 2]")
    #expect(table.text(width: 120, linesMax: 1).contains("[ok update = 2]"), "one row always")
  }

  @Test func aStepThatIsTakenAgainIsCounted() {
    let steps = [step("a", "enter")] + Array(repeating: step("a", "block"), count: 3) + [step("a", "enter", ["ok"])]
    #expect(InterleavingTable(steps).text(width: nil).contains("enter, block ×3, enter, [ok]"))
  }

  @Test func theSameAsMarkdown() {
    let entry = SchedulesDocument.Entry(
      title: "lost-update: two|writers", seen: ["lost-update: Note 1: 2 instead of 3"], facts: [("found by", "pct-2")],
      command: "contextbench replay a.schedule", interleaving: InterleavingTable(steps, critical: (3, 5)).document,
      note: nil)
    let document = SchedulesDocument(
      title: "Exploration r", cells: [["scenario", "schedules"], ["two-writers", "40"]], entries: [entry])
    let lines = document.markdown.split(separator: "\n").map(String.init)
    #expect(lines.contains("| two-writers | 40 |"))
    #expect(lines.contains("## lost-update: two\\|writers"))
    #expect(lines.contains("|  | a | b |"))
    #expect(lines.contains { $0.hasPrefix("| ① |  | start") })
    #expect(lines.contains("| ② | write |  |"))
    #expect(lines.contains("Left out: 1 step before, 1 step after."))
    #expect(SchedulesDocument(title: "r", cells: [], entries: []).markdown.contains("No schedule was saved."))
  }

  @Test func theSameAsAPageThatLoadsNothing() throws {
    let entry = SchedulesDocument.Entry(
      title: "a <b>", seen: [], facts: [], command: "replay", interleaving: InterleavingTable(steps).document, note: nil
    )
    let page = SchedulesDocument(title: "r", cells: [], entries: [entry]).html
    #expect(page.contains("a &lt;b&gt;"))
    #expect(page.contains("<th>b</th>"))
    #expect(page.contains("<strong> [ok update = 2]</strong>"))
    #expect(!page.contains("<script") && !page.contains("http:") && page.contains("default-src 'none'"))
  }

  @Test func segmentsFollowStepsThatWereMoved() {
    let steps = [step("a", "start"), step("b", "start"), step("b", "enter"), step("a", "enter")]
    #expect(
      ScheduleSegment.following(steps) == [
        ScheduleSegment(task: "a", stop: ScheduleSegment.Stop(point: "enter", subject: "", nth: 1)),
        ScheduleSegment(task: "b", stop: nil), ScheduleSegment(task: "a", stop: nil),
      ])
  }

  @Test func candidatesLackAPartOrAPreemption() {
    let segments = [
      ScheduleSegment(task: "a", stop: ScheduleSegment.Stop(point: "enter", subject: "", nth: 1)),
      ScheduleSegment(task: "b", stop: nil), ScheduleSegment(task: "a", stop: nil),
    ]
    let candidates = ScheduleSegment.lessThan(segments)
    #expect(candidates.contains([segments[1], segments[2]]))
    #expect(candidates.contains([segments[0], segments[1]]))
    #expect(candidates.contains([ScheduleSegment(task: "a", stop: nil), segments[1], segments[2]]))
    #expect(!candidates.contains(segments))
  }

  @Test func aTraceHasSpansForWaitsReadsSavesAndBlocksAndAFlowFromSaveToMerge() throws {
    let points = [
      ("main", "main-block"), ("a", "start"), ("a", "store.beforeRead"), ("a", "store.afterRead"),
      ("a", "save.beforeWrite"), ("a", "enter"), ("a", "save.beforeCommit"), ("b", "wait.begin"),
      ("a", "store.committed"), ("a", "save.afterCommit"), ("b", "wait.over"), ("main", "main-block"),
      ("main", "main-block"),
    ]
    var steps = points.enumerated().map { step($1.0, $1.1, at: UInt64($0) * 1_000) }
    steps[12].operations = ["ok drained"]
    var document = TraceDocument()
    ScheduleTrace.add(steps, title: "schedule", to: &document)
    let events = try #require(
      (try JSONSerialization.jsonObject(with: Data(document.json.utf8)) as? [String: Any])?["traceEvents"]
        as? [[String: Any]])
    func span(_ category: String) -> [[Double]] {
      events.filter { $0["cat"] as? String == category && $0["ph"] as? String == "X" }
        .map { [$0["ts"] as? Double ?? -1, $0["dur"] as? Double ?? -1] }
    }
    #expect(span("fault") == [[2, 2]])
    #expect(span("save") == [[4, 6]])
    #expect(span("wait") == [[7, 4]])
    #expect(span("merge") == [[12, 1]])
    #expect(Set(span("block")) == [[0, 1], [11, 1], [12, 1], [1, 9]])
    #expect(events.filter { $0["cat"] as? String == "flow" }.map { $0["ts"] as? Double } == [4, 12])
  }
}
