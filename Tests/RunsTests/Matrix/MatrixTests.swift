import Checking
import Reporting
import Testing

@testable import Runs

struct MatrixTests {
  private static let witness = MatrixEntry.Witness(
    scenario: "test", seed: 1, replay: "contextbench replay a.schedule", schedule: "a.schedule")

  /// A matrix of one cell a strategy and policy, each of ten schedules.
  private func matrix(
    exercised: [String: Int] = ["lost-record": 10],
    _ isSeen: (_ strategy: String, _ policy: String) -> Bool = { _, _ in false }
  ) -> Matrix {
    var matrix = Matrix(strategies: ["parent-child", "main-only"], mergePolicies: ["error", "overwrite"])
    for policy in ["error", "overwrite"] {
      for strategy in ["parent-child", "main-only"] {
        matrix.add(
          MatrixObservation(
            strategy: strategy, mergePolicy: policy, schedules: 10, exercised: exercised,
            seen: isSeen(strategy, policy) ? [.lostRecord: Self.witness] : [:]))
      }
    }
    return matrix
  }

  @Test func aSignIsWhatWasSeenOverAllPolicies() {
    let matrix = matrix { strategy, policy in strategy == "parent-child" && policy == "overwrite" }
    #expect(matrix.summary("main-only", .lostRecord) == "✓ 20")
    #expect(matrix.summary("parent-child", .lostRecord) == "✗ overwrite")
    #expect(matrix.summary("parent-child", .deadlock) == "–")
    #expect(self.matrix { _, _ in true }.summary("main-only", .lostRecord) == "✗")
    // Kinds that the harness itself sees are exercised by every schedule.
    #expect(matrix.summary("main-only", .hang) == "✓ 20")
  }

  @Test func schedulesOfSeveralScenariosAddUpAndWhatOneShowsStays() {
    var matrix = matrix()
    func add(_ count: Int, seen: Bool) {
      matrix.add(
        MatrixObservation(
          strategy: "main-only", mergePolicy: "error", schedules: count, exercised: ["lost-record": count - 2],
          seen: seen ? [.lostRecord: Self.witness] : [:]))
    }
    add(7, seen: false)
    #expect(matrix.entry("main-only", "error", .lostRecord).schedules == 15)
    #expect(matrix.entry("main-only", "error", .crash).schedules == 17)
    add(7, seen: true)
    add(7, seen: false)
    #expect(matrix.entry("main-only", "error", .lostRecord).witness == Self.witness)
  }

  @Test func whatHadNothingToCheckIsNotClean() {
    #expect(matrix(exercised: ["lost-record": 0]).summary("main-only", .lostRecord) == "–")
    #expect(matrix(exercised: [:]).entry("main-only", "error", .lostRecord).result == .notExercised)
    // A kind is looked for by several checks; the one that saw most counts.
    #expect(
      matrix(exercised: ["lost-record": 3, "set": 5]).entry("main-only", "error", .lostRecord).schedules == 5)
  }

  @Test func whatASimulationCannotShowIsLeftOut() {
    let matrix = matrix(exercised: ["main-thread-stall": 10, "durability": 10, "log-growth": 10])
    #expect(!matrix.entries.contains { Matrix.liveKinds.contains($0.place.kind) })
    let live = "Not shown by simulations: `main-thread-stall`, `log-growth`, `durability-lost`."
    #expect(matrix.markdown().contains(live))
  }

  @Test func theMarkdownHasARowForWhatWasSeenAndNamesTheRest() {
    let text = matrix(exercised: ["lost-record": 10, "deadlock": 4]) { strategy, policy in
      strategy == "parent-child" && policy == "error"
    }.markdown()
    #expect(text.hasPrefix("| kind | parent-child | main-only |\n|---|:-:|:-:|\n"))
    #expect(text.contains("| `lost-record` | [✗](a.schedule) error | ✓ 20 |\n"))
    #expect(text.contains("schedules of each strategy: `deadlock` 8, "))
    #expect(!text.contains("| `deadlock`"))
    #expect(text.contains("Not exercised by these files: `context-off-queue`, "))
  }

  @Test func aMatrixOfFewerSchedulesDiffersOnlyByWhatItShowsMore() {
    let whole = matrix { strategy, policy in strategy == "parent-child" && policy == "error" }
    let shown = whole.markdown()
    #expect(matrix().differences(from: shown).isEmpty)
    #expect(whole.differences(from: shown).isEmpty)
    let more = matrix { strategy, _ in strategy == "parent-child" }.differences(from: shown)
    #expect(more == ["lost-record, parent-child, overwrite: seen\n  contextbench replay a.schedule"])
    #expect(matrix { strategy, _ in strategy == "main-only" }.differences(from: shown).count == 2)
    // ✗ without policies is under all of them.
    let always = matrix { strategy, _ in strategy == "parent-child" }.markdown()
    #expect(matrix { strategy, _ in strategy == "parent-child" }.differences(from: always).isEmpty)
    #expect(matrix().differences(from: "no table") == ["the section has no table"])
    let other = shown.replacing("main-only", with: "main-first")
    #expect(matrix().differences(from: other) == ["main-only: there is no column"])
  }

  @Test func theCSVHasARowAKindStrategyAndPolicy() {
    let lines = matrix { strategy, _ in strategy == "main-only" }.entries.map { Table.matrix.line(MatrixRow($0)) }
    #expect(lines.count == Matrix.kinds.count * 4)
    #expect(lines.contains("2,lost-record,main-only,error,violated,test,1,contextbench replay a.schedule,\n"))
    #expect(lines.contains("2,lost-record,parent-child,error,clean,,,,10\n"))
    #expect(lines.contains("2,deadlock,main-only,error,not exercised,,,,\n"))
  }

  @Test func aSectionIsFoundAndReplacedBetweenItsMarks() throws {
    let section = MarkedSection("matrix")
    let text = "before\n" + section.marks + "\nafter\n"
    #expect(section.content(of: text) == "")
    let filled = try #require(section.replacing(in: text, with: "| a |\n"))
    #expect(section.content(of: filled) == "| a |\n")
    #expect(filled.hasPrefix("before\n") && filled.hasSuffix("\nafter\n"))
    #expect(section.content(of: "nothing") == nil)
    #expect(section.replacing(in: "<!-- end of matrix -->", with: "") == nil)
  }
}
