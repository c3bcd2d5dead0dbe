import Foundation
import Testing

/// The example of a strategy and a workload of one's own, built without sight of the package's own declarations.
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

  @Test func theShortestStrategyHolds() throws {
    let file = Self.example.path + "/rename.yml"
    let result = try run(["run", file, "--strategy", "automatic", "--quick", "--allow-debug", "--out", "results"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(arguments: [["walk"], ["list"], ["run"], ["run", "--quik", "x.yml"]])
  func wrongUsageSaysWhatCanBeWritten(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains("Usage: OwnStrategy "))
  }

  @Test func aWrongScenarioFileSaysWhatIsWrong() throws {
    let result = try run(["run", "nowhere.yml", "--allow-debug"])
    #expect(result.status == 64)
    #expect(result.errors.contains("nowhere.yml"))
  }

  @Test(arguments: [
    (["--help"], "OwnStrategy run Scenarios/import.yml"), (["list", "strategies"], "refreshing "),
    (["list", "workloads"], "rename "), (["list", "keys"], "books "), (["explain", "deadlock"], "Remedy"),
    (["validate", example.path + "/rename.yml"], "right; 9 cells"),
    (["plan", example.path + "/rename.yml", "--json"], "refresh=all"),
  ])
  func everyCommandIsThereAndKnowsWhatIsOnesOwn(arguments: [String], shown: String) throws {
    let result = try run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(shown), "\(result.output)")
  }

  /// A package of its own has scenarios of its own; those of contextbench are there, too.
  @Test func scenariosOfContextbenchAreKnownInOtherPackages() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write("// swift-tools-version: 6.2\n", to: "Package.swift")
    try FileManager.default.createDirectory(atPath: tool.folder + "/Scenarios", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: tool.folder + "/bin", withIntermediateDirectories: true)
    let mine = try tool.write(
      "workload: import\nstrategies: [main-only]\nchecks: [lost-record]\n", to: "Scenarios/mine.yml")
    let built = Tool.executable.deletingLastPathComponent().appendingPathComponent("OwnStrategy")
    let executable = URL(fileURLWithPath: tool.folder + "/bin/own")
    try FileManager.default.copyItem(at: built, to: executable)
    let result = try tool.finish(tool.start(["validate", "mine", "counters"], of: executable))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("\(mine): right") && result.output.contains("\ncounters: right"), "\(result.output)")
  }

  @Test func aRunIsExportedAndGatedLikeAnyOther() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let executable = Tool.executable.deletingLastPathComponent().appendingPathComponent("OwnStrategy")
    func own(_ arguments: [String]) throws -> Tool.Result { try tool.finish(tool.start(arguments, of: executable)) }
    let file = Self.example.path + "/rename.yml"
    let options = ["--quick", "--allow-debug", "--strategy", "refreshing"]
    #expect(try own(["run", file, "--out", "one", "--junit", "junit.xml"] + options).status == 0)
    #expect(FileManager.default.fileExists(atPath: tool.folder + "/junit.xml"))
    // One cell a side decides nothing: the gate's exit code.
    let gated = try own(["run", file, "--out", "two", "--baseline", "one", "--set", "books=50"] + options)
    #expect(gated.status == 2 && gated.output.contains("compared with one"), "\(gated.output)")
    #expect(try own(["export", "one", "--format", "csv"]).output.contains("refreshing"))
  }
}
