import Foundation
import Testing

/// Output that cannot be written, folders with an owner, and arguments that name nothing.
struct StreamsTests {
  private let scenario =
    "workload: import\nstrategies: [main-only]\nnotes: 20\nrepetitions: 1\nfloor: false\nwarmup: 0\n"

  /// Runs a line of a shell, in which `$tool` is the executable, in the tool's folder.
  private func shell(_ line: String, in tool: Tool) throws -> Tool.Result {
    try tool.finish(
      tool.start(["-c", "tool=$0; \(line)", Tool.executable.path], of: URL(fileURLWithPath: "/bin/bash")))
  }

  @Test(arguments: [
    ("$tool list keys >/dev/full", 6, "No space left on device"), ("$tool list keys >&-", 6, "Bad file descriptor"),
    ("$tool list keys </dev/null | true; exit ${PIPESTATUS[0]}", 141, ""), ("$tool --help >/dev/full", 6, "No space"),
    ("$tool list keys 2>/dev/full", 0, ""), ("$tool lst 2>/dev/full", 64, ""), ("$tool lst 2>&-", 64, ""),
    ("$tool plan a.yml --json >/dev/full", 6, "No space"), ("$tool plan a.yml >&-", 6, "Bad file descriptor"),
  ]) func whatCannotBeWrittenIsAnError(line: String, status: Int32, reason: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario, to: "a.yml")
    let result = try shell(line, in: tool)
    #expect(result.status == status, "\(result.errors)")
    #expect(reason.isEmpty || result.errors.contains("standard output: cannot be written: \(reason)"))
  }

  @Test(arguments: [
    (">/dev/full", 6), (">&-", 6), ("| true; exit ${PIPESTATUS[0]}", 141), ("--output jsonl >/dev/full", 6),
    ("--json - >/dev/full", 6), ("--junit /dev/full", 6), ("2>/dev/full", 0),
  ]) func aRunIsSavedAllTheSame(rest: String, status: Int32) throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario, to: "a.yml")
    let result = try shell("$tool run a.yml --allow-debug --set checks=lost-record --out results \(rest)", in: tool)
    #expect(result.status == status, "\(result.output)\(result.errors)")
    #expect(try tool.rows("cells.csv", in: "results").count == 1)
    #expect(!FileManager.default.fileExists(atPath: tool.folder + "/results/owner.json"))
  }

  @Test func aFileThatMayNotGrowIsAnErrorAndNoSignal() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario, to: "a.yml")
    let run = "$tool run a.yml --allow-debug --set checks=lost-record --out results"
    #expect(try shell(run, in: tool).status == 0)
    // The limit is on files, and a pipe is none.
    let export = "(ulimit -f 0; $tool export results --format csv --out x.csv 2>&1) | cat; exit ${PIPESTATUS[0]}"
    let result = try shell(export, in: tool)
    #expect(result.status == 6, "\(result.output)")
    #expect(result.output.contains("x.csv: cannot be written: File too large"), "\(result.output)")
  }

  @Test(arguments: [
    ["run", "a.yml", "--json", "-", "--junit", "-"], ["run", "a.yml", "-o", "json", "--junit", "-"],
    ["run", "a.yml", "-o", "jsonl", "--sarif", "/dev/stdout"], ["merge", "a", "b", "--csv", "-", "--json", "-"],
    ["compare", "a", "b", "--comparison", "-", "--markdown", "-"],
    ["run", "a.yml", "--json", "x", "--junit", "./x"],
    ["merge", "a", "b", "--csv", "/tmp/x", "--json", "/tmp/../tmp/x"],
    ["compare", "a", "b", "--comparison", "x", "--markdown", "x"],
  ]) func twoFormsInOnePlaceAreRefused(arguments: [String]) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(arguments)
    #expect(result.status == 64 && result.errors.contains(" takes one form: "), "\(result.errors)")
  }

  @Test func whatAProgramReadsIsAloneInItsStream() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario, to: "a.yml")
    let run = "$tool run a.yml --allow-debug --set checks=lost-record"
    for (folder, rest) in [
      ("a", "--quiet --json -"), ("b", "--json /dev/stdout"), ("c", "--json /dev/stdout > f; cat f"),
    ] {
      let result = try shell("\(run) --out \(folder) \(rest)", in: tool)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(result.output.utf8)) }
      #expect(result.errors.hasSuffix("\(folder)\n"), "\(result.errors)")
    }
    let log = try shell("(echo first; $tool export a --format json --out /dev/stdout) > f; cat f", in: tool)
    #expect(log.output.hasPrefix("first\n{"), "\(log.output)")
    let rows = try shell("$tool compare a b --comparison -", in: tool)
    #expect(rows.output.hasPrefix("schema_version,") && !rows.output.contains("\n\n"), "\(rows.output)")
    let full = try shell("$tool compare a b --comparison /dev/full", in: tool)
    #expect(full.status == 6 && full.errors.contains("Make room"), "\(full.errors)")
  }

  @Test func anEmptyOrUnreadableNameIsRefusedBeforeAnythingIsWritten() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario, to: "a.yml")
    for line in [
      "$tool run a.yml --allow-debug --out ''", "$tool run a.yml --allow-debug --out=", "$tool merge '' --out x",
      "$tool run a.yml --allow-debug --out $'caf\\xe9'",
      "mkdir $'\\xff' && cd $'\\xff' && $tool run ../a.yml --allow-debug",
    ] {
      let result = try shell(line, in: tool)
      #expect(result.status == 64 && !result.errors.isEmpty, "\(line): \(result.errors)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder).filter { $0.allSatisfy(\.isASCII) }
    #expect(Set(names).isSubset(of: ["a.yml", "out", "err", "cache"]))
  }

  @Test(arguments: [
    ("$tool run - --allow-debug --set checks=lost-record --out results <a.yml", "standard-input"),
    ("$tool run <(cat a.yml) --allow-debug --set checks=lost-record --out results", "input-"),
    (
      "mkfifo pipe.yml; cat a.yml >pipe.yml & $tool run pipe.yml --allow-debug --set checks=lost-record --out results",
      "pipe"
    ),
    (
      "$tool explore - --schedules 2 --out explored <a.yml; $tool run - --allow-debug --out results <a.yml",
      "standard-input"
    ),
  ]) func aScenarioComesFromAnywhere(line: String, name: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario, to: "a.yml")
    let result = try shell(line, in: tool)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let row = try #require(try tool.rows("cells.csv", in: "results").first)
    #expect(row["scenario"]?.hasPrefix(name) == true, "\(row)")
  }

  @Test func aScenarioThatComesFromNowhereIsRefused() throws {
    let tool = try Tool()
    defer { tool.remove() }
    for line in ["$tool validate - </dev/null", "$tool validate - <&-", "$tool validate <(echo 'workload: none')"] {
      #expect(try shell(line, in: tool).status == 64, "\(line)")
    }
  }

  @Test func aFolderHasOneWriter() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write(scenario.replacing("repetitions: 1", with: "repetitions: 500"), to: "long.yml")
    _ = try tool.write(scenario, to: "a.yml")
    let first = try tool.start(["run", "long.yml", "--allow-debug", "--out", "results"])
    defer { first.terminate() }
    _ = try Tool.eventually { (try? tool.rows("cells.csv", in: "results").count) ?? 0 > 0 ? true : nil }
    for line in [
      "$tool run --resume results", "$tool run a.yml --allow-debug --out results",
      "$tool selftest --out results --allow-debug",
      "$tool explore a.yml --schedules 1 --out results",
    ] {
      let result = try Self.beside(line, tool)
      #expect([6, 64].contains(result.status), "\(line): \(result.status)")
      #expect(result.text.contains("process \(first.processIdentifier) on "), "\(result.text)")
    }
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    let rows = try tool.rows("cells.csv", in: "results").count
    let resumed = try tool.start(["run", "--resume", "results"])
    _ = try Tool.eventually { try tool.rows("cells.csv", in: "results").count > rows ? true : nil }
    resumed.interrupt()
    let result = try tool.finish(resumed)
    #expect(result.status == 130, "\(result.errors)")
    #expect((result.output + result.errors).contains("wrote into it and has ended"), "\(result.output)\(result.errors)")
  }

  /// Runs a line beside a running tool, and leaves the tool's outputs alone.
  private static func beside(_ line: String, _ tool: Tool) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "tool=$0; \(line)", Tool.executable.path]
    process.currentDirectoryURL = URL(fileURLWithPath: tool.folder)
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
