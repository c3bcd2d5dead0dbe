import Checking
import Foundation
import Measuring
import Testing

@testable import Reporting

struct LatencyComparisonTests {
  /// Pairs of a run, or the cells of one: saves take 1 ms and up to 1 ms more, times a factor, reads a tenth of it.
  private func results(
    _ folder: TemporaryFolder, factors: [Arm?: Double], repetitions: Int = 8, samples: Int = 200, run: String = "run"
  ) throws -> Results {
    var rows: [CellRow] = []
    for repetition in 0..<repetitions {
      for (arm, factor) in factors.sorted(by: { $0.value < $1.value }) {
        var key = Samples.key(cell: rows.count, scenario: "import")
        (key.run, key.repetition, key.seed) = (run, repetition, UInt64(repetition))
        var row = CellRow(key: key, verdict: .held)
        row.arm = arm
        row.processor = ProcessorUsage()
        row.processor?.totalSeconds = 1 + 0.001 * Double(repetition)
        rows.append(row)
        var saves = LatencyRecorder()
        var reads = LatencyRecorder()
        for number in 0..<samples {
          let share = Double(number * 7 % samples) / Double(samples) + 0.01 * Double(repetition % 3)
          saves.record(UInt64(1e6 * factor * (1 + share)))
          reads.record(UInt64(1e5 * (1 + share)))
        }
        let log = HistogramLog(
          startSeconds: 0,
          entries: [("save", saves), ("read", reads)].map { name, latencies in
            HistogramLog.Entry(
              tag: HistogramLog.tag(["import", name, "worker"]), lengthSeconds: 1, latencies: latencies)
          })
        try folder.write(log.text, to: "histograms/\(key.cell).hlog")
      }
    }
    return Results(path: folder.path, cells: rows)
  }

  private func verdicts(_ comparison: Comparison) -> [String: ComparisonRow.Verdict] {
    Dictionary(
      comparison.rows.filter(\.metric.isOfLatencies).map { ($0.metric.column, $0.leaning ?? $0.verdict) }
    ) { first, _ in first }
  }

  @Test func aPercentileOfThePairsIsCompared() throws {
    let folder = try TemporaryFolder()
    let comparison = try Comparison(
      sideBySide: results(folder, factors: [.base: 1, .head: 1.3]), options: ComparisonOptions())
    #expect(
      verdicts(comparison) == [
        "import/save/worker latency_ns_p50": .worse, "import/save/worker latency_ns_p99": .worse,
        "import/read/worker latency_ns_p50": .equivalent, "import/read/worker latency_ns_p99": .equivalent,
      ])
    let saves = try #require(comparison.rows.first { $0.metric.column == "import/save/worker latency_ns_p50" })
    #expect(abs(saves.estimate.ratio / 1.3 - 1) < 0.005 && saves.verdictText == "slower")
    // They decide nothing.
    #expect(comparison.regressions.isEmpty && saves.metric.role == "secondary")
    #expect(comparison.text(colour: false).contains("import/save/worker latency_ns_p50"))
  }

  @Test func ofTwoRunsTheyAreAdvisory() throws {
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    let comparison = try Comparison(
      base: results(one, factors: [nil: 1]), head: results(other, factors: [nil: 1.3], run: "other"),
      options: ComparisonOptions())
    #expect(verdicts(comparison)["import/save/worker latency_ns_p99"] == .worse)
    #expect(comparison.rows.filter(\.metric.isOfLatencies).allSatisfy { $0.verdict == .inconclusive })
  }

  @Test func tooFewLatenciesHaveNoRow() throws {
    let folder = try TemporaryFolder()
    // 8 cells of 100 are less than the 1,000 that a p99 needs; 4 pairs have no interval.
    let few = try Comparison(
      sideBySide: results(folder, factors: [.base: 1, .head: 1.3], samples: 100), options: ComparisonOptions())
    #expect(verdicts(few).keys.sorted() == ["read", "save"].map { "import/\($0)/worker latency_ns_p50" })
    let short = try Comparison(
      sideBySide: results(try TemporaryFolder(), factors: [.base: 1, .head: 1.3], repetitions: 4),
      options: ComparisonOptions())
    #expect(short.rows.filter(\.metric.isOfLatencies).allSatisfy { $0.estimate.interval == nil })
  }

  @Test func aDamagedHistogramIsNamed() throws {
    let folder = try TemporaryFolder()
    let made = try results(folder, factors: [.base: 1, .head: 1])
    try folder.write("Tag=a,0,1,2,nonsense\n", to: "histograms/3.hlog")
    let problem = #expect(throws: ComparisonProblem.self) {
      try Comparison(sideBySide: made, options: ComparisonOptions())
    }
    #expect(problem?.description.contains("3.hlog") == true)
  }
}
