import Foundation
import FoundationXML
import Testing

/// Other forms of results, shards and interrupted runs, with the built command.
@Suite struct ExportTests {
  private let small = """
    workload: import
    strategies: [parent-child, notification-merge]
    notes: 20
    words_per_note: 3
    save_every: 20
    update_rounds: 1
    repetitions: 3
    checks: [lost-record, duplicate-record, orphan-record]

    """
  private let deadlock = """
    workload: nested-perform-and-wait
    strategies: [notification-merge]
    main_waits: true
    notes: 20
    words_per_note: 1
    repetitions: 1
    checks: [deadlock]

    """
  private static let forms = ["csv", "json", "markdown", "junit", "sarif", "github-annotations"]

  private func json(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aRunWritesEveryFormAndExportWritesTheSame() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(deadlock, to: "a.yml")
    let result = try tool.run(
      ["run", file, "--allow-debug", "--out", "results"] + Self.forms.flatMap { ["--\($0)", "out.\($0)"] })
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.folder == "results")
    for form in Self.forms {
      let exported = try tool.run(["export", "results", "--format", form, "--out", "-"])
      #expect(exported.status == 0, "\(form): \(exported.errors)")
      let written = try String(contentsOfFile: tool.folder + "/out.\(form)", encoding: .utf8)
      #expect(exported.output == written && !written.isEmpty, "\(form)")
    }
    let sarif = try json(String(contentsOfFile: tool.folder + "/out.sarif", encoding: .utf8))
    let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
    let deadlocks = (run["results"] as? [[String: Any]] ?? []).filter { $0["ruleId"] as? String == "deadlock" }
    let flows = (deadlocks.first?["codeFlows"] as? [[String: Any]])?.first?["threadFlows"] as? [[String: Any]]
    #expect(try #require(flows).count >= 2, "main, and who waits for it")
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: tool.folder + "/out.junit")))
    _ = parser.parse()
    #expect(parser.parserError == nil)
    let annotations = try String(contentsOfFile: tool.folder + "/out.github-annotations", encoding: .utf8)
    #expect(annotations.hasPrefix("::error file=a.yml,line=1,title=deadlock::"))
  }

  @Test(arguments: [
    ("none/x", "No such file or directory"), ("a.yml/x", "Not a directory"), (".", "Is a directory"),
  ]) func aFileThatCannotBeWrittenIsReportedBeforeAnythingRuns(path: String, reason: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(small, to: "a.yml")
    let result = try tool.run(["run", file, "--allow-debug", "--junit", path, "--out", "results"])
    #expect(result.status == 6 && result.errors.contains("\(path): cannot be written: \(reason)"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/results"))
  }

  @Test func wrongInputOfExportEndsWith64() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try tool.run(["export", "nothing", "--format", "junit"]).status == 64)
    let unknown = try tool.run(["export", "nothing", "--format", "junitt"])
    #expect(unknown.status == 64 && unknown.errors.contains("Did you mean junit?"))
  }

  @Test func shardsMergeIntoWhatTheWholeRunHas() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(small, to: "a.yml")
    for part in 1...2 {
      let run = try tool.run(["run", file, "--allow-debug", "--shard", "\(part)/2", "--out", "part-\(part)"])
      #expect(run.status == 0, "\(run.errors)")
    }
    let gap = try tool.run(["merge", "part-1", "--out", "whole"])
    #expect(gap.status == 64 && gap.errors.contains("Run --shard 2/2"))
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/whole"))
    let merged = try tool.run(["merge", "part-2", "part-1", "--out", "whole", "--junit", "whole.xml"])
    #expect(merged.status == 0 && merged.folder == "whole", "\(merged.errors)")
    #expect(
      try tool.rows("cells.csv", in: "whole").compactMap { $0["cell"] }.compactMap(Int.init).sorted() == Array(0..<6))
    let again = try tool.run(["merge", "part-1", "part-2", "--out", "whole"])
    #expect(again.status == 6 && again.errors.contains("is not empty"))
    #expect(try tool.run(["export", "whole", "--format", "json"]).status == 0)
  }

  @Test func aMergeEndsAsItsWorstCell() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(deadlock, to: "a.yml")
    #expect(try tool.run(["run", file, "--allow-debug", "--shard", "1/1", "--out", "part"]).status == 1)
    let merged = try tool.run(["merge", "part", "--out", "whole"])
    #expect(merged.status == 1 && merged.output.contains("not passed: a, notification-merge: deadlock"))
    #expect(FileManager.default.fileExists(atPath: tool.folder + "/whole/histories/0/reports.jsonl"))
  }

  @Test func aRunThatWasKilledContinuesWhereItWas() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(small + "warmup: 1\nfloor: true\n", to: "a.yml")
    let process = try tool.start(["run", file, "--allow-debug", "--out", "results"])
    try Tool.eventually { (try? tool.rows("cells.csv", in: "results").count).flatMap { $0 >= 2 ? () : nil } }
    kill(process.processIdentifier, SIGKILL)
    _ = try tool.finish(process)
    let before = try tool.rows("cells.csv", in: "results")
    // Remains of a killed writer: a line without its end, and rows of a cell that has no row in cells.csv.
    let cells = FileHandle(forWritingAtPath: tool.folder + "/results/cells.csv")
    try cells?.seekToEnd()
    try cells?.write(contentsOf: Data("2,20260".utf8))
    let result = try tool.run(["run", "--resume", "results"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.folder == "results")
    let after = try tool.rows("cells.csv", in: "results")
    #expect(Array(after.prefix(before.count)) == before, "no finished row is lost or run again")
    #expect(after.compactMap { $0["cell"] }.compactMap(Int.init).sorted() == Array(2..<8))
    #expect(Set(after.compactMap { $0["run"] }).count == 1)
    let timed = Set(try tool.rows("timings.csv", in: "results").compactMap { $0["cell"] })
    #expect(timed.count == 6)
    // There is nothing left to do.
    #expect(try tool.run(["run", "--resume", "results"]).status == 0)
    #expect(try tool.rows("cells.csv", in: "results") == after)
  }

  @Test func aResumedRunEndsAsTheWholeWouldHave() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(deadlock, to: "a.yml")
    #expect(try tool.run(["run", file, "--allow-debug", "--out", "results"]).status == 1)
    let resumed = try tool.run(["run", "--resume", "results"])
    #expect(resumed.status == 1, "the deadlock of the earlier run still counts: \(resumed.output)\(resumed.errors)")
  }

  @Test func anotherPlanIsNotGoneOnWith() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(small, to: "a.yml")
    #expect(try tool.run(["run", file, "--allow-debug", "--repetitions", "1", "--out", "results"]).status == 0)
    _ = try tool.write(small.replacing("notes: 20", with: "notes: 21"), to: "a.yml")
    let result = try tool.run(["run", "--resume", "results"])
    #expect(result.status == 64 && result.errors.contains("a: notes is 20, not 21"), "\(result.errors)")
    for wrong in [["nothing"], ["results", "--quick"], ["results", "--out", "x"]] {
      #expect(try tool.run(["run", "--resume"] + wrong).status == 64)
    }
  }

  @Test func oneCellRunsInTheProcessOfTheRun() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(small, to: "a.yml")
    let many = try tool.run(["run", file, "--allow-debug", "--in-process"])
    #expect(many.status == 64 && many.errors.contains("the plan has 6 cells, and one is possible"))
    let one = ["--repetitions", "1", "--strategy", "parent-child", "--in-process", "--out", "results"]
    let result = try tool.run(["run", file, "--allow-debug"] + one)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.folder == "results")
    #expect(try tool.rows("cells.csv", in: "results").map { $0["verdict"] } == ["held"])
    // A deadlock is seen there too, by the thread that closes it.
    let stuck = try tool.run([
      "run", try tool.write(deadlock, to: "b.yml"), "--allow-debug", "--in-process", "--out", "other",
    ])
    #expect(stuck.status == 1, "\(stuck.output)\(stuck.errors)")
    #expect(try tool.rows("violations.csv", in: "other").contains { $0["kind"] == "deadlock" })
  }
}
