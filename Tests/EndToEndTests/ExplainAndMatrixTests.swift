import Foundation
import Testing

@Suite(.serialized) struct ExplainAndMatrixTests {
  /// Two writers of one row, that take turns or not.
  private let scenario = """
    workload: hazard
    hazard: crossed-writers
    care: careless
    strategies: [notification-merge]
    notes: 2
    words_per_note: 1
    rounds: 1
    checks: [lost-update, confinement]
    expect: {may: [lost-update, failed-save]}

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
    func matrix(_ options: String...) throws -> Tool.Result {
      try tool.run(["matrix", file, "--schedules", "2"] + options)
    }
    let differs = try matrix("--check", readme, "--out", "r1")
    #expect(differs.status == 1, "\(differs.output)\(differs.errors)")
    #expect(differs.errors.contains("the section has no table"), "\(differs.errors)")
    let written = try matrix("--write", readme, "--out", "r2")
    #expect(written.status == 0, "\(written.output)\(written.errors)")
    let text = try tool.text("c.md")
    let witness = "r2/schedules/lost-update-notification-merge.schedule"
    #expect(text.contains("| `lost-update` | [✗](\(witness)) store-trump, "), "\(text)")
    #expect(text.contains("`context-off-queue` "), "\(text)")
    #expect(try tool.run(["replay", "--brief", witness]).status == 1)
    let same = try matrix("--check", readme, "--out", "r3")
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.folder == "r3")
    #expect(try tool.rows("matrix.csv", in: "r3").contains { $0["result"] == "clean" && $0["schedules"] == "3" })
    _ = try tool.write(text.replacing("store-trump, ", with: ""), to: "d.md")
    let more = try matrix("--check", "d.md", "--out", "r4")
    #expect(more.status == 1, "\(more.output)")
    #expect(more.errors.contains("lost-update, notification-merge, store-trump: seen"), "\(more.errors)")
  }
}
