import Exploring
import Foundation
import Reporting
import Runs
import Scenarios

/// The files that `gate --init` writes beside the baseline.
struct GateFolder {
  let path: String
  static let workflowPath = ".github/workflows/contextbench-gate.yml"

  init(_ path: String) {
    precondition(!path.isEmpty, "a folder has a name: empty ones were refused")
    self.path = path
  }

  /// Makes the folder with its list of scenarios, and a workflow where there is none.
  ///
  /// - Throws: the exit of wrong usage where the list is there already, of a harness failure where nothing can be written.
  func begin(scenarios: [String], countingInstructions: Bool) throws {
    guard !FileManager.default.fileExists(atPath: "\(path)/\(GateList.fileName)") else {
      StandardError.write("\(path): is a gate already. Use gate --accept for new numbers, or another --dir")
      throw ExitStatus.usage.exitCode
    }
    let list = GateList(scenarios.isEmpty ? Self.shipped() : scenarios.map { GateList.Line($0) })
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(list.text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(GateList.fileName)"))
      guard !FileManager.default.fileExists(atPath: Self.workflowPath) else { return }
      let workflow = URL(fileURLWithPath: Self.workflowPath)
      try FileManager.default.createDirectory(
        at: workflow.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(Self.workflow(by: Program.current.name, path, countingInstructions).utf8).write(to: workflow)
    } catch {
      StandardError.write(
        "\(path): cannot be written: \(ReportingError.reason(error)). Choose a place that is writable")
      throw ExitStatus.harnessFailure.exitCode
    }
  }

  /// Shipped scenarios that one process simulates, with sizes that take a second.
  static func shipped() -> [GateList.Line] {
    let names = Executable.loader.shipped().map(\.name)
    return names.filter { !$0.contains("/") && GateList.Line.canHave($0) }.compactMap { name in
      guard let scenario = try? Executable.loader.load([name], quick: true).first,
        SimulationLimit.problem(of: scenario) == nil, Executable.unusableRows(of: scenario) == nil
      else { return nil }
      return GateList.Line(
        name, ExploredScenario.smallAssignments(for: scenario, Executable.loader.vocabulary, besides: []))
    }
  }

  private static func workflow(by program: String, _ folder: String, _ countsInstructions: Bool) -> String {
    let packages = "pkg-config libsqlite3-dev libjemalloc-dev zlib1g-dev\(countsInstructions ? " valgrind" : "")"
    return """
      name: contextbench gate
      on: [pull_request]
      permissions:
        contents: read
      jobs:
        gate:
          runs-on: ubuntu-24.04
          container: swift:6.2-noble
          steps:
            - uses: actions/checkout@v4
            - run: apt-get update && apt-get install -y \(packages)
            - run: swift build -c release --product \(program)
            - run: .build/release/\(program) gate --dir \(folder)\(countsInstructions ? "" : " --no-instructions")

      """
  }
}
