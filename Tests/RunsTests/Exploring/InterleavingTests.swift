import Boundary
import Testing

@testable import Runs

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
    #expect(lines.last == "… 1 steps after")
    #expect(lines[1].split(separator: " ") == ["a", "b"])
    #expect(lines.contains("start, read, [ok read = 1]"))
    #expect(lines.contains("①                              start"))
    #expect(lines.contains { $0.hasPrefix("②") && $0.hasSuffix("write") })
  }

  @Test func theSameAsMarkdown() {
    let lines = InterleavingTable(steps).markdown.split(separator: "\n").map(String.init)
    #expect(lines[0] == "| | a | b |")
    #expect(lines.contains("| ⇄ |  | start, write, [ok update = 2] |"))
  }

  @Test func segmentsFollowStepsThatWereMoved() {
    let steps = [step("a", "start"), step("b", "start"), step("b", "enter"), step("a", "enter")]
    #expect(
      ScheduleSegment.following(steps) == [
        ScheduleSegment(task: "a", end: .before(point: "enter", subject: "", nth: 1)),
        ScheduleSegment(task: "b", end: .waits), ScheduleSegment(task: "a", end: .waits),
      ])
  }

  @Test func candidatesLackAPartOrAPreemption() {
    let segments = [
      ScheduleSegment(task: "a", end: .before(point: "enter", subject: "", nth: 1)),
      ScheduleSegment(task: "b", end: .waits), ScheduleSegment(task: "a", end: .waits),
    ]
    let candidates = Shrinker.candidates(segments)
    #expect(candidates.contains([segments[1], segments[2]]))
    #expect(candidates.contains([segments[0], segments[1]]))
    #expect(candidates.contains([ScheduleSegment(task: "a", end: .waits), segments[1], segments[2]]))
    #expect(!candidates.contains(segments))
  }
}
