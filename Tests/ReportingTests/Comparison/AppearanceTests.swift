import Testing

@testable import Checking
@testable import Measuring
@testable import Reporting

/// A measure that was nothing has no ratio, and is named all the same.
struct AppearanceTests {
  private func rows(_ seconds: [(base: Double, head: Double)], arePairs: Bool) -> (base: [CellRow], head: [CellRow]) {
    func row(_ number: Int, _ seconds: Double, _ arm: Arm) -> CellRow {
      let key = CellKey(
        run: arm.rawValue, cell: number, scenario: "import", strategy: "main-only", options: "", mergePolicy: "error",
        seed: UInt64(number), repetition: number)
      var row = CellRow(key: key, verdict: .held)
      if arePairs { (row.arm, row.key.run) = (arm, "r") }
      row.mainThread = MainThreadTime(total: 1)
      row.mainThread?.merge = seconds
      return row
    }
    return (
      seconds.enumerated().map { row($0, $1.base, .base) }, seconds.enumerated().map { row($0, $1.head, .head) }
    )
  }

  private let metrics = [ComparedMetric("main_thread_s"), ComparedMetric("main_thread_merge_s")]

  @Test(arguments: [true, false]) func aMeasureThatAppearsOrIsGoneIsNamed(appears: Bool) {
    let seconds = (0..<8).map { _ in appears ? (base: 0, head: 0.5) : (base: 0.5, head: 0) }
    let pairs = rows(seconds, arePairs: true)
    let beside = Comparison(pairsOf: pairs.base + pairs.head) { _ in metrics }
    let runs = rows(seconds, arePairs: false)
    let apart = Comparison(base: runs.base, head: runs.head) { _ in metrics }
    let note = "no ratio: import, main-only, main_thread_merge_s: was "
    for comparison in [beside, apart] {
      #expect(comparison.appearances.count == 1)
      let text = comparison.text(colour: false)
      #expect(text.contains(note + (appears ? "0 ns and is 500 ms" : "500 ms and is 0 ns")), "\(text)")
      #expect(
        ComparisonDocument(comparison, baseline: "b", failsOnImprovement: false).notes.contains { $0.hasPrefix(note) })
    }
  }

  @Test(arguments: [0, 0.5]) func aMeasureThatStaysIsNot(seconds: Double) {
    let pairs = rows((0..<8).map { _ in (seconds, seconds) }, arePairs: true)
    #expect(Comparison(pairsOf: pairs.base + pairs.head) { _ in metrics }.appearances.isEmpty)
  }
}
