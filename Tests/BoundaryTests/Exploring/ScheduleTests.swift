import Scheduling
import Testing

@testable import Boundary

@Suite struct ScheduleTests {
  private let schedule = Schedule(
    cell: ExploredCell(
      scenario: "counters", assignments: ["clients=2", "keys=1"], isQuick: false, strategy: "notification-merge",
      seed: 7),
    policy: "pct-2 steps=90", seed: 12, kinds: ["lost-update", "stale-read"], revision: "abc",
    segments: [
      ScheduleSegment(task: "main", stop: nil),
      ScheduleSegment(
        task: "client 1", stop: ScheduleSegment.Stop(point: "save.beforeCommit", subject: "writer | 1", nth: 2)),
      ScheduleSegment(task: "timer #2", stop: ScheduleSegment.Stop(point: "start", subject: "", nth: 1)),
    ])

  @Test func itsTextIsReadAgain() throws {
    #expect(try Schedule(text: schedule.text) == schedule)
    var other = schedule
    other.cell.isQuick = true
    other.cell.variant = 2
    other.revision = nil
    #expect(try Schedule(text: other.text) == other)
    #expect(schedule.preemptions == 2)
  }

  @Test func commentsAndBlankLinesAreLeftOut() throws {
    let text = schedule.text.replacing("client 1 |", with: "# why it is so\n\nclient 1 |")
    #expect(try Schedule(text: text) == schedule)
  }

  private func problem(_ change: (inout String) -> Void) -> String {
    var text = schedule.text
    change(&text)
    do {
      _ = try Schedule(text: text)
      return "none"
    } catch {
      return error.description
    }
  }

  @Test func whatIsWrongIsSaidWithItsLine() {
    #expect(problem { $0 = "" }.hasPrefix("1: not a schedule"))
    #expect(problem { $0 = "name,value\n" }.hasPrefix("1: not a schedule"))
    #expect(problem { $0.removeLast(3) }.hasPrefix("15: the file is cut off"))
    #expect(
      problem { $0 = $0.replacing("strategy: ", with: "stragegy: ") }.hasPrefix("5: “stragegy: notification-merge”"))
    #expect(problem { $0 = $0.replacing("seed: 12\n", with: "") }.contains("no one “seed:”"))
    #expect(problem { $0 = $0.replacing("seed: 12\n", with: "seed: x\n") }.contains("“seed:” is not a whole number"))
    #expect(problem { $0 = $0.replacing("main | waits", with: "main waits") }.hasPrefix("13: “main waits” is no step"))
    #expect(problem { $0 = $0.replacing("save.beforeCommit 2", with: "save.beforeCommit two") }.hasPrefix("14: "))
  }

  @Test func aFileThatWasCutAtTheEndOfALineIsRefused() throws {
    let cut = problem { text in
      text = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).joined(separator: "\n") + "\n"
    }
    #expect(cut.contains("has 2 lines of steps, and “lines:” says 3"))
    // As it was written by hand, or before files had that line.
    #expect(try Schedule(text: schedule.text.replacing("lines: 3\n", with: "")) == schedule)
  }
}
