import Boundary
import Measuring
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

struct SamplingGoalTests {
  private static let text = "workload: import\nstrategies: [notification-merge, parent-child]\nrepetitions: 2\n"

  /// Cells that were each at work for a second, and saved ten times.
  private func records(_ scenario: Scenario, seconds: Double? = 1, saves: UInt64 = 10) -> [CellRecord] {
    Plan([scenario]).cells.map { cell in
      let outcome = CellOutcome(end: .finished, results: [], required: [], expectation: ScenarioExpectation())
      var row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
      row.untilVisibleSeconds = seconds
      let operation = OperationMeasurement(
        phase: "import", operation: "save", role: "worker", summary: LatencySummary(count: saves), latencyFrom: "begin")
      return CellRecord(cell: cell, row: row, outcome: outcome, seconds: 0, operations: [operation])
    }
  }

  private func missing(_ keys: String, seconds: Double? = 1, saves: UInt64 = 10) throws -> [String] {
    let scenario = try readScenario(Self.text + keys)
    let goal = try #require(SamplingGoal(scenario.settings))
    return goal.missing(in: records(scenario, seconds: seconds, saves: saves))
  }

  @Test func withoutAGoalThereAreJustTheRepetitions() throws {
    #expect(SamplingGoal(try readScenario(Self.text).settings) == nil)
  }

  @Test func eachStrategyIsAtWorkLongEnough() throws {
    #expect(try missing("min_time_s: 2\n").isEmpty)
    let missing = try missing("min_time_s: 2.5\n")
    #expect(missing.count == 2)
    #expect(missing.first?.hasSuffix("at work for less than min_time_s, 2.5 s") == true)
  }

  @Test func eachOperationIsDoneOftenEnough() throws {
    #expect(try missing("min_samples: 20\n").isEmpty)
    #expect(
      try missing("min_samples: 21\n").first?.hasSuffix("import save worker done 20 times, less than min_samples, 21")
        == true)
  }

  @Test func whatMeasuresNothingNeedsNoMore() throws {
    #expect(try missing("min_time_s: 5\nmin_samples: 5\n", seconds: nil, saves: 0).isEmpty)
  }

  @Test func warmUpCellsDoNotCount() throws {
    #expect(try !missing("min_time_s: 2.5\nwarmup: 3\n").isEmpty)
  }
}
