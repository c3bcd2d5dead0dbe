import Foundation
import Measuring
import Testing

@Suite struct UsageTests {
  private let right = "workload: import\nstrategies: [parent-child]\nnotes: 10\nrepetitions: 2\n"

  @Test func helpTeachesAndVersionIsPrinted() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let help = try tool.run(["--help"])
    #expect(help.status == 0 && help.output.contains("EXAMPLES") && help.output.contains("EXIT CODES"))
    let version = try tool.finish(tool.start(["--version"], of: Tool.built("contextbench")))
    #expect(version.output == "0.1.0\(BuildConfiguration.current.suffix)\n")
  }

  /// Lines that are set in are broken to the first column where 80 columns are too few.
  @Test(arguments: ["", "run", "export", "history", "recommend", "new"])
  func examplesInTheHelpFitInto80Columns(command: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let lines = try tool.run([command, "--help"].filter { !$0.isEmpty }).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    let broken = zip(lines, lines.dropFirst()).filter { before, line in
      before.hasPrefix("  ") && !line.isEmpty && !line.hasPrefix(" ")
    }
    #expect(broken.isEmpty, "\(broken.map(\.1))")
  }

  @Test(arguments: ["scenarios", "strategies", "workloads", "checks", "violations", "keys", "columns"])
  func everythingCanBeListed(subject: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["list", subject])
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count > 3)
    // Only a long text makes a line long, not the padding of another column.
    #expect(lines.allSatisfy { !$0.contains(String(repeating: " ", count: 80)) })
  }

  @Test func aCommandThatIsMisspelledIsSuggested() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["rnu", "import"])
    #expect(result.status == 64 && result.errors.contains("unknown command rnu. Did you mean run?"), "\(result.errors)")
  }

  @Test func checksAreListedWithTheirMeaning() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let lines = try tool.run(["list", "checks"]).output.split(separator: "\n").dropFirst(2)
    #expect(lines.allSatisfy { $0.split(separator: " ").count > 3 }, "\(lines)")
  }

  @Test func standardOutputIsOneDocument() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(right + "checks: [lost-record]\nexpect: {may: [main-thread-stall]}\n", to: "a.yml")
    let json = try tool.run(["run", file, "--allow-debug", "-o", "json", "--out", "json"])
    let document = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((document["cells"] as? [Any])?.count == 2 && json.errors.contains("\njson\n"))
    let lines = try tool.run(["run", file, "--allow-debug", "-o", "jsonl", "--out", "lines"]).output.split(
      separator: "\n")
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    #expect(objects.map { $0?["cell"] as? Int } == [0, 1, nil])
    #expect(objects.last??["exit_code"] as? Int == 0 && objects.last??["folder"] as? String == "lines")
    let quiet = try tool.run(["run", file, "--allow-debug", "--quiet", "--out", "quiet"])
    #expect(quiet.output == "quiet\n" && quiet.status == 0)
    // Annotations are for a step's log, beside the table.
    let step = try tool.run(["run", file, "--allow-debug", "--github-annotations", "-", "--out", "step"])
    #expect(step.folder == "step")
  }

  @Test func scenariosAreChosenByAPattern() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let plan = try tool.run(["plan", "--filter", "hazards/lost-*", "--filter", "ba*k", "--quick", "--json"])
    let document = try #require(JSONSerialization.jsonObject(with: Data(plan.output.utf8)) as? [String: Any])
    let names = (document["scenarios"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    #expect(names.contains("lost-update") && names.contains("bank") && !names.contains("import"), "\(names)")
    let none = try tool.run(["plan", "--filter", "nothing*"])
    #expect(none.status == 64 && none.errors.contains("matches no shipped scenario"), "\(none.errors)")
  }

  @Test(arguments: [
    (["run", "--", "files", "0", "0", "im"], "import"), (["run", "--", "files", "0", "0", "ha"], "hazards/deadlock"),
    (["run", "--", "--strategy", "0", "10", "main-only,"], "main-only,parent-child"),
    (["run", "--", "--set", "0", "0", "no"], "notes="), (["explore", "--", "files", "0", "0", "co"], "counters"),
    (["explore", "--", "--set", "0", "0", "no"], "notes="),
    (["matrix", "--", "--strategy", "0", "0", "m"], "main-only"),
    (["explain", "--", "kind", "0", "0", "st"], "stale-read"), (["validate", "--", "files", "0", "0", "im"], "import"),
  ]) func shellsCompleteWhatIsKnown(arguments: [String], word: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let script = try tool.run(["--generate-completion-script", "bash"])
    #expect(script.status == 0 && script.output.contains("---completion run -- --strategy"))
    let arguments = arguments.map { ["files", "kind"].contains($0) ? "positional@0" : $0 }
    let result = try tool.run(["---completion"] + arguments)
    #expect(result.output.split(separator: "\n").contains { $0 == word }, "\(result.output)\(result.errors)")
  }

  @Test func theManualPageHasTheHelpOfEveryCommand() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let page = try tool.run(["manual"])
    #expect(page.status == 0 && page.output.hasPrefix(".TH CONTEXTBENCH 1 "), "\(page.errors)")
    let lines = page.output.split(separator: "\n")
    let help = try tool.run(["--help"]).output
    let verbs = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
      .prefix { !$0.contains(" help <subcommand>") }
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first }
    #expect(verbs.count > 15)
    for verb in verbs {
      #expect(lines.contains { $0.hasPrefix(".SS \"contextbench \(verb) ") }, "\(verb)")
    }
    for word in ["\\-\\-stop\\-on\\-violation", "\\-\\-noise\\-run", "EXIT CODES", "cannot be"] {
      #expect(page.output.contains(word), "\(word)")
    }
    // A line that is no request of man(7) would vanish from the page.
    let requests = Set(
      lines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }.compactMap { $0.split(separator: " ").first })
    #expect(requests.isSubset(of: [".TH", ".SH", ".SS", ".B", ".I", ".PP", ".TP", ".nf", ".fi"]), "\(requests)")
  }

  @Test func aPackageForAStrategyHasItsNames() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let made = try tool.run(["new", "strategy", "offline-first"])
    #expect(made.status == 0 && made.folder == "offline-first", "\(made.errors)")
    // The checkout's own build folder, which has the harness compiled.
    let build = Tool.executable.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    for command in ["run", "test"] {
      #expect(
        made.output.contains(
          "  swift \(command) -c release --package-path offline-first --scratch-path \(build.path) "
            + "--disable-build-manifest-caching "), "\(made.output)")
    }
    let strategy = try tool.text("offline-first/Sources/offline-first/OfflineFirstStrategy.swift")
    #expect(strategy.contains("final class OfflineFirstStrategy: Strategy") && strategy.contains("\"offline-first\""))
    #expect(!strategy.contains("Refreshing"))
    let package = try tool.text("offline-first/Package.swift")
    #expect(package.contains("Context.environment[\"CONTEXTBENCH\"] ?? \"/"))
    #expect(package.contains(".package(name: \"contextbench\", path: checkout)"))
    for name in ["rename", "never-refreshed"] {
      #expect(try tool.text("offline-first/Scenarios/\(name).yml").contains("offline-first"))
    }
    #expect(try tool.text("offline-first/Tests/OfflineFirstTests/OfflineFirstTests.swift").contains("@Test"))
    #expect(try tool.text("offline-first/.github/workflows/ci.yml").contains("swift test -c release"))
    for wrong in ["offline-first", "Offline", "main-only"] {
      #expect(try tool.run(["new", "strategy", wrong]).status == 64, "\(wrong)")
    }
  }

  @Test func anArrangementIsRecommendedWithItsReasons() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let app = [
      "--importers", "2", "--save-every", "42", "--objects", "210", "--repetitions", "1", "--reads-on-main", "0",
    ]
    let result = try tool.run(["recommend", "--allow-debug", "--out", "results"] + app)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.folder == "results" && result.output.contains("final class ") && result.output.contains("\nuse "))
    #expect(result.output.contains("under every merge policy"), "two writers of parent-child lose updates")
    #expect(try Set(tool.rows("cells.csv", in: "results").compactMap { $0["strategy"] }).count == 13)
    // The folder says the same again, and other weights may say something else.
    let again = try tool.run(["recommend", "results"])
    let ranking = again.output.dropLast("\nresults\n".count)
    #expect(result.output.hasPrefix(ranking) && !again.output.contains("\nran\n"))
    #expect(result.output.contains("\nran\n  contextbench run import --set importers=2 --set save_every=42"))
    #expect(try tool.run(["recommend", "results", "--memory", "-1"]).status == 64)
    #expect(try tool.run(["recommend", "results", "--importers", "2"]).status == 64)
    #expect(try tool.run(["recommend", "nothing"]).status == 64)
  }

  @Test func allProblemsOfAllFilesAreReportedAndNothingIsWritten() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let first = try tool.write(right + "nots: 5\nseed: x\n", to: "a.yml")
    let second = try tool.write("workload: [\n", to: "b.yml")
    let arguments = [first, second, "c.yml", "--set", "notes=0", "--strategy", "nobody", "--out", "results"]
    let result = try tool.run(["run"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    for line in [
      "a.yml:5: nots: unknown key. Did you mean notes?", "a.yml:6: seed: x is not a whole number.", "b.yml:",
      "c.yml: no such file or shipped scenario.", "--set: notes: 0 is out of range.",
      "--strategy: strategies: unknown strategy nobody.",
    ] {
      #expect(result.errors.contains(line), "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/results"))
  }

  @Test(arguments: [
    ["run"], ["walk"], ["run", "a.yml", "--sets", "x=1"], ["run", "a.yml", "--set", "notes"], ["list", "nothing"],
    ["run", "a.yml", "--shard", "3/2"], ["run", "a.yml", "--repetitions", "0"], ["run", "a.yml", "--seed", "-1"],
    ["run", "a.yml", "--allow-debug", "--improvements"], ["run", "a.yml", "--allow-debug", "--noise-run", "x"],
    ["validate", "nothing.yml"], ["plan"], ["plan", "a.yml", "--shard", "0/2"], ["plan", "nothing.yml", "--json"],
  ])
  func wrongUsageEndsWith64(arguments: [String]) throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(right, to: "a.yml")
    let result = try tool.run(arguments)
    #expect(result.status == 64)
    #expect(!result.errors.isEmpty)
  }

  @Test func aRightFileIsSaidToBeRight() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["validate", try tool.write(right, to: "a.yml")])
    #expect(result.status == 0)
    #expect(result.output == "a.yml: right; 2 cells, parent-child\n")
    let named = try tool.run(["validate", try tool.write(right + "checks: [main-thread-stall]\n", to: "b.yml")])
    #expect(
      named.output.contains("b.yml: note: main-thread-stall only warns, above 250 ms; write main_stall_budget_ms"))
  }

  @Test func theShippedScenariosAreRight() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let listed = try tool.run(["list", "scenarios"]).output.split(separator: "\n").dropFirst(2)
    let names = listed.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.contains("import") && names.contains("hazards/deadlock"))
    let result = try tool.run(["validate"] + names)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aDryRunPrintsThePlanAndWritesNothing() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(right + "floor: true\n", to: "a.yml")
    let result = try tool.run(["run", file, "--dry-run"])
    #expect(result.status == 0)
    // Header, rule, and for each repetition a floor and a cell.
    #expect(result.output.split(separator: "\n").count == 6)
    #expect(try tool.run(["run", file, "--dry-run", "--shard", "2/2"]).output.split(separator: "\n").count == 4)
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/contextbench-results"))
  }

  @Test func thePlanIsPrintedAsJSONForSchedulers() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(right + "floor: true\n", to: "a.yml")
    func plan(_ arguments: [String]) throws -> [String: Any] {
      let result = try tool.run(["plan", file, "--json"] + arguments)
      #expect(result.status == 0, "\(result.errors)")
      return try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }
    let whole = try plan(["--set", "notes=12"])
    let blocks = try #require(whole["blocks"] as? [[String: Any]])
    #expect(blocks.compactMap { $0["block"] as? Int } == [0, 1])
    #expect(blocks.compactMap { $0["seed"] as? Int } == [1, 2])
    #expect(blocks.compactMap { $0["floors"] as? Int } == [1, 1])
    let scenario = try #require((whole["scenarios"] as? [[String: Any]])?.first)
    #expect((scenario["settings"] as? [String: String])?["notes"] == "12")
    let part = try plan(["--shard", "2/2"])
    #expect((part["blocks"] as? [[String: Any]])?.compactMap { $0["block"] as? Int } == [1])
    #expect(part["block_count"] as? Int == 2 && part["shard"] as? String == "2/2")
    // Without --json it is the output of --dry-run.
    #expect(try tool.run(["plan", file]).output == tool.run(["run", file, "--dry-run"]).output)
  }

  @Test func anUnwritableFolderEndsWith6() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let file = try tool.write(right, to: "a.yml")
    // A folder cannot be made below a file, by any user.
    let result = try tool.run(["run", file, "--allow-debug", "--out", "a.yml/results"])
    #expect(result.status == 6)
    #expect(result.errors.hasPrefix("--out: a.yml/results: the folder cannot be made"))
  }
}
