import Checking
import Foundation
import Measuring
import Testing

@testable import Reporting

@Suite struct CompareTests {
  /// Cells of one kind in a made-up results folder.
  private struct Made {
    /// Seconds of each strategy, with a floor of one second.
    var seconds: [String: Double]
    var repetitions = 10
    /// The main thread's share of them.
    var mainThreadShare = 0.5
    /// Seconds of the candidate, where there are pairs.
    var candidate: [String: Double]?
    /// Whether the seconds are instead counts of 100 million instructions.
    var counts = false
  }

  /// A results folder with values up to 3 % above these.
  private func write(_ made: Made, to name: String, in tool: Tool) throws {
    let folder = tool.folder + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let run = name.replacingOccurrences(of: "/", with: "-")
    try PlanDocument(
      shard: nil, blockCount: 0, cellCount: 0, scenarios: [], blocks: []
    ).write(in: folder)
    try Manifest(
      run: run, version: "0", revision: nil, command: "run", arguments: [], scenarios: [], seeds: [],
      startedAt: Date(), allocator: "system", storeFileSystem: nil, libraries: [:], sqliteOptions: [:]
    ).write(in: folder)
    let cells = try CSVWriter(.cells, in: folder)
    _ = try CSVWriter(.timings, in: folder)
    _ = try CSVWriter(.violations, in: folder)
    var number = 0
    for repetition in 0..<made.repetitions {
      for (strategy, seconds) in made.seconds.sorted(by: { $0.key < $1.key }) {
        let arms: [(Arm?, Double)] =
          made.candidate.map { [(.base, seconds), (.head, $0[strategy] ?? seconds)] } ?? [(nil, seconds)]
        for (arm, seconds) in arms {
          let key = CellKey(
            run: run, cell: number, scenario: "import", strategy: strategy, options: "", mergePolicy: "error",
            seed: UInt64(repetition), repetition: repetition)
          var row = CellRow(key: key, verdict: .held)
          row.arm = arm
          if made.counts {
            row.instructions = UInt64(seconds * 1e8 * (1 + 0.0001 * Double(repetition * 3 % 5)))
            try cells.append(row)
            number += 1
            continue
          }
          row.floorSeconds = 1
          let jitter = (repetition * 7 + strategy.count + name.count + (arm == .head ? 3 : 0)) % 10
          let level = made.candidate == nil ? 0.002 * Double(name.count % 4) : 0
          let durable = seconds * (1 + level + 0.003 * Double(jitter))
          row.untilDurableSeconds = durable
          row.processor = ProcessorUsage()
          row.processor?.totalSeconds = durable
          row.mainThread = MainThreadTime(total: made.mainThreadShare * durable)
          try cells.append(row)
          number += 1
        }
      }
    }
  }

  private func write(_ seconds: [String: Double], to name: String, in tool: Tool) throws {
    try write(Made(seconds: seconds), to: name, in: tool)
  }

  @Test func exitCodesOfRunsSayWhatWasShown() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let two = ["parent-child": 2.0, "main-only": 3]
    try write(two, to: "base", in: tool)
    for name in ["one", "other", "thethird", "a-fourth-one"] { try write(two, to: "repeats/" + name, in: tool) }
    try write(two, to: "same", in: tool)
    try write(["parent-child": 2.6, "main-only": 3.3], to: "slow", in: tool)
    try write(["parent-child": 1.5, "main-only": 2.4], to: "fast", in: tool)
    try write(["parent-child": 2.6], to: "less", in: tool)
    try write(Made(seconds: two, repetitions: 2), to: "short", in: tool)
    try write(Made(seconds: two, mainThreadShare: 0.9), to: "main", in: tool)
    _ = try tool.write("thresholds:\n  - {column: main_thread_s, percent: 9}\n", to: "main.yml")
    _ = try tool.write("thresholds:\n  - {column: main_thread_s, percent: 0.1}\n", to: "narrow.yml")
    let known = ["--noise-run", "repeats"]
    for (head, arguments, status, text) in [
      // Two runs alone.
      ("same", [], 2, "advisory: "), ("slow", [], 2, "inconclusive; slower in these two runs"),
      ("slow", ["--noise-run", "repeats/one"], 2, "advisory: "),
      // Runs with a known variance.
      ("same", known, 0, "equivalent in 3 of 3 comparisons"), ("slow", known, 3, "worse in 3 of 3 comparisons"),
      ("fast", known, 0, "better in 3 of 3"), ("fast", known + ["--improvements"], 4, "better in 3"),
      ("less", known, 5, "not measured: import, main-only, cpu_s: the baseline has it"),
      ("slow", known + ["--basis", "ratios"], 3, "floor_ratio"),
      ("same/cells.csv", known, 0, "equivalent in 3 of 3"),
      // Nothing can be said of two cells.
      ("short", known, 2, "inconclusive in 3 of 3"),
      // Differences that must show.
      ("same", known + ["--must-show", "20%"], 0, "equivalent"),
      ("same", known + ["--must-show", "0.1%"], 2, "to decide"),
      // A secondary measure decides nothing, unless a threshold names it.
      ("main", known, 0, "secondary: worse in 3"), ("main", known + ["--thresholds", "main.yml"], 3, "worse in 3"),
      ("same", known + ["--thresholds", "main.yml"], 0, "threshold"),
      ("same", known + ["--thresholds", "narrow.yml"], 2, "inconclusive in 3"),
    ] as [(String, [String], Int32, String)] {
      let result = try tool.run(["compare", "base", head] + arguments)
      #expect(result.status == status, "\(head) \(arguments): \(result.output)\(result.errors)")
      #expect(result.output.contains(text), "\(head) \(arguments): \(result.output)")
    }
  }

  @Test func exitCodesOfCountsSayWhatWasShown() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let base = ["parent-child": 2.0, "main-only": 3]
    for (name, factor, repetitions) in [
      ("base", 1, 5), ("same", 1.003, 5), ("slow", 1.02, 5), ("fast", 0.98, 5), ("few", 1.02, 2),
    ] {
      try write(
        Made(seconds: base.mapValues { $0 * factor }, repetitions: repetitions, counts: true), to: name, in: tool)
    }
    try write(
      Made(seconds: base, repetitions: 5, candidate: base.mapValues { $0 * 1.02 }, counts: true), to: "pairs", in: tool)
    try write(base, to: "timed", in: tool)
    _ = try tool.write("thresholds:\n  - {column: instructions, percent: 3}\n", to: "wide.yml")
    for (arguments, status, text) in [
      (["base", "same"], 0, "equivalent in 3 of 3"), (["base", "slow"], 3, "worse in 3 of 3"),
      (["base", "fast"], 0, "better in 3 of 3"), (["base", "fast", "--improvements"], 4, "better in 3 of 3"),
      (["base", "few"], 2, "inconclusive in 3 of 3"), (["pairs"], 3, "worse in 3 of 3"),
      (["base", "slow", "--thresholds", "wide.yml"], 0, "equivalent in 3 of 3"),
      (["base", "timed"], 64, "timed did not"),
    ] as [([String], Int32, String)] {
      let result = try tool.run(["compare"] + arguments)
      #expect(result.status == status, "\(arguments): \(result.output)\(result.errors)")
      #expect((result.output + result.errors).contains(text), "\(arguments): \(result.output)\(result.errors)")
    }
  }

  @Test func exitCodesOfPairsSayWhatWasShown() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let base = ["parent-child": 2.0, "main-only": 3]
    func pairs(_ factor: Double, _ repetitions: Int) -> Made {
      Made(seconds: base, repetitions: repetitions, candidate: base.mapValues { $0 * factor })
    }
    for (name, made) in [
      ("same", pairs(1, 20)), ("slow", pairs(1.1, 20)), ("fast", pairs(0.9, 20)), ("few", pairs(2, 4)),
      ("some", pairs(2, 7)), ("enough", pairs(2, 8)),
    ] { try write(made, to: name, in: tool) }
    for (name, arguments, status, text) in [
      ("same", [], 0, "equivalent in 3 of 3 comparisons"), ("slow", [], 3, "worse in 3 of 3"),
      ("fast", [], 0, "better in 3 of 3"), ("fast", ["--improvements"], 4, "better in 3 of 3"),
      // A true factor of 2 that so few pairs cannot show is no green.
      ("few", [], 2, "unknown"), ("some", [], 2, "more cells would decide"), ("enough", [], 3, "slower"),
      ("same", ["--must-show", "0.1%"], 2, "inconclusive"), ("same", ["--must-show", "5%"], 0, "equivalent"),
    ] as [(String, [String], Int32, String)] {
      let result = try tool.run(["compare", name] + arguments)
      #expect(result.status == status, "\(name) \(arguments): \(result.output)\(result.errors)")
      #expect(result.output.contains(text), "\(name) \(arguments): \(result.output)")
    }
    let result = try tool.run(["compare", "slow", "--comparison", "rows.csv"])
    #expect(result.status == 3)
    // A comparison of folders has the forms of a run, of itself alone.
    for (name, status, failures) in [("slow", 3, ["regression"]), ("same", 0, []), ("few", 2, ["inconclusive"])]
      as [(String, Int32, [String])]
    {
      let exported = try tool.run(["compare", name, "--junit", "c.xml", "--markdown", "c.md"])
      #expect(exported.status == status, "\(exported.errors)")
      #expect(Set(try tool.failures(inJUnit: "c.xml")) == Set(failures))
      #expect(try tool.text("c.md").contains("**Exit code \(status)**"))
    }
    #expect(try tool.run(["compare", "slow", "--csv", "c.csv"]).status == 64)
    let rows = try tool.rows("rows.csv", in: ".")
    #expect(rows.count == 9 && rows.allSatisfy { $0["verdict"] == "worse" && Double($0["p_worse"] ?? "") != nil })
    #expect(rows.filter { $0["role"] == "primary" }.count == 3)
  }

  @Test func aChangeOfManyRunsIsFoundWithItsRun() throws {
    let tool = try Tool()
    defer { tool.remove() }
    for number in 0..<16 {
      let seconds = (number < 8 ? 2.0 : 2.4) * (1 + 0.004 * Double((number * 7) % 5))
      try write(
        Made(seconds: ["parent-child": seconds, "main-only": 3], repetitions: 3), to: "runs/r\(number + 10)", in: tool)
      var manifest = try Manifest(readingFrom: tool.folder + "/runs/r\(number + 10)")
      manifest.startedAt = Date(timeIntervalSince1970: Double(number) * 86_400)
      manifest.revision = "revision\(number)"
      try manifest.write(in: tool.folder + "/runs/r\(number + 10)")
    }
    let found = try tool.run(["history", "runs", "--csv", "h.csv"])
    #expect(found.status == 0, "\(found.errors)")
    let lines = found.output.split(separator: "\n").filter { $0.contains("revision8") }
    #expect(
      lines.count >= 2 && lines.allSatisfy { $0.contains("parent-child") && $0.contains("+19.8 %") }, "\(found.output)")
    #expect(!found.output.contains("main-only"), "\(found.output)")
    let rows = try tool.rows("h.csv", in: ".")
    #expect(rows.count { $0["is_change"] == "yes" } == lines.count && rows.count >= 64)
    let short = try tool.run(["history", "runs/r10", "runs/r11"])
    #expect(short.status == 0 && short.output.contains("from 8 runs on"))
    #expect(try tool.run(["history", "nothing"]).status == 64)
  }

  @Test func whatCannotBeComparedEndsWith64() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try write(["parent-child": 2], to: "base", in: tool)
    try write(["parent-child": 2], to: "damaged", in: tool)
    let path = tool.folder + "/damaged/cells.csv"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.dropLast(3).description.write(toFile: path, atomically: true, encoding: .utf8)
    _ = try tool.write("thresholds:\n  - {column: floor_ratio, percent: 9, scenario: soak}\n", to: "none.yml")
    _ = try tool.write("thresholds:\n  - {column: floor, percent: 9}\n", to: "wrong.yml")
    for (arguments, message) in [
      (["base", "damaged"], "damaged/cells.csv:11: ends in the middle of a line."),
      (["base", "nowhere"], "nowhere: is not there."),
      (["base", "base", "--thresholds", "none.yml"], "none.yml:2: the threshold of soak, floor_ratio matched nothing"),
      (["base", "base", "--thresholds", "wrong.yml"], "wrong.yml:2: thresholds[1].column: unknown column floor"),
      ([], "Missing expected argument"),
    ] {
      let result = try tool.run(["compare"] + arguments)
      #expect(result.status == 64)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test func aRunIsHeldAgainstItsBaseline() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(
      "workload: import\nstrategies: [parent-child, main-only]\nnotes: 40\nrepetitions: 1\nfloor: true\n"
        + "checks: [lost-record]\nexpect: {may: [main-thread-stall]}\n", to: "a.yml")
    func run(_ arguments: [String]) throws -> Tool.Result {
      try tool.run(["run", "a.yml", "--allow-debug"] + arguments)
    }
    let first = try run(["--out", "first", "--junit", "first.xml"])
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    #expect(try tool.failures(inJUnit: "first.xml") == [])
    let second = try run(["--out", "second", "--baseline", "first", "--junit", "second.xml"])
    #expect(second.status == 2, "\(second.output)\(second.errors)")
    #expect(Set(try tool.failures(inJUnit: "second.xml")) == ["inconclusive"])
    #expect(second.output.contains("compared with first\n") && second.output.contains("inconclusive"))
    #expect(second.folder == "second")
    let part = try run(["--out", "part", "--baseline", "first", "--strategy", "main-only", "--junit", "part.xml"])
    #expect(part.status == 5, "\(part.output)\(part.errors)")
    #expect(try tool.failures(inJUnit: "part.xml").contains("not measured"))
    // The folder knows the comparison, so that every form can be written later.
    let again = try tool.run(["export", "part", "--format", "junit", "--out", "again.xml"])
    #expect(again.status == 0)
    #expect(try tool.text("again.xml") == tool.text("part.xml"))
    // Found before anything is run.
    let wrong = try run(["--out", "wrong", "--baseline", "nowhere"])
    #expect(wrong.status == 64 && wrong.errors.contains("--baseline: nowhere: is not there"))
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/wrong"))
    _ = try tool.write(try tool.text("a.yml"), to: "b.yml")
    let other = try tool.run(["run", "b.yml", "--allow-debug", "--out", "other", "--baseline", "first"])
    #expect(other.status == 64, "\(other.output)")
    #expect(
      other.errors == "--baseline: first: has a, and this run has b. Name a run of the same scenario\n",
      "\(other.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/other"))
  }

  /// An executable that leaves out the slowdown which the settings ask for.
  private func writeFasterExecutable(in tool: Tool) throws {
    let path = try tool.write(
      "#!/bin/bash\nexec '\(Tool.executable.path)' \"$@\" < <(sed 's/\"slowdown_steps\" : .*/\"slowdown_steps\" : \"0\",/')\n",
      to: "faster")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.folder + "/" + path)
  }

  @Test func cellsAreComparedWithThoseThatRanBeside() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try writeFasterExecutable(in: tool)
    _ = try tool.write(
      "workload: import\nstrategies: [main-only]\nnotes: 10\nrepetitions: 12\nslowdown_steps: 500000\n"
        + "checks: [lost-record]\nexpect: {may: [main-thread-stall]}\n", to: "a.yml")
    let slower = try tool.run([
      "run", "a.yml", "--allow-debug", "--against", "faster", "--out", "slower", "--junit", "slower.xml",
    ])
    #expect(slower.status == 3, "\(slower.output)\(slower.errors)")
    #expect(slower.output.contains("compared with faster, side by side\n"))
    #expect(Set(try tool.failures(inJUnit: "slower.xml")) == ["regression"])
    #expect(slower.output.contains("until_durable_s") && slower.output.contains("slower"))
    let results = try Results(readingFrom: tool.folder + "/slower")
    #expect(results.cells.count == 24)
    for pair in stride(from: 0, to: 24, by: 2) {
      #expect(Set(results.cells[pair..<pair + 2].map(\.arm)) == [.base, .head])
    }
    // The same again from the files.
    let again = try tool.run(["compare", "slower"])
    #expect(again.status == 3 && again.output.contains("until_durable_s"), "\(again.output)\(again.errors)")
  }

  @Test func whatCannotRunBesideEndsWith64() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write("workload: import\nstrategies: [main-only]\nnotes: 10\nrepetitions: 1\n", to: "a.yml")
    for (arguments, message) in [
      (["--against", "nowhere"], "--against: nowhere: is no contextbench"),
      (["--against", "/bin/true"], "--against: /bin/true: is no contextbench"),
      (["--against", Tool.executable.path, "--set", "aa=true"], "makes pairs of a already"),
      (["--against", Tool.executable.path, "--baseline", "x"], "Choose one"),
      (["--against", Tool.executable.path, "--basis", "times"], "leave out --in-process, --basis and --noise-run"),
    ] {
      let result = try tool.run(["run", "a.yml", "--allow-debug", "--out", "x"] + arguments)
      #expect(result.status == 64 && result.errors.contains(message), "\(result.output)\(result.errors)")
    }
    try write(["parent-child": 2], to: "base", in: tool)
    let compared = try tool.run(["compare", "base"])
    #expect(compared.status == 64 && compared.errors.contains("base has no pairs of cells"), "\(compared.errors)")
  }

  @Test func aPairThatWasTornRunsAgainAsAWhole() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(
      "workload: import\nstrategies: [main-only]\nnotes: 10\nrepetitions: 2\nchecks: [lost-record]\n"
        + "expect: {may: [main-thread-stall]}\n", to: "a.yml")
    try FileManager.default.copyItem(atPath: Tool.executable.path, toPath: tool.folder + "/other")
    let whole = try tool.run(["run", "a.yml", "--allow-debug", "--against", "other", "--out", "results"])
    // Of two pairs nothing can be said.
    #expect(whole.status == 2, "\(whole.output)\(whole.errors)")
    let manifest = try Manifest(readingFrom: tool.folder + "/results")
    #expect(manifest.beside?.path.hasSuffix("/other") == true)
    #expect(manifest.beside?.sha256 == manifest.executable?.sha256, "a copy")
    let digits = try #require(manifest.executable?.sha256)
    #expect(digits.count == 64 && whole.output.contains("SHA-256 \(digits.prefix(12))…"))
    // As if the run had been ended between the two of the last pair.
    let path = tool.folder + "/results/cells.csv"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 5)
    try (lines.dropLast().joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let resumed = try tool.run(["run", "--resume", "results"])
    #expect(resumed.status == 2, "\(resumed.output)\(resumed.errors)")
    let after = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(after.count == 5 && Array(after[..<3]) == Array(lines[..<3]))
    #expect(after[3] != lines[3], "the half that was left has run again")
    // Another executable is not gone on with.
    try (lines.dropLast().joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    var another = manifest
    another.beside?.sha256 = "0123"
    try another.write(in: tool.folder + "/results")
    let refused = try tool.run(["run", "--resume", "results"])
    #expect(refused.status == 64 && refused.errors.contains("beside it ran"), "\(refused.errors)")
  }
}
