import Boundary
import Foundation
import Testing

/// Interleavings searched, replayed and made smaller by the built executable.
@Suite(.serialized) struct ExploreTests {
  private static let lossy = ["--set", "merge_policy=overwrite", "--strategy", "notification-merge"]

  /// Explores until a lost update is found; the tool, the result and the schedule's file.
  private func findLostUpdate(_ more: [String] = []) throws -> (tool: Tool, result: Tool.Result, file: String) {
    let tool = try Tool()
    let result = try tool.run(
      ["explore", "counters", "--schedules", "200", "--out", "found"] + Self.lossy
        + (more.isEmpty ? ["--shrink", "0s"] : more))
    return (tool, result, "found/schedules/counters-notification-merge-lost-update.schedule")
  }

  private func text(_ tool: Tool, _ file: String) throws -> String {
    try String(contentsOfFile: tool.folder + "/" + file, encoding: .utf8)
  }

  @Test func aLostUpdateIsFoundSavedAndShown() throws {
    let (tool, result, file) = try findLostUpdate(["--shrink", "20s"])
    defer { tool.remove() }
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.folder == "found")
    #expect(result.output.contains("found lost-update"))
    #expect(result.output.contains("to reproduce: contextbench replay \(file)"))
    #expect(result.output.contains("critical pair: ①"))
    #expect(result.output.contains("[info did-save]") && !result.output.contains(/[0-9]{9}/), "\(result.output)")
    let rows = try tool.rows("exploration.csv", in: "found")
    #expect(rows.map { $0["unexpected_kinds"] } == ["lost-update"])
    let schedule = try text(tool, file)
    #expect(schedule.contains("set: operations_per_client=1"))
    // One preemption is enough: both have read before one writes.
    #expect(schedule.split(separator: "\n").count { $0.contains(" | before ") } == 1)
    let replay = try tool.run(["replay", file])
    #expect(replay.status == 1, "\(replay.output)\(replay.errors)")
    #expect(replay.output.contains("lost-update happened again"))
    #expect(try tool.run(["export", "found", "--format", "trace", "--out", "trace.json"]).status == 0)
    #expect(try text(tool, "trace.json").contains("\"cat\":\"flow\""))
  }

  @Test func whatIsPrintedOfOneStrategyIsShortAndHasNoAddress() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["explore", "two-writers", "--strategy", "parent-child", "--schedules", "1"])
    #expect(result.output.contains("lost-update: Note"), "\(result.output)\(result.errors)")
    #expect(result.output.split(separator: "\n").count <= 40, "\(result.output)")
    #expect(!result.output.contains("0x") && !result.output.contains("steps after"), "\(result.output)")
  }

  @Test func theSameSeedFindsTheSameSchedule() throws {
    let (first, _, file) = try findLostUpdate()
    defer { first.remove() }
    let (second, _, _) = try findLostUpdate()
    defer { second.remove() }
    #expect(try text(first, file) == text(second, file))
  }

  @Test func whatWasFoundIsWrittenAsMarkdownAndAsAPage() throws {
    let (tool, result, file) = try findLostUpdate(["--shrink", "20s"])
    defer { tool.remove() }
    let markdown = try tool.run(["export", result.folder, "--format", "markdown"])
    #expect(markdown.status == 0, "\(markdown.errors)")
    #expect(markdown.output.contains("## lost-update: counters, notification-merge"), "\(markdown.output)")
    #expect(markdown.output.contains("| ① |") && markdown.output.contains("contextbench replay "))
    let whole = try tool.run(["report", result.folder])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(try text(tool, result.folder + "/report.html").contains("<table class=\"interleaving\">"))
    let single = try tool.run(["report", file, "--out", "one.html"])
    #expect(single.status == 0 && single.folder == "one.html", "\(single.output)\(single.errors)")
    #expect(try text(tool, "one.html").contains("critical pair"))
  }

  @Test func replayTellsWhatNoLongerFitsFromWhatNoLongerHappens() throws {
    let (tool, _, file) = try findLostUpdate()
    defer { tool.remove() }
    let schedule = try text(tool, file)
    let careful = try tool.write(
      schedule.replacing("set: merge_policy=overwrite", with: "set: merge_policy=error"), to: "a")
    let gone = try tool.run(["replay", "--brief", careful])
    #expect(gone.status == 0 || gone.status == 2, "\(gone.output)\(gone.errors)")
    #expect(gone.output.contains("lost-update did not happen"))
    let renamed = try tool.write(
      schedule.replacing("merge_policy=overwrite", with: "merge_policy=error").replacing("client 2", with: "client 9"),
      to: "b")
    let unfit = try tool.run(["replay", "--brief", renamed])
    #expect(unfit.status == 2)
    #expect(unfit.output.contains("client 9 cannot run here"))
  }

  @Test func aFileThatIsNoScheduleIsAUsageError() throws {
    let (tool, _, file) = try findLostUpdate()
    defer { tool.remove() }
    let schedule = try text(tool, file)
    func status(_ text: String, contains message: String) throws -> Bool {
      let result = try tool.run(["replay", try tool.write(text, to: "bad")])
      return result.status == 64 && result.errors.contains(message)
    }
    #expect(try status(String(schedule.dropLast(4)), contains: "the file is cut off"))
    #expect(try status("not a schedule\n", contains: "bad:1: not a schedule"))
    #expect(try status(schedule.replacing("scenario: counters", with: "scenario: counterz"), contains: "counterz"))
    #expect(try status(schedule.replacing(" | waits", with: " waits"), contains: "is no step"))
    #expect(try tool.run(["replay", "absent.schedule"]).status == 64)
    #expect(try tool.run(["explore", "counters", "--shard", "3/2"]).status == 64)
    for option in [["--schedules", "\(Int.max)"], ["--shard", "1/\(Int.max)"], ["--time-budget", "inf"]] {
      #expect(try tool.run(["explore", "counters"] + option).status == 64, "\(option)")
    }
    #expect(try tool.run(["explore", "counters", "--policy", "luck"]).errors.contains("there is no luck"))
    #expect(try tool.run(["explore", "crash-recovery"]).errors.contains("several processes"))
  }

  /// Where the first schedule takes a child's whole time: one that made none would seem to have been through all.
  @Test(arguments: [[], [4, 5, 6]]) func aChildWithoutTimeMakesOneScheduleAndNamesTheNext(steps: [Int]) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let request = SimulationRequest(
      cell: ExploredCell(
        scenario: "counters", assignments: ["clients=2", "operations_per_client=1", "keys=1"], isQuick: false,
        strategy: "notification-merge", seed: 1),
      choosing: .policy("random-walk", seed: 3), first: 7, stride: 2, count: 100, seconds: 0, stepsByTask: steps,
      directory: tool.folder)
    try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: tool.folder + "/request.json"))
    let result = try tool.finish(tool.start(["simulate"], input: "request.json"))
    #expect(result.status == 0, "\(result.errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: tool.folder + "/result.json"))
    let report = try JSONDecoder().decode(SimulationReport.self, from: data)
    #expect(report.schedules == 1 && report.next == 9 && !report.stepsByTask.isEmpty)
  }

  @Test func nothingIsFoundWhereTheStrategyPromisesIt() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "explore", "counters", "--strategy", "notification-merge", "--schedules", "60", "--jobs", "2", "--out", "clean",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let rows = try tool.rows("exploration.csv", in: "clean")
    #expect(Int(rows.first?["schedules"] ?? "") ?? 0 >= 60)
    #expect(Int(rows.first?["distinct_traces"] ?? "") ?? 0 >= 30)
    // A writer's context enters the coordinator, and nothing the other way round.
    #expect(Int(rows.first?["lock_orders"] ?? "") ?? 0 > 0)
    #expect(result.output.contains(" lock orders"))
  }

  @Test func aSearchTriesNoOrderTwiceAndEndsWhenAllWereTried() throws {
    let tool = try Tool()
    defer { tool.remove() }
    func explore(_ folder: String, _ arguments: [String]) throws -> (row: [String: String], text: String) {
      let search = ["explore", "two-writers", "--strategy", "single-background-writer", "--all", "--shrink", "0s"]
      let result = try tool.run(search + ["--out", folder] + arguments)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      return (try #require(try tool.rows("exploration.csv", in: folder).first), result.output)
    }
    let drawn = try explore("drawn", ["--schedules", "400"])
    let count = try #require(drawn.row["schedules"])
    #expect(drawn.row["distinct_traces"] == count && drawn.row["exhausted"] == "true", "\(drawn.row)")
    #expect(drawn.text.contains("exhausted after \(count) schedules"), "\(drawn.text)")
    // As many as a search tries that goes through all of them in a row.
    #expect(try explore("row", ["--exhaustive", "99"]).row["distinct_traces"] == count)
    let jobs = try explore("jobs", ["--schedules", "400", "--jobs", "2"]).row
    #expect(jobs["distinct_traces"] == count && jobs["exhausted"] == "true", "\(jobs)")
  }

  @Test func aDeathInASaveLosesNothingThatWasAcknowledged() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "explore", "counters", "--strategy", "coordinator-per-thread", "--set", "fault_death_rate=0.3", "--schedules",
      "60",
      "--all", "--shrink", "0s", "--out", "dead",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("expected: crash in "), "\(result.output)")
  }

  @Test func aLossOfPowerTakesWhatWasNotSyncedAndNothingElse() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let power = ["--set", "fault_power_loss_rate=0.3"]
    func explore(_ synchronous: String) throws -> Tool.Result {
      try tool.run(
        [
          "explore", "counters", "--strategy", "coordinator-per-thread", "--set", "synchronous=\(synchronous)",
          "--schedules", "30", "--all", "--shrink", "0s", "--out", synchronous,
        ] + power)
    }
    let full = try explore("full")
    #expect(full.status == 0, "\(full.output)\(full.errors)")
    #expect(full.output.contains("expected: crash in ") && !full.output.contains("lost-"), "\(full.output)")
    let normal = try explore("normal")
    #expect(normal.status == 0, "\(normal.output)\(normal.errors)")
    #expect(normal.output.contains("lost-update in "), "\(normal.output)")
    let off = try explore("off")
    #expect(off.status == 0, "\(off.output)\(off.errors)")
    #expect(off.output.contains("lost-record in "), "\(off.output)")
    let live = try tool.run(["run", "counters", "--quick", "--allow-debug"] + power)
    #expect(live.status == 64 && live.errors.contains("needs a simulation"), "\(live.output)\(live.errors)")
  }

  @Test func aViolationSeenLiveBecomesAScheduleWhereItsOrderSuffices() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "run", "two-writers", "--quick", "--allow-debug", "--record", "--strategy", "parent-child", "--out", "live",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("shows it in a simulation"), "\(result.output)")
    let schedule = "live/schedules/two-writers-parent-child-lost-update.schedule"
    let replay = try tool.run(["replay", "--brief", schedule])
    #expect(replay.status == 1, "\(replay.output)\(replay.errors)")
    #expect(replay.output.contains("lost-update happened again"), "\(replay.output)")

    let processes = try tool.run(["run", "counters-processes", "--quick", "--allow-debug", "--record"])
    #expect(processes.status == 64 && processes.errors.contains("several processes"), "\(processes.errors)")
  }

  @Test func aCellThatIsFoundCleanIsRunInItsOwnSizeAsWell() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let arguments = ["explore", "counters", "--strategy", "background-task", "--schedules", "5"]
    let result = try tool.run(arguments + ["--out", "whole"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let rows = try tool.rows("exploration.csv", in: "whole")
    #expect(rows.map { $0["schedules"] } == ["6", "1"])
    let steps = rows.compactMap { Int($0["steps"] ?? "") }
    try #require(steps.count == 2)
    #expect(steps[1] > 10 * steps[0] / 6)
    #expect(result.output.contains("once in its quick size, first come, first served: 1 schedule, 1 distinct"))
    let second = try tool.run(arguments + ["--shard", "2/2", "--out", "second"])
    #expect(try tool.rows("exploration.csv", in: "second").map { $0["schedules"] }.last == "0", "\(second.output)")
  }

  @Test func shardsAreJoinedOfWhichOnlyOneFindsSomething() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let arguments = ["explore", "counters", "--schedules", "2", "--shrink", "0s"] + Self.lossy
    let found = try (1...2).map { part in
      try tool.run(arguments + ["--shard", "\(part)/2", "--out", "part-\(part)"]).output.contains("found lost-update")
    }
    #expect(found == [true, false])
    let whole = try tool.run(["merge", "part-1", "part-2", "--out", "whole"])
    #expect(whole.status == 1 && whole.output.contains("found lost-update"), "\(whole.output)\(whole.errors)")
  }

  @Test func aReducedSearchOfASmallScenarioComesToItsEnd() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "explore", "hazards/lost-update-careful", "--strategy", "notification-merge", "--reduced", "--set", "tick_hz=0",
      "--schedules", "5000", "--out", "reduced",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("exhausted after "), "\(result.output)")
  }

  @Test func aHazardIsFoundAsItsFileAsks() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let found = try tool.run(["explore", "hazards/deadlock", "--schedules", "20", "--shrink", "0s", "--out", "a"])
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    #expect(found.output.contains("expected: deadlock"))
    let order = try tool.run(["explore", "hazards/lock-order", "--schedules", "5", "--shrink", "0s", "--out", "c"])
    #expect(order.status == 0, "\(order.output)\(order.errors)")
    let careful = try tool.run(["explore", "hazards/deadlock-careful", "--schedules", "20", "--out", "b"])
    #expect(careful.status == 0, "\(careful.output)\(careful.errors)")
  }

  @Test func aLargeFailureIsMadeSmall() throws {
    let (tool, result, _) = try findLostUpdate([
      "--set", "clients=6", "--set", "operations_per_client=40", "--set", "keys=4", "--shrink", "0s",
    ])
    defer { tool.remove() }
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: tool.folder + "/found/schedules").first)
    // Of all violations of such a schedule, the lost update is the one to keep.
    let large = try text(tool, "found/schedules/" + name).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("kinds: ") ? "kinds: lost-update" : $0 }.joined(separator: "\n")
    let shrunk = try tool.run([
      "shrink", try tool.write(large, to: "large.schedule"), "--out", "small.schedule", "--time-budget", "90s",
    ])
    #expect(shrunk.status == 0, "\(shrunk.output)\(shrunk.errors)")
    let small = try text(tool, "small.schedule")
    let sizes = small.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /set: (\w+)=(\d+)/).map { (String($0.1), Int($0.2) ?? .max) }
    }
    let size = Dictionary(sizes, uniquingKeysWith: { $1 })
    #expect(size["clients"] == 2, "\(small)")
    #expect(size["operations_per_client"] ?? .max <= 4, "\(small)")
    #expect(try tool.run(["replay", "--brief", "small.schedule"]).status == 1)
  }
}
