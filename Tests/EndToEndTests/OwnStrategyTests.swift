import Foundation
import Testing

/// The example of a strategy and a workload of one's own, built without sight of what is the package's own.
@Suite struct OwnStrategyTests {
  private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples/OwnStrategy")

  private func run(_ arguments: [String]) throws -> Tool.Result {
    let tool = try Tool()
    defer { tool.remove() }
    let executable = Tool.executable.deletingLastPathComponent().appendingPathComponent("OwnStrategy")
    return try tool.finish(tool.start(arguments, of: executable))
  }

  @Test(arguments: ["rename", "never-refreshed"])
  func aScenarioWithStrategyWorkloadAndKeysOfOnesOwnPasses(name: String) throws {
    let result = try run(
      ["run", Self.example.path + "/" + name + ".yml", "--quick", "--allow-debug", "--out", "results"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("refreshing "))
    #expect(name == "rename" || result.output.contains("OwnStrategy run "))
  }

  @Test(arguments: [[], ["list"], ["run"], ["run", "--quik", "x.yml"], ["run", "x.yml"]])
  func wrongUsageSaysWhatCanBeWritten(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains("Usage: OwnStrategy run "))
  }

  @Test func aWrongScenarioFileSaysWhatIsWrong() throws {
    let result = try run(["run", "nowhere.yml", "--allow-debug"])
    #expect(result.status == 64)
    #expect(result.errors.contains("nowhere.yml"))
  }
}
