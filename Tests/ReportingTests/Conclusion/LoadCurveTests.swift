import Checking
import Measuring
import Testing

@testable import Reporting

struct LoadCurveTests {
  /// Cells of each strategy at each number of importers, with their latest ticks in milliseconds.
  private func cells(
    _ stalls: KeyValuePairs<String, [Double]>, verdict: Verdict = .held, repetitions: Int = 5
  ) -> [CellRow] {
    stalls.flatMap { strategy, values in
      values.enumerated().flatMap { place, milliseconds in
        (0..<repetitions).map { repetition in
          let key = CellKey(
            run: "r", cell: place * repetitions + repetition, scenario: "app", strategy: strategy,
            options: "importers=\(1 << place)", mergePolicy: "error", seed: 1, repetition: repetition)
          var row = CellRow(key: key, verdict: verdict)
          var lateness = LatencySummary(count: 1)
          lateness.latencyNanosecondsMax = UInt64(milliseconds * 1e6)
          row.figures.stalls = StallSummary(ticks: 1, late: 0, lateness: lateness)
          return row
        }
      }
    }
  }

  @Test func aKneeIsTheLastLoadThatAFrameHolds() throws {
    let curve = try #require(LoadCurve(cells(["a": [3, 12, 40, 5], "b": [20, 3, 3, 3], "c": [1, 2, 3, 4]])))
    #expect(curve.key == "importers" && curve.loads == [1, 2, 4, 8])
    #expect(curve.lines.map(\.strategy) == ["c", "a", "b"])
    #expect(curve.lines.map(\.kept) == [4, 2, 0], "what is fast again at a higher load does not count")
    #expect(
      curve.sentence
        == "main stays within a frame of 16.7 ms longest with c: up to importers=8, the most that was tried")
    let lines = curve.text(width: nil).split(separator: "\n")
    #expect(lines.first { $0.hasPrefix("a ") }?.hasSuffix(" 2") == true, "\(curve.text(width: nil))")
    #expect(lines.first { $0.hasPrefix("b ") }?.hasSuffix(" none") == true)
    #expect(lines.first { $0.hasPrefix("c ") }?.hasSuffix(" all") == true)
  }

  @Test func fewRepetitionsNameNone() throws {
    for stalls in [[1.0, 2], [20, 30]] {
      let curve = try #require(LoadCurve(cells(["a": stalls], repetitions: 4)))
      #expect(curve.sentence.hasPrefix("too few to say how long main stays within a frame of 16.7 ms (4 of 5)"))
    }
  }

  @Test func aStrategyThatDidNotHoldKeepsNothing() throws {
    let curve = try #require(LoadCurve(cells(["a": [1, 1], "b": [1, 1]], verdict: .violated)))
    #expect(curve.lines.allSatisfy { $0.kept == 0 })
    #expect(curve.sentence == "no strategy keeps main within a frame of 16.7 ms")
  }

  @Test func oneLoadSaysWhoKeepsUp() {
    let sentence = LoadCurve.frames(cells(["slow": [31], "fast": [9.25]]))
    #expect(sentence == "main's latest tick within a frame of 16.7 ms: fast (9.25 ms); later: slow (31.0 ms)")
    #expect(LoadCurve.frames([]) == nil)
  }

  @Test func whatDoesNotGrowIsNoCurve() {
    #expect(LoadCurve(cells(["a": [1], "b": [2]])) == nil)
    var rows = cells(["a": [1, 2], "b": [1, 2]])
    for index in rows.indices { rows[index].key.options = "contexts=" + (index.isMultiple(of: 2) ? "own" : "strategy") }
    #expect(LoadCurve(rows) == nil)
  }
}
