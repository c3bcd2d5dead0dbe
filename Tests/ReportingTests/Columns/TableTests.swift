import Measuring
import SwiftCSV
import Testing

@testable import Reporting

struct TableTests {
  static let names = [
    Table<CellRow>.cells.columns.map(\.name), Table<TimingRow>.timings.columns.map(\.name),
    Table<ViolationRow>.violations.columns.map(\.name),
  ]

  @Test(arguments: names)
  func everyFileBeginsWithTheKey(names: [String]) {
    let key = [
      "schema_version", "run", "cell", "scenario", "strategy", "options", "merge_policy", "seed", "repetition",
    ]
    #expect(Array(names.prefix(key.count)) == key)
  }

  @Test(arguments: names)
  func namesAreDistinctAndSnakeCase(names: [String]) {
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }, "\(name)")
    }
  }

  @Test func aUnitIsPartOfTheName() {
    for (name, unit) in units(Table<CellRow>.cells) + units(Table<TimingRow>.timings) where unit != "1/s" {
      let words = name.split(separator: "_").map(String.init)
      #expect(words.contains(unit), "\(name) is in \(unit)")
    }
  }

  @Test func theColumnsAreThoseOfTheSpecification() {
    let cells = Set(Table<CellRow>.cells.columns.map(\.name))
    #expect(
      cells.isSuperset(of: [
        "until_durable_s", "until_visible_s", "floor_s", "floor_ratio", "main_thread_s", "main_cpu_s",
        "main_stall_ns_p99", "main_stall_ns_max", "cpu_s", "allocated_bytes", "rss_bytes_peak", "wal_bytes_peak",
        "recording_s", "verdict", "ending", "reason",
      ]))
    let timings = Set(Table<TimingRow>.timings.columns.map(\.name))
    #expect(
      timings.isSuperset(of: [
        "phase", "operation", "role", "count", "failed", "rate", "latency_ns_mean", "latency_ns_p50", "latency_ns_p90",
        "latency_ns_p99", "latency_ns_p999", "latency_ns_max", "bytes",
      ]))
    let violations = Set(Table<ViolationRow>.violations.columns.map(\.name))
    #expect(
      violations.isSuperset(of: ["kind", "subject", "expected", "severity", "count", "first_step", "replay"]))
  }

  @Test func whatWasNotMeasuredIsEmpty() throws {
    let fields = try fields(.cells, CellRow(key: Samples.key(), verdict: .unknown))
    let measured = fields.filter { !$0.value.isEmpty }.keys
    #expect(
      Set(measured) == [
        "schema_version", "run", "cell", "scenario", "strategy", "options", "merge_policy", "seed", "repetition",
        "verdict", "ending",
      ])
    #expect(fields["verdict"] == "unknown")
  }

  @Test func everyMeasurementIsUnderItsName() throws {
    var row = CellRow(key: Samples.key(), verdict: .notExercised)
    row.objects = 1
    row.untilDurableSeconds = 3
    row.untilVisibleSeconds = 4
    row.floorSeconds = 2
    row.mainThread = MainThreadTime(total: 5)
    row.mainThread?.push = 6
    row.mainThread?.save = 7
    row.mainThread?.merge = 8
    row.mainThread?.fetch = 9
    row.mainThread?.edit = 10
    row.mainThread?.harness = 11
    row.arm = .b
    row.processor = Samples.processor()
    row.stalls = StallSummary(
      ticks: 24, late: 25,
      lateness: LatencySummary(
        count: 24, latencyNanosecondsP50: 26, latencyNanosecondsP90: 27, latencyNanosecondsP99: 13,
        latencyNanosecondsP999: 28, latencyNanosecondsMax: 14))
    row.processSeconds = 37
    row.noise.probeSeconds = 38
    row.noise.othersCPUSeconds = 39
    row.noise.stealSeconds = 40
    row.noise.loadAverage = 41
    row.allocatedBytes = 16
    row.rssBytesPeak = 17
    row.walBytesPeak = 18
    row.instructions = 20
    row.recorded = 19
    row.recordingSeconds = 0.25
    row.ending = .harnessFailed
    row.reason = "the harness failed"
    let expected = [
      "schema_version": "2", "run": "20260102-030405-00ff", "cell": "3", "scenario": "import",
      "strategy": "parent-child", "options": "batch=500;workers=4", "merge_policy": "error",
      "seed": "9223372036854775807", "repetition": "1", "arm": "b", "objects": "1", "until_durable_s": "3.0",
      "until_visible_s": "4.0", "floor_s": "2.0", "floor_ratio": "1.5", "main_thread_s": "5.0",
      "main_thread_floor_ratio": "2.5", "main_ticks": "24", "main_ticks_late": "25", "main_stall_ns_p50": "26",
      "main_stall_ns_p90": "27", "main_stall_ns_p999": "28", "worker_cpu_s": "29.0", "queue_cpu_s": "30.0",
      "kernel_cpu_s": "31.0", "main_run_delay_s": "32.0", "voluntary_switches": "33", "involuntary_switches": "34",
      "main_voluntary_switches": "35", "main_involuntary_switches": "36", "bytes_per_object": "16.0",
      "process_s": "37.0", "probe_s": "38.0", "others_cpu_s": "39.0", "steal_s": "40.0", "load_average": "41.0",
      "main_thread_push_s": "6.0", "main_thread_save_s": "7.0", "main_thread_merge_s": "8.0",
      "main_thread_fetch_s": "9.0", "main_thread_edit_s": "10.0", "main_thread_harness_s": "11.0",
      "main_cpu_s": "12.0", "main_stall_ns_p99": "13", "main_stall_ns_max": "14", "cpu_s": "15.0",
      "allocated_bytes": "16", "rss_bytes_peak": "17", "wal_bytes_peak": "18", "instructions": "20",
      "instructions_per_object": "20.0", "recorded": "19", "recording_s": "0.25",
      "verdict": "not exercised", "ending": "harness failed", "reason": "the harness failed",
    ]
    #expect(try fields(.cells, row) == expected)
  }

  @Test func timingsStandUnderTheirNames() throws {
    let summary = LatencySummary(
      count: 1, failed: 2, ratePerSecond: 3.5, latencyNanosecondsMean: 4.25, latencyNanosecondsP50: 5,
      latencyNanosecondsP90: 6, latencyNanosecondsP99: 7, latencyNanosecondsP999: 8, latencyNanosecondsMax: 9,
      bytes: 10)
    let row = TimingRow(key: Samples.key(), phase: "import", operation: "save", role: "worker", summary: summary)
    let fields = try fields(.timings, row)
    let expected = [
      "phase": "import", "operation": "save", "role": "worker", "count": "1", "failed": "2", "rate": "3.5",
      "latency_ns_mean": "4.25", "latency_ns_p50": "5", "latency_ns_p90": "6", "latency_ns_p99": "7",
      "latency_ns_p999": "8", "latency_ns_max": "9", "bytes": "10", "bytes_per_operation": "10.0",
      "latency_from": "begin",
    ]
    for (name, value) in expected { #expect(fields[name] == value, "\(name)") }
  }

  @Test func violationsStandUnderTheirNames() throws {
    let row = ViolationRow(
      key: Samples.key(), violation: Samples.violation(), isExpected: true, replay: "contextbench run x.yml --seed 1")
    let fields = try fields(.violations, row)
    let expected = [
      "kind": "lost-record", "subject": "Note/7", "expected": "yes", "severity": "error", "count": "2",
      "first_step": "41", "wanted": "in the store", "seen": "nothing", "replay": "contextbench run x.yml --seed 1",
    ]
    for (name, value) in expected { #expect(fields[name] == value, "\(name)") }
  }

  @Test(arguments: [(nil, 1.0), (1.0, nil), (1.0, 0.0)] as [(Double?, Double?)])
  func thereIsNoRatioWithoutBothTimes(cell: Double?, floor: Double?) {
    var row = CellRow(key: Samples.key(), verdict: .held)
    row.untilDurableSeconds = cell
    row.floorSeconds = floor
    #expect(row.floorRatio == nil)
  }

  @Test func aNumberThatIsNotFiniteIsNotMeasured() throws {
    var row = CellRow(key: Samples.key(), verdict: .held)
    row.processor = ProcessorUsage()
    row.processor?.totalSeconds = .nan
    row.recordingSeconds = .infinity
    let fields = try fields(.cells, row)
    #expect(fields["cpu_s"] == "")
    #expect(fields["recording_s"] == "")
  }

  @Test func theDocumentationNamesEveryColumn() {
    let text = ColumnDocumentation.text()
    for name in Self.names.joined() { #expect(text.contains("\n\(name) "), "\(name)") }
    for file in ["cells.csv", "timings.csv", "violations.csv"] { #expect(text.contains(file)) }
  }

  private func units<Row>(_ table: Table<Row>) -> [(name: String, unit: String)] {
    table.columns.compactMap { column in column.unit.map { (column.name, $0) } }
  }

  private func fields<Row>(_ table: Table<Row>, _ row: Row) throws -> [String: String] {
    let csv = try NamedCSV(string: table.header + table.line(row), delimiter: .comma)
    return try #require(csv.rows.first)
  }
}
