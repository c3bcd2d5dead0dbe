import Foundation
import Testing

/// The recipes of the page about CI, as they stand there.
@Suite struct RecipeTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/HarnessKit/HarnessKit.docc/CI.md")

  /// The code behind `<!-- recipe: name -->`.
  private func recipe(_ name: String) throws -> String {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let rest = text[try #require(text.firstRange(of: "<!-- recipe: \(name) -->\n"), "\(name)").upperBound...]
    return rest.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { $0 != "```" }
      .map { $0 + "\n" }.joined()
  }

  /// A folder in which `contextbench` and `scripts/run` are the built command, and the shipped import is a small one.
  private func prepare() throws -> Tool {
    let tool = try Tool()
    for folder in ["bin", "Scenarios", "scripts"] {
      try FileManager.default.createDirectory(atPath: tool.folder + "/" + folder, withIntermediateDirectories: true)
    }
    let command = """
      #!/bin/bash
      # A debug build is asked for runs of new folders only.
      if [ "$1" = run ] && [ "$2" != --resume ]; then set -- "$@" --allow-debug; fi
      exec \(Tool.executable.path) "$@"

      """
    for file in ["bin/contextbench", "scripts/run"] {
      _ = try tool.write(command, to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.folder + "/" + file)
    }
    _ = try tool.write(
      """
      workload: import
      strategies: [parent-child]
      notes: 10
      words_per_note: 1
      update_rounds: 1
      repetitions: 4
      checks: [lost-record]

      """, to: "Scenarios/import.yml")
    return tool
  }

  /// Runs a script as a CI's shell does.
  private func run(_ script: String, _ tool: Tool, _ environment: [String: String] = [:]) throws -> Tool.Result {
    _ = try tool.write(script, to: "recipe.sh")
    let settings = environment.map { "\($0.key)=\($0.value)" }
    let path = "PATH=\(tool.folder)/bin:/usr/local/bin:/usr/bin:/bin"
    return try tool.finish(
      tool.start(
        [path] + settings + ["bash", "-e", "-o", "pipefail", "recipe.sh"], of: URL(fileURLWithPath: "/usr/bin/env")))
  }

  private func expectWhole(_ folder: String, _ tool: Tool) throws {
    let cells = try tool.rows("cells.csv", in: folder).compactMap { $0["cell"] }
    #expect(cells.sorted() == ["0", "1", "2", "3"])
  }

  @Test func aShellRunsThePartsAndMerges() throws {
    let tool = try prepare()
    defer { tool.remove() }
    let result = try run(recipe("shell"), tool)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    try expectWhole("results", tool)
    #expect(FileManager.default.fileExists(atPath: tool.folder + "/junit.xml"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")))
  func gnuParallelRunsThePartsAndMerges() throws {
    let tool = try prepare()
    defer { tool.remove() }
    let result = try run(recipe("parallel"), tool, ["HOME": tool.folder])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    try expectWhole("results", tool)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/parts").count == 4)
  }

  @Test func aSlurmArrayRunsThePartsAndContinuesWithOne() throws {
    let tool = try prepare()
    defer { tool.remove() }
    let script = try recipe("slurm")
    // As Slurm does it: the batch script once a task, with the array's variables; task 2 comes back once more.
    for task in [1, 2, 3, 4, 2] {
      let result = try run(script, tool, ["SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_COUNT": "4"])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    #expect(script.contains("#SBATCH --array=1-4\n"))
    #expect(try run("contextbench merge parts/* --out results\n", tool).status == 0)
    try expectWhole("results", tool)
  }

  /// Four parts of one search, joined.
  private func expectWholeSearch(_ tool: Tool) throws {
    let merged = try run("contextbench merge parts/* --out results\n", tool)
    #expect(merged.status == 0, "\(merged.output)\(merged.errors)")
    let rows = try tool.rows("exploration.csv", in: "results")
    // Forty together, and each part begins with one in order.
    #expect(merged.output.contains(": 44 schedules, "), "\(merged.output)")
    #expect(rows.contains { $0["schedules"] == "44" }, "\(rows)")
  }

  /// The search of a recipe, small.
  private func small(_ recipe: String) throws -> String {
    #expect(recipe.contains("explore counters --schedules 1000 "))
    return recipe.replacing(
      "explore counters --schedules 1000 ", with: "explore counters --strategy notification-merge --schedules 40 ")
  }

  @Test func aSlurmArraySearchesInParts() throws {
    let tool = try prepare()
    defer { tool.remove() }
    let script = try small(recipe("slurm-explore"))
    for task in 1...4 {
      let result = try run(script, tool, ["SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_COUNT": "4"])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    try expectWholeSearch(tool)
  }

  @Test func theIndexedJobSearchesInPartsAndAgain() throws {
    let tool = try prepare()
    defer { tool.remove() }
    let manifest = try recipe("kubernetes").split(separator: "\n")
    let first = try #require(manifest.firstIndex { $0.hasSuffix("- |") })
    let indent = manifest[first + 1].prefix { $0 == " " }.count
    let script = try small(
      manifest[(first + 1)...].prefix { $0.prefix { $0 == " " }.count >= indent }
        .map { $0.dropFirst(indent) + "\n" }.joined())
    // Pod 2 comes back once more.
    for index in [0, 1, 2, 3, 2] {
      let result = try run(script, tool, ["JOB_COMPLETION_INDEX": "\(index)"])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    try expectWholeSearch(tool)
  }

  /// The lines of the steps that run something; those of actions cannot be run here.
  @Test func theStepsOfTheWorkflowRunThePartsAndMerge() throws {
    let tool = try prepare()
    defer { tool.remove() }
    var steps: [String] = []
    var indent = Int.max
    for line in try recipe("github").split(separator: "\n", omittingEmptySubsequences: false) {
      let own = line.prefix { $0 == " " }.count
      if line.hasSuffix("run: |") {
        steps.append("")
        indent = own
      } else if own > indent {
        steps[steps.count - 1] += line.dropFirst(indent + 2) + "\n"
      } else {
        indent = .max
      }
    }
    #expect(steps.count == 2)
    for shard in 1...3 {
      let result = try run(steps[0].replacing("${{ matrix.shard }}", with: "\(shard)"), tool)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    let result = try run(steps[1], tool, ["GITHUB_STEP_SUMMARY": tool.folder + "/summary.md"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    try expectWhole("whole", tool)
    for file in ["junit.xml", "contextbench.sarif", "summary.md"] {
      #expect(FileManager.default.fileExists(atPath: tool.folder + "/" + file), "\(file)")
    }
  }
}
