import Foundation
import Testing

@Suite(.serialized) struct ExplainAndMatrixTests {
  /// Whose matrix is the same in every run.
  private let scenario = """
    workload: hazard
    hazard: wrong-queue
    care: careful
    strategies: [notification-merge]
    notes: 5
    words_per_note: 1
    rounds: 1
    checks: [confinement]

    """

  @Test func aKindIsExplainedAndASlipIsAUsageError() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["explain", "deadlock"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("deadlock: "))
    #expect(result.output.contains("https://github.com/jessesquires/JSQCoreDataKit/issues/68"))
    let slip = try tool.run(["explain", "deadlok"])
    #expect(slip.status == 64)
    #expect(slip.errors.contains("Did you mean deadlock?"))
  }

  @Test func aMatrixIsWrittenIntoAFileAndComparedWithIt() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(scenario, to: "a.yml")
    let without = try tool.run(["matrix", file, "--check", try tool.write("no section\n", to: "b.md")])
    #expect(without.status == 64)
    #expect(without.errors.contains("<!-- end of matrix -->"))

    let marks = "<!-- matrix: written by contextbench matrix --write, not by hand -->\n<!-- end of matrix -->\n"
    let readme = try tool.write(marks, to: "c.md")
    let differs = try tool.run(["matrix", file, "--check", readme, "--out", "r1"])
    #expect(differs.status == 1, "\(differs.output)\(differs.errors)")
    #expect(try tool.run(["matrix", file, "--write", readme, "--out", "r2"]).status == 0)
    let text = try String(contentsOfFile: tool.folder + "/c.md", encoding: .utf8)
    #expect(text.contains("| `context-off-queue` | ✓ |"))
    let same = try tool.run(["matrix", file, "--check", readme, "--out", "r3"])
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.folder == "r3")
    #expect(try tool.rows("matrix.csv", in: "r3").contains { $0["result"] == "clean" })
  }
}
