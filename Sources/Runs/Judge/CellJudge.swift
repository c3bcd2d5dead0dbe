import Boundary
import Checking
import Reporting
import Scenarios

/// Gathers a cell's records and has them checked; runs in the parent, never on the stack.
package enum CellJudge {
  /// Checks that are made for every cell: of the reports while it ran, and of the file whatever is in it.
  private static let always = [
    "confinement", "faults", "deadlock", "lock-order", "temporary-id-escaped", "cross-context-relationship",
    "read-only-context-written", "context-leak", "observer-leak", "dangling-reference", "store-corruption",
    "acknowledged-writes", "history-merges", ReportsChecker.checkName,
  ]

  /// Judges evidence by the checks that were asked for and by those of every cell.
  static func results(of evidence: Evidence, asked: [String]) -> [CheckResult] {
    CheckerCatalogue.check(evidence, by: asked + always).withoutRepeatedReports
  }

  /// Checks the records and the store of a cell.
  ///
  /// - Parameters:
  ///   - vocabulary: has the cell's workload and strategy.
  ///   - executable: the cell's program, which names the functions in its reports; nil where nothing has traces.
  /// - Throws: The workload's error for settings without a schema.
  package static func judge(
    _ cell: PlannedCell, _ vocabulary: ScenarioVocabulary, _ records: CellRecords, storePath: String?,
    measurement: CellMeasurement?, end: CellEnd, executable: String?
  ) throws -> CellOutcome {
    let settings = cell.settings
    precondition(end != .interrupted, "an interrupted cell is not judged")
    guard let workload = vocabulary.workload(named: settings[Keys.workload]) else {
      throw HarnessFailure("there is no workload \(settings[Keys.workload])")
    }
    var layout = try workload.layout(settings)
    layout.readsVersions = cell.scenario.checks.contains(NotificationChecker.checkName)
    let faults = InjectedFault.wanted(settings).filter {
      $0.applies(to: vocabulary.strategy(named: cell.variant.strategy), settings)
    }
    let counts = Dictionary(
      (measurement?.faults ?? []).map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
    var parameters = CheckParameters(
      layout: layout,
      stallBudgetNanoseconds: settings[Keys.mainStallBudgetMilliseconds].map { Int64($0) * 1_000_000 },
      watchdogNanoseconds: settings[Keys.watchdogSeconds].map { Int64($0 * 1e9) },
      stalenessBoundNanoseconds: settings[Keys.stalenessBoundMilliseconds].map { Int64($0) * 1_000_000 },
      isComplete: end == .finished && measurement?.isComplete == true, counters: measurement?.counters,
      faults: faults.map { InjectedFaultCount(name: $0.rawValue, count: counts[$0.rawValue] ?? 0) },
      memorySamples: measurement?.memorySamples ?? [])
    parameters.mergePolicy = settings[Keys.mergePolicy].rawValue
    var evidence = Evidence(records, storePath: storePath, parameters: parameters)
    if let executable { evidence.reports = evidence.reports.map { StackDump.named($0, executable: executable) } }
    let faultCheck = faults.isEmpty ? [] : [InjectedFaultsChecker().name]
    let results = results(of: evidence, asked: cell.scenario.checks + faultCheck)
    let required = cell.scenario.countedChecks(results) + faultCheck
    let isCutShort = end == .finished && measurement?.isComplete == false
    precondition(Set(required).isSubset(of: results.map(\.name)), "a check that is required was made")
    return CellOutcome(
      end: faults.first(where: \.isFatal).map { end.whereInjected($0) } ?? end, results: results,
      required: isCutShort ? [] : required,
      expectation: cell.scenario.expectation(for: cell.variant.strategy)
        .adding(ScenarioExpectation(may: Set(faults.flatMap { $0.mayCause(settings) }))))
  }
}

/// A finished cell, as the run keeps it for its table.
package struct CellRecord: Sendable {
  package var cell: PlannedCell
  package var row: CellRow
  package var outcome: CellOutcome
  /// From the start of its process until it was judged.
  package var seconds: Double
  /// How often and how fast each operation was done.
  package var operations: [OperationMeasurement] = []
}

extension Scenario {
  /// Checks that a cell needs to pass: those that the file names; where it names none, those that had something to check.
  ///
  /// All of them where none had, so that a cell which showed nothing does not pass.
  package func countedChecks(_ results: [CheckResult]) -> [String] {
    if checksAreNamed { return checks }
    let idle = Set(results.filter { $0.verdict == .notExercised }.map(\.name))
    let counted = checks.filter { !idle.contains($0) }
    return counted.isEmpty ? checks : counted
  }
}
