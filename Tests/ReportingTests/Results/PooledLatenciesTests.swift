import Checking
import Foundation
import Measuring
import Testing

@testable import Reporting

struct PooledLatenciesTests {
  /// Cells of two strategies with a log each: cell `n` saw latencies of `1000 n + 1` to `1000 n + 1000` ns.
  private func results(_ folder: TemporaryFolder, cells: Int = 4, arms: [Int: Arm] = [:]) throws -> Results {
    var rows: [CellRow] = []
    var timings: [TimingRow] = []
    for number in 0..<cells {
      var key = Samples.key(cell: number, scenario: "import")
      key.strategy = number.isMultiple(of: 2) ? "parent-child" : "main-only"
      key.repetition = number / 2
      var row = CellRow(key: key, verdict: .held)
      row.arm = arms[number]
      rows.append(row)
      var saves = LatencyRecorder()
      for latency in 1...1000 { saves.record(UInt64(1000 * number + latency)) }
      var ticks = LatencyRecorder()
      ticks.record(7)
      var summary = saves.summary()
      summary.failed = 2
      timings.append(TimingRow(key: key, phase: "import", operation: "page fetch", role: "worker", summary: summary))
      let log = HistogramLog(
        startSeconds: 0,
        entries: [
          HistogramLog.Entry(
            tag: HistogramLog.tag(["import", "page fetch", "worker"]), lengthSeconds: 1, latencies: saves),
          HistogramLog.Entry(tag: "heartbeat/stall/main", lengthSeconds: 1, latencies: ticks),
        ])
      try folder.write(log.text, to: "histograms/\(number).hlog")
    }
    return Results(path: folder.path, cells: rows, timings: timings)
  }

  @Test func percentilesAreOfAllCellsTogether() throws {
    let folder = try TemporaryFolder()
    let rows = try PooledLatencies(results(folder)).rows
    #expect(rows.map(\.operation) == ["page fetch", "stall", "page fetch", "stall"])
    #expect(rows.map(\.strategy) == ["parent-child", "parent-child", "main-only", "main-only"])
    let saves = rows[0]
    #expect(saves.cells == 2 && saves.summary.count == 2000 && saves.summary.failed == 4)
    // Half of them took up to 1,000 ns, the others 2,001 to 3,000: a mean of the cells' p99 would be 1,990.
    let p99 = try #require(saves.summary.latencyNanosecondsP99)
    #expect(abs(Double(p99) / 2980 - 1) < 0.002, "\(p99)")
    #expect(saves.summary.latencyNanosecondsP999 == nil, "2,000 samples are too few for it")
    #expect(rows[1].role == "main" && rows[1].phase == "heartbeat" && rows[1].summary.count == 2)
  }

  @Test func cellsThatWereOnlyComparedWithAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let rows = try PooledLatencies(results(folder, arms: [0: .base, 2: .head])).rows
    #expect(rows.first { $0.strategy == "parent-child" }?.cells == 1)
  }

  @Test func theFileIsReadBack() throws {
    let folder = try TemporaryFolder()
    let rows = try PooledLatencies(results(folder)).rows
    try Table<PercentileRow>.percentiles.write(rows, in: folder.path)
    #expect(try Table<PercentileRow>.percentiles.read(folder.path + "/percentiles.csv") == rows)
    #expect(try folder.text("columns.json").contains("percentiles.csv"))
  }

  @Test func aDamagedLogIsReportedWithItsFile() throws {
    let folder = try TemporaryFolder()
    let made = try results(folder)
    try folder.write("Tag=a,0,1,2,nonsense\n", to: "histograms/1.hlog")
    let error = #expect(throws: ReportingError.self) { try PooledLatencies(made) }
    #expect(error?.description.contains("histograms/1.hlog") == true)
  }
}
