import Foundation
import Testing

/// `gate`, without instructions, which InstructionsTests count.
struct GateTests {
  private let scenario = """
    workload: counters
    strategies: [notification-merge, single-background-writer]
    clients: 2
    operations_per_client: 3
    keys: 1

    """

  /// A tool with a gate of that scenario.
  private func makeGate() throws -> Tool {
    let tool = try Tool()
    let file = try tool.write(scenario, to: "mine.yml")
    let result = try tool.run(["gate", "--init", "--scenario", file, "--no-instructions"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    return tool
  }

  @Test func anUnchangedBuildPassesEveryTime() throws {
    let tool = try makeGate()
    defer { tool.remove() }
    for _ in 0..<3 {
      let result = try tool.run(["gate", "--no-instructions"])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.output.hasPrefix("costs as the baseline (2 cells, instructions of 0)\n"))
    }
    let workflow = try String(
      contentsOfFile: tool.folder + "/.github/workflows/contextbench-gate.yml", encoding: .utf8)
    #expect(workflow.contains("gate --dir contextbench-gate --no-instructions") && !workflow.contains("valgrind"))
  }

  @Test func filesBesideTheExecutableCostNothing() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let folder = URL(fileURLWithPath: tool.folder + "/bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let executable = folder.appendingPathComponent("contextbench")
    try FileManager.default.copyItem(at: Tool.executable, to: executable)
    // Its first save with a history is within what is counted.
    let file = try tool.write(
      "workload: import\nstrategies: [history-merge]\nnotes: 4\nimporters: 2\nupdate_rounds: 1\n", to: "mine.yml")
    func gate(_ arguments: String...) throws -> Tool.Result {
      try tool.finish(tool.start(["gate", "--no-instructions"] + arguments, of: executable))
    }
    #expect(try gate("--init", "--scenario", file).status == 0)
    for number in 0..<200 { _ = try tool.write("", to: "bin/\(number)") }
    let result = try gate()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test func oneOperationMoreFailsUntilItIsAccepted() throws {
    let tool = try makeGate()
    defer { tool.remove() }
    _ = try tool.write(scenario.replacing("client: 3", with: "client: 4"), to: "mine.yml")
    let result = try tool.run(["gate", "--no-instructions"])
    #expect(result.status == 3 && result.output.hasPrefix("costs more than the baseline in 2 of 2 cells"))
    #expect(result.output.contains("\nstatements: "), "\(result.output)")
    #expect(try tool.run(["gate", "--accept", "--no-instructions"]).status == 0)
    #expect(try tool.run(["gate", "--no-instructions"]).status == 0)
  }

  @Test func moreAllocationsEachTimeFail() throws {
    let tool = try makeGate()
    defer { tool.remove() }
    let path = "contextbench-gate/baseline.json"
    let text = try tool.text(path)
    guard text.contains("\"allocations\" : ") else { return }
    _ = try tool.write(text.replacing(/"allocations" : [0-9]+/, with: "\"allocations\" : 9"), to: path)
    let result = try tool.run(["gate", "--no-instructions"])
    #expect(result.status == 3 && result.output.contains("\nallocations: "), "\(result.output)")
  }

  @Test func aBaselineOfAnotherMachineIsComparedAsFarAsItCan() throws {
    let tool = try makeGate()
    defer { tool.remove() }
    let path = "contextbench-gate/baseline.json"
    let text = try tool.text(path).replacing(/"sqlite" : "[^"]*"/, with: "\"sqlite\" : \"3.0.0\"")
    _ = try tool.write(text, to: path)
    let result = try tool.run(["gate", "--no-instructions"])
    #expect(result.status == 0 && result.output.contains("cannot tell: costs in the file: SQLite was 3.0.0 and is"))
    #expect(try tool.run(["gate", "--no-instructions", "--strict"]).status == 2)
  }

  @Test func whatIsMissingOrWrongEndsWith64() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let none = try tool.run(["gate"])
    #expect(none.status == 64 && none.errors.contains("contextbench-gate/scenarios.txt: is not there"))
    _ = try tool.write("workload: counters\nstrategies: [notification-merge]\nprocesses: 2\n", to: "two.yml")
    let several = try tool.run(["gate", "--init", "--scenario", "two.yml", "--no-instructions"])
    #expect(several.status == 64 && several.errors.contains("has several processes"), "\(several.errors)")
    let blank = try tool.run(["gate", "--init", "--scenario", "my scenario.yml", "--dir", "other"])
    #expect(blank.status == 64 && blank.errors.contains("no blank and no # in a name"), "\(blank.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/other"))
  }
}
