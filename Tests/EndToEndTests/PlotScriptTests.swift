import Checking
import Foundation
import Reporting
import Testing

/// `scripts/plot`: its refusals without any package, and its pictures, where its packages are or may be installed.
struct PlotScriptTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let script = root.appendingPathComponent("scripts/plot")
  private static let variables = ProcessInfo.processInfo.environment
  private static let packages =
    variables["CONTEXTBENCH_PLOT_VENV"] ?? root.appendingPathComponent(".build/plot-venv").path

  /// The packages come from the network: where they are not installed yet, only continuous integration waits for them.
  private static let canDraw =
    FileManager.default.fileExists(atPath: packages + "/installed.txt") || variables["CI"] != nil

  /// A cell that is measured, and one with a deadlock as a row of violations.csv.
  private static let scenarios = [
    "a": """
    workload: import
    strategies: [notification-merge]
    notes: 20
    words_per_note: 3
    update_rounds: 1
    repetitions: 1
    floor: true
    checks: [lost-record]

    """,
    "b": """
    workload: nested-perform-and-wait
    strategies: [notification-merge]
    main_waits: true
    notes: 20
    words_per_note: 1
    repetitions: 1
    checks: [deadlock]
    expect: {must: [deadlock]}

    """,
  ]

  private func plot(_ tool: Tool, _ arguments: [String]) throws -> Tool.Result {
    try tool.finish(tool.start(arguments, of: Self.script))
  }

  @Test(arguments: [
    ([], "no folder given"), (["nowhere"], "nowhere: is not a folder"), (["--dir"], "--dir: unknown option"),
  ])
  func wrongUseIsRefusedBeforeAnythingIsInstalled(arguments: [String], message: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try plot(tool, arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains("scripts/plot: \(message)"), "\(result.errors)")
  }

  @Test func itDrawsTheVersionOfTheFilesThatIsWritten() throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent("scripts/plots/results.py"), encoding: .utf8)
    #expect(text.contains("\nSCHEMA_VERSION = \(CellKey.schemaVersion)\n"))
  }

  @Test(.enabled(if: canDraw)) func itsOwnTestsPass() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try plot(tool, ["--test"])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(.enabled(if: canDraw), arguments: ["[deadlock]", "[stale-read]"])
  func threeReadersCountWhatTheJUnitFileSays(expected: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let text = (Self.scenarios["b"] ?? "").replacing("must: [deadlock]", with: "must: \(expected)")
    let files = [try tool.write(Self.scenarios["a"] ?? "", to: "a.yml"), try tool.write(text, to: "b.yml")]
    _ = try tool.run(["run"] + files + ["--allow-debug", "--out", "results", "--junit", "junit.xml"])
    // The packages for drawing include the readers.
    #expect(try plot(tool, ["results"]).status == 0)
    let check = Self.root.appendingPathComponent("scripts/plots/tests/check_junit.py").path
    let python = URL(fileURLWithPath: Self.packages + "/bin/python")
    let read = try tool.finish(tool.start(["-B", check, "junit.xml"], of: python))
    #expect(read.status == 0, "\(read.output)\(read.errors)")
  }

  @Test(.enabled(if: canDraw)) func aRunIsDrawnAndItsFilesLoadInPandasWithoutOptions() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let seed = "9223372036854775807"
    let files = try Self.scenarios.map { try tool.write($1, to: "\($0).yml") }
    let run = try tool.run(["run"] + files + ["--allow-debug", "--seed", seed, "--out", "results"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")

    let drawn = try plot(tool, ["results"])
    #expect(drawn.status == 0, "\(drawn.errors)")
    for picture in ["a-time", "a-latency", "a-throughput", "a-safety", "b-safety"] {
      for ending in ["png", "svg"] {
        let file = "\(tool.folder)/results/pictures/\(picture).\(ending)"
        #expect(FileManager.default.fileExists(atPath: file), "\(file)")
      }
    }

    // A page takes the pictures that are there, and has those drawn that are not.
    for _ in 1...2 {
      let report = try tool.run(["report", "results"])
      #expect(report.status == 0, "\(report.errors)")
      let page = try String(contentsOfFile: tool.folder + "/results/report.html", encoding: .utf8)
      #expect(page.contains("data-scenario=\"a\" data-picture=\"time\""))
      #expect(page.contains("data-scenario=\"b\" data-picture=\"safety\""))
      try FileManager.default.removeItem(atPath: tool.folder + "/results/pictures")
    }

    let columns = try tool.write(try tool.run(["list", "columns"]).output, to: "columns.txt")
    let check = Self.root.appendingPathComponent("scripts/plots/tests/check_loading.py").path
    let command = "\"\(Self.packages)/bin/python\" -B \"\(check)\" results \(seed) < \(columns)"
    let loaded = try tool.finish(tool.start(["-c", command], of: URL(fileURLWithPath: "/bin/sh")))
    #expect(loaded.status == 0, "\(loaded.output)\(loaded.errors)")
  }
}
