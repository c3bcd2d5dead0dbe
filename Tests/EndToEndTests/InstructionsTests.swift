import Foundation
import Testing

@testable import Reporting

/// `run --instructions`, which needs valgrind: scripts/test installs it, but where a sanitizer is built in, which valgrind
/// cannot run.
@Suite(.enabled(if: ["none", nil].contains(ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"])))
struct InstructionsTests {
  private let small = """
    workload: import
    strategies: [notification-merge, main-only]
    notes: 20
    words_per_note: 3
    save_every: 20
    update_rounds: 1
    checks: [lost-record, overlap]
    floor: true

    """

  private func run(_ text: String, _ arguments: [String], in tool: Tool) throws -> Tool.Result {
    try tool.run(
      ["run", try tool.write(text, to: "a.yml"), "--allow-debug", "--instructions", "--out", "results"] + arguments)
  }

  @Test func instructionsAreCountedAndNothingIsTimed() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try run(small, ["--repetitions", "2"], in: tool)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("per object") && !result.output.contains("until durable"))
    let results = try Results(readingFrom: tool.folder + "/results")
    #expect(results.cells.count == 4)
    for strategy in ["notification-merge", "main-only"] {
      let counts = results.cells.filter { $0.key.strategy == strategy }.map { Double($0.instructions ?? 0) }
      // The same work again, apart from its seed.
      #expect(counts.count == 2 && counts[0] > 100_000 && abs(counts[1] / counts[0] - 1) < 0.05, "\(counts)")
    }
    #expect(
      results.cells.allSatisfy {
        $0.untilDurableSeconds == nil && $0.processor == nil && $0.floorSeconds == nil && $0.processSeconds == nil
      })
    #expect(results.manifest?.libraries["valgrind"]?.isEmpty == false)
  }

  @Test func whatCannotBeCountedEndsWith64() throws {
    let tool = try Tool()
    defer { tool.remove() }
    for (text, arguments, message) in [
      (
        "workload: counters\nstrategies: [notification-merge]\nprocesses: 2\nclients: 2\n", [],
        "counters has several processes, or ends them"
      ),
      (small, ["--in-process"], "--instructions counts in a child process"),
    ] {
      let result = try run(text, arguments, in: tool)
      #expect(result.status == 64 && result.errors.contains(message), "\(result.output)\(result.errors)")
    }
  }

  @Test func theGateCountsNoLargeCell() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let large = small.replacing("notes: 20", with: "notes: 40000").replacing(
      "update_rounds: 1", with: "update_rounds: 0")
    _ = try tool.write(large.replacing(", main-only", with: ""), to: "large.yml")
    _ = try tool.write(small.replacing(", main-only", with: ""), to: "small.yml")
    let result = try tool.run(["gate", "--init", "--scenario", "large.yml", "--scenario", "small.yml"])
    #expect(result.status == 0, "\(result.errors)")
    let isCounted = try tool.text("contextbench-gate/baseline.json").contains("allocations")
    #expect(result.output.contains("2 cells, instructions of \(isCounted ? 1 : 2), in "), "\(result.output)")
    #expect(result.output.contains("large notification-merge: more than 1,000,000 allocations") == isCounted)
  }

  @Test func aMissingToolIsNamedWithWhatInstallsIt() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["run", try tool.write(small, to: "a.yml"), "--allow-debug", "--instructions"]
    process.environment = ["PATH": tool.folder]
    process.currentDirectoryURL = URL(fileURLWithPath: tool.folder)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64 && text.contains("apt-get install valgrind"), "\(text)")
  }
}
