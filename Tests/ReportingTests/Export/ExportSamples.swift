import Foundation
import Measuring

@testable import Checking
@testable import Reporting

/// Results with everything that a form may stumble over.
enum ExportSamples {
  /// Text with characters that mean something in XML, Markdown, CSV, JSON and workflow commands.
  static let hostile = "a <b> & \"c\", 'd' | 100 %: e\\f\n`g` 노트\u{1}"

  static func key(
    _ cell: Int, _ strategy: String = "parent-child", options: String = "save_every=500", repetition: Int = 0
  ) -> CellKey {
    CellKey(
      run: "20260102-030405-00ff", cell: cell, scenario: "import", strategy: strategy, options: options,
      mergePolicy: "error", seed: 1, repetition: repetition)
  }

  /// Two repetitions of one strategy, one cell each of another that was violated and of one that was not exercised, and a
  /// cell that was not run.
  static func results(folder: String = "results") -> ExportedResults {
    var first = CellRow(key: key(0), verdict: .held)
    first.untilDurableSeconds = 0.5
    first.untilVisibleSeconds = 0.75
    first.floorSeconds = 0.25
    first.allocatedBytes = 1 << 40
    first.stalls = StallSummary(
      ticks: 10, late: 1, lateness: LatencySummary(count: 10, latencyNanosecondsMax: 1_500_000))
    var second = first
    second.key = key(1, repetition: 1)
    second.untilDurableSeconds = 1.5
    var violated = CellRow(key: key(2, "main-only"), verdict: .violated)
    violated.untilDurableSeconds = 2
    violated.ending = .violated
    violated.reason =
      "lost-record: \(hostile): \(hostile); expected deadlock at least 4 times, seen 0 times, and it did not happen"
    var idle = CellRow(key: key(3, "main-only", repetition: 1), verdict: .notExercised)
    idle.ending = .inconclusive
    idle.reason = "overlap was not exercised"
    let summary = LatencySummary(
      count: 3, failed: 1, latencyNanosecondsMean: 2.5, latencyNanosecondsP50: 2_000_000, latencyNanosecondsMax: 9)
    let timings = [0, 1].map {
      TimingRow(key: key($0, repetition: $0), phase: "import", operation: "save", role: "worker", summary: summary)
    }
    let lost = Violation(
      kind: .lostRecord, subject: hostile, expected: "in the store", seen: hostile, count: 2, firstStep: 3)
    let stall = Violation(
      kind: .mainThreadStall, severity: .warning, subject: "main", expected: "at most 250 ms", seen: "300 ms")
    let deadlock = Violation(
      kind: .deadlock, subject: "main, writer", expected: "every wait can end",
      seen: "deadlock: main waits for block 1 of writer; writer's thread waits for the main queue")
    let violations = [
      ViolationRow(key: key(2, "main-only"), violation: lost, isExpected: false, replay: "contextbench run 'a b.yml'"),
      ViolationRow(key: key(0), violation: stall, isExpected: false, replay: "contextbench run x.yml"),
      ViolationRow(key: key(1, repetition: 1), violation: deadlock, isExpected: true, replay: "contextbench run y.yml"),
    ]
    return ExportedResults(
      results: Results(
        path: folder, manifest: manifest, cells: [violated, idle, second, first], timings: timings,
        violations: violations),
      manifest: manifest, plan: plan)
  }

  static let manifest = ManifestTests.manifest

  static let plan: PlanDocument = {
    func cell(_ number: Int, _ strategy: String) -> PlanDocument.Cell {
      PlanDocument.Cell(cell: number, strategy: strategy, options: "save_every=500", mergePolicy: "error")
    }
    func block(_ number: Int, _ cells: [PlanDocument.Cell]) -> PlanDocument.Block {
      PlanDocument.Block(block: number, scenario: "import", seed: 1, repetition: number, floors: 1, cells: cells)
    }
    let none = PlanDocument.Expectation(must: [], may: [], notExercised: [])
    let scenario = PlanDocument.PlannedScenario(
      name: "import", path: "Scenarios/import, 1.yml", settings: ["notes": "5000"], checks: ["lost-record"],
      expect: none, expectByStrategy: [:])
    return PlanDocument(
      shard: nil, blockCount: 2, cellCount: 5, scenarios: [scenario],
      blocks: [
        block(0, [cell(0, "parent-child"), cell(2, "main-only")]),
        block(1, [cell(1, "parent-child"), cell(3, "main-only"), cell(4, "background-task")]),
      ])
  }()
}
