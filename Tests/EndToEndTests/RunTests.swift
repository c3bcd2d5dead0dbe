import Foundation
import Testing

@Suite struct RunTests {
  private let small = """
    workload: import
    strategies: [parent-child, notification-merge]
    notes: 20
    words_per_note: 3
    save_every: 20
    update_rounds: 1
    checks: [lost-record, duplicate-record, orphan-record]

    """
  /// Main waits for background blocks that wait for main.
  private let deadlock = """
    workload: nested-perform-and-wait
    strategies: [notification-merge]
    main_waits: true
    notes: 20
    words_per_note: 1
    repetitions: 1
    checks: [deadlock]

    """
  /// Long enough to be interrupted.
  private let long = """
    workload: import
    strategies: [notification-merge]
    notes: 20000
    repetitions: 3
    checks: [lost-record]

    """

  /// At work on several threads soon after its start and for long, however fast or slow the build is.
  private let endless = """
    workload: soak
    strategies: [notification-merge]
    duration_s: 600
    checks: [lost-record]

    """

  private func run(_ tool: Tool, _ text: String, _ arguments: [String] = []) throws -> Tool.Result {
    try tool.run(["run", try tool.write(text, to: "a.yml"), "--allow-debug", "--out", "results"] + arguments)
  }

  @Test func aRunWritesARowACellAndPrintsItsFolderLast() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try run(tool, small + "floor: true\n", ["--repetitions", "2"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.folder == "results")
    #expect(result.output.contains("a: 2 of 2 strategies held\n  main thread  "))
    let cells = try tool.rows("cells.csv", in: "results")
    #expect(cells.count == 4)
    #expect(cells.allSatisfy { $0["verdict"] == "held" && $0["floor_ratio"] != "" })
    #expect(try !tool.rows("timings.csv", in: "results").isEmpty)
    let manifest = try String(contentsOfFile: tool.folder + "/results/manifest.json", encoding: .utf8)
    #expect(manifest.contains("\"seeds\" : [\n    1,\n    2\n  ]"))
    // Stores and folders of cells that passed are gone.
    let files = try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/results").sorted()
    #expect(
      files == [
        "cells.csv", "columns.json", "histograms", "manifest.json", "outcome.json", "percentiles.csv", "plan.json",
        "timings.csv",
        "violations.csv",
      ])
  }

  @Test func aWatchedRunWritesALineACellAndAnExecutableThatWasCopiedHasTheScenarios() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let copy = URL(fileURLWithPath: tool.folder + "/copied")
    try FileManager.default.copyItem(at: Tool.executable, to: copy)
    let arguments = [
      "run", "id-handoff", "counters", "--quick", "--allow-debug", "--watch", "--strategy", "main-only",
      "--repetitions",
      "1", "--set", "warmup=0",
    ]
    let result = try tool.finish(tool.start(arguments, of: copy))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(result.errors)")
    #expect(
      lines.first?.contains("id-handoff main-only: held; medians of 1: until visible ") == true, "\(result.errors)")
    #expect(lines.last?.hasPrefix("2/2  ") == true || lines.last?.contains("counters main-only: held") == true)
    for name in ["id-handoff", "counters"] {
      #expect(result.output.split(separator: "\n").count { $0 == name } == 1, "a table each: \(result.output)")
    }
    let plan = try String(contentsOfFile: tool.folder + "/" + result.folder + "/plan.json", encoding: .utf8)
    #expect(plan.contains("\"path\" : \"id-handoff\""), "\(plan.prefix(800))")
  }

  @Test func anotherRunDoesNotMixItsRowsIn() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try run(tool, small, ["--repetitions", "1"]).status == 0)
    let second = try run(tool, small, ["--repetitions", "1"])
    #expect(second.status == 6)
    #expect(second.errors.contains("holds the results of another run"))
    #expect(try tool.rows("cells.csv", in: "results").count == 2)
  }

  @Test func storesAreKeptOnRequest() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try run(tool, small, ["--repetitions", "1", "--strategy", "parent-child", "--keep-store"]).status == 0)
    let kept = try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/results/cells/0")
    #expect(kept.contains { $0.hasSuffix("sqlite") })
  }

  @Test func anUnexpectedViolationEndsWith1AndItsHistoryIsKept() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try run(tool, deadlock)
    #expect(result.status == 1)
    let violations = try tool.rows("violations.csv", in: "results").filter { $0["kind"] == "deadlock" }
    #expect(violations.count == 1)
    #expect(violations.first?["expected"] == "no")
    #expect(
      violations.first?["replay"]?.hasPrefix("contextbench run a.yml --strategy notification-merge --seed 1") == true)
    #expect(FileManager.default.fileExists(atPath: tool.folder + "/results/histories/0/reports.jsonl"))
  }

  @Test func anExpectedViolationEndsWith0AndAMissingOneWith1() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try run(tool, deadlock + "expect: {must: [deadlock]}\n").status == 0)
    #expect(try tool.rows("violations.csv", in: "results").first?["expected"] == "yes")
    let missing = try tool.run([
      "run", try tool.write(small + "expect: {must: [deadlock]}\n", to: "b.yml"), "--allow-debug", "--repetitions", "1",
      "--out", "other",
    ])
    #expect(missing.status == 1)
    #expect(missing.output.contains("expected deadlock, and it did not happen"))
  }

  @Test func aCellKilledFromOutsideIsACrashThatBlamesNoStrategyAndTheRunContinues() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(long, to: "a.yml")
    let process = try tool.start([
      "run", file, "--allow-debug", "--out", "results", "--repetitions", "2", "--set", "notes=3000",
    ])
    kill(try Tool.eventually { Tool.children(of: process.processIdentifier).first }, SIGKILL)
    let result = try tool.finish(process)
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect(try tool.rows("cells.csv", in: "results").map { $0["verdict"] } == ["unknown", "held"])
    let violations = try tool.rows("violations.csv", in: "results").filter { $0["kind"] == "crash" }
    #expect(violations.count == 1 && violations.first?["seen"]?.contains("killed from outside") == true)
  }

  /// SIGSYS as an example of any signal that only the process itself raises, and that no handler takes.
  @Test func aCellThatDiesOfItsOwnSignalIsACrash() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(long, to: "a.yml")
    let process = try tool.start(["run", file, "--allow-debug", "--out", "results", "--repetitions", "1"])
    kill(try Tool.eventually { Tool.children(of: process.processIdentifier).first }, SIGSYS)
    let result = try tool.finish(process)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(try tool.rows("cells.csv", in: "results").map { $0["verdict"] } == ["violated"])
    #expect(try tool.rows("violations.csv", in: "results").contains { $0["kind"] == "crash" })
  }

  @Test func aCellAtItsDeadlineIsAHangWithTheStacksOfItsThreads() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try run(tool, endless, ["--repetitions", "1", "--set", "timeout_s=8"])
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    let violations = try tool.rows("violations.csv", in: "results").filter { $0["kind"] == "hang" }
    #expect(violations.first?["seen"]?.contains("histories/0/stacks.txt") == true)
    let stacks = try String(contentsOfFile: tool.folder + "/results/histories/0/stacks.txt", encoding: .utf8)
    #expect(stacks.split(separator: "\n").count { $0.hasPrefix("thread ") } >= 2)
    #expect(stacks.contains("Cells."))
  }

  /// Starts a run of two short cells and a long one, and waits until the long one runs.
  private func startLongCell(_ tool: Tool) throws -> (run: Process, cell: Int32) {
    let files = [try tool.write(small, to: "short.yml"), try tool.write(long, to: "long.yml")]
    let run = try tool.start(
      ["run"] + files + ["--allow-debug", "--out", "results", "--repetitions", "1", "--set", "timeout_s=60"])
    try Tool.eventually { (try? tool.rows("cells.csv", in: "results").count) == 2 ? () : nil }
    return (run, try Tool.eventually { Tool.children(of: run.processIdentifier).first })
  }

  @Test func killingTheRunLeavesFinishedRowsAndNoChild() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (run, cell) = try startLongCell(tool)
    kill(run.processIdentifier, SIGKILL)
    _ = try tool.finish(run)
    // Long before the cell would have ended by itself.
    try Tool.eventually(withinSeconds: 2) { Self.isGone(cell) ? () : nil }
    #expect(try tool.rows("cells.csv", in: "results").map { $0["verdict"] } == ["held", "held"])
  }

  @Test(arguments: [SIGINT, SIGTERM]) func ctrlCKeepsTheRowsEndsTheChildAndExitsWith130(signal: Int32) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (run, cell) = try startLongCell(tool)
    kill(run.processIdentifier, signal)
    // Long before the cell would have ended by itself.
    try Tool.eventually(withinSeconds: 5) { Self.isGone(cell) ? () : nil }
    let result = try tool.finish(run)
    #expect(result.status == 130)
    #expect(result.output.contains("interrupted after 2 of 3 cells"))
    #expect(result.folder == "results")
    #expect(try tool.rows("cells.csv", in: "results").count == 2)
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/results/cells"))
  }

  @Test func aDebugBuildRefusesTimedRuns() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let arguments = ["run", try tool.write(small, to: "a.yml"), "--repetitions", "1"]
    let result = try tool.finish(tool.start(arguments, of: Tool.built("contextbench")))
    #if DEBUG
      #expect(result.status == 64)
      #expect(result.errors.contains("--allow-debug"))
    #else
      #expect(result.status == 0)
    #endif
  }

  /// Whether a process is dead; one that was not waited for yet is.
  private static func isGone(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
    return status.contains(") Z ")
  }
}
