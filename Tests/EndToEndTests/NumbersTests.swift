import Foundation
import Measuring
import Reporting
import Testing

/// The numbers that a run of small cells writes.
@Suite struct NumbersTests {
  private let small = """
    workload: import
    strategies: [parent-child]
    notes: 40
    words_per_note: 3
    save_every: 20
    update_rounds: 1
    tick_hz: 500
    repetitions: 1
    checks: [lost-record]

    """

  private func run(_ tool: Tool, _ text: String) throws -> Tool.Result {
    try tool.run(["run", try tool.write(text, to: "a.yml"), "--allow-debug", "--out", "results"])
  }

  private func log(_ tool: Tool, cell: Int = 0) throws -> HistogramLog {
    try HistogramLog(text: String(contentsOfFile: "\(tool.folder)/results/histograms/\(cell).hlog", encoding: .utf8))
  }

  @Test func theHistogramsAreThoseOfTheTimings() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try run(tool, small)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let entries = try log(tool).entries
    let timings = try tool.rows("timings.csv", in: "results")
    #expect(!timings.isEmpty)
    for row in timings {
      let tag = ["phase", "operation", "role"].compactMap { row[$0] }.joined(separator: "/")
      let entry = try #require(entries.first { $0.tag == tag }, "\(tag)")
      #expect(row["count"] == String(entry.latencies.count))
      let median = entry.latencies.summary().latencyNanosecondsP50
      #expect(row["latency_ns_p50"] == median.map { String($0) } ?? "", "\(tag)")
      #expect(row["latency_from"] == "begin")
    }
    let cell = try #require(try tool.rows("cells.csv", in: "results").first)
    let stalls = try #require(entries.first { $0.tag == "heartbeat/stall/main" })
    #expect(cell["main_ticks"] == String(stalls.latencies.count))
    #expect(stalls.latencies.count > 0)
  }

  @Test func bytesAreCountedForEachOperation() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try run(tool, small).status == 0)
    let cell = try #require(try tool.rows("cells.csv", in: "results").first)
    let edits = try #require(
      try tool.rows("timings.csv", in: "results").first { $0["operation"] == "edit" && $0["phase"] == "import" })
    // A build under a sanitizer has its own allocator, which is not asked.
    guard let all = cell["allocated_bytes"].flatMap({ UInt64($0) }) else { return }
    let bytes = try #require(edits["bytes"].flatMap { UInt64($0) })
    #expect(bytes > 0 && bytes <= all)
    #expect(cell["bytes_per_object"] != "")
  }

  @Test func processorAndSurroundingsAreMeasured() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try run(tool, small).status == 0)
    let cell = try #require(try tool.rows("cells.csv", in: "results").first)
    func number(_ column: String) throws -> Double { try #require(cell[column].flatMap { Double($0) }, "\(column)") }
    let parts = try number("main_cpu_s") + number("worker_cpu_s") + number("queue_cpu_s")
    #expect(abs(try number("cpu_s") - parts) < 1e-3)
    #expect(try number("worker_cpu_s") > 0)
    #expect(try number("voluntary_switches") >= number("main_voluntary_switches"))
    #expect(try number("main_voluntary_switches") > 0)
  }

  @Test func repetitionsGoOnUntilThereAreEnoughSamples() throws {
    let tool = try Tool()
    defer { tool.remove() }
    // A cell has four updates, eight saves, and the pages that main comes to fetch.
    let result = try run(tool, small + "min_samples: 20\nrepetitions_max: 4\naa: true\n")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let cells = try tool.rows("cells.csv", in: "results")
    #expect(cells.count > 2 && cells.count <= 8)
    #expect(cells.map { $0["cell"] } == (0..<cells.count).map { String($0) })
    #expect(cells.count { $0["arm"] == "a" } == cells.count { $0["arm"] == "b" })
    #expect(result.output.contains("until durable, parent-child, arm b / arm a: "))
    let saves = try tool.rows("timings.csv", in: "results").filter { $0["operation"] == "save" }
    let count = saves.reduce(0) { $0 + (Int($1["count"] ?? "") ?? 0) }
    #expect(count >= 20 || cells.count == 8)
  }

  @Test func aPartOfAPlanHasNoGoalsThatDependOnTheOthers() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "run", try tool.write(small, to: "a.yml"), "--allow-debug", "--set", "min_time_s=1", "--shard", "1/2",
    ])
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "--shard: min_time_s: asks a for repetitions that depend on other parts. Set repetitions instead."))
  }

  @Test func theManifestSaysHowQuietTheMachineWas() throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try run(tool, small).status == 0)
    let manifest = try Manifest(readingFrom: tool.folder + "/results")
    let before = try #require(manifest.noiseBefore)
    #expect(before.probes > 0 && (before.probeSecondsMedian ?? 0) > 0)
    #expect(try #require(manifest.noiseDuring).probes == 1)
    #expect(manifest.libraries["sqlite"] != nil && manifest.libraries["swift"] != nil)
    let cell = try #require(try tool.rows("cells.csv", in: "results").first)
    for column in ["process_s", "probe_s", "others_cpu_s", "steal_s", "load_average"] {
      #expect(cell[column].flatMap { Double($0) } != nil, "\(column)")
    }
  }

  @Test func underARateLatenciesCountFromWhenTheyWereDue() throws {
    let tool = try Tool()
    defer { tool.remove() }
    // More a second than can be done: all but the first come late. On a busy machine the clients may never overlap.
    let counters = """
      workload: counters
      strategies: [notification-merge]
      clients: 2
      operations_per_client: 20
      rate_per_s: 100000
      repetitions: 1
      checks: [lost-update]
      expect: {not_exercised: [lost-update]}

      """
    let result = try run(tool, counters)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let timings = try tool.rows("timings.csv", in: "results")
    let steps = try #require(timings.first { $0["operation"] == "step" })
    #expect(steps["latency_from"] == "intended")
    #expect(steps["count"] == "40")
    // One of the clients did at least half of the writes, one after the other, and its last was due in the beginning.
    let writes = try #require(timings.first { $0["operation"] == "write" && $0["role"] == "worker" })
    #expect(writes["latency_from"] == "begin")
    let longest = try #require(steps["latency_ns_max"].flatMap { Double($0) })
    let mean = try #require(writes["latency_ns_mean"].flatMap { Double($0) })
    #expect(longest >= mean * 20 - 400_000)
  }
}
