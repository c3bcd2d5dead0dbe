import Checking

/// Gathers what a cell left behind and has it checked; runs in the parent, never on the stack.
enum CellJudge {
  /// Checks that are made of every cell, since what they report was seen while it ran.
  private static let always = [
    "confinement", "faults", "deadlock", "lock-order", "temporary-id-escaped", "cross-context-relationship",
    "read-only-context-written", "context-leak", "observer-leak",
  ]

  /// Checks a cell's folder.
  ///
  /// - Throws: What the workload says of settings for which it has no schema.
  static func judge(
    _ cell: PlannedCell, folder: String, storePath: String?, measurement: CellMeasurement?, end: CellEnd
  ) throws -> CellOutcome {
    let settings = cell.settings
    guard let workload = WorkloadRegistry.workload(named: settings.text("workload")) else {
      throw HarnessFailure("there is no workload \(settings.text("workload"))")
    }
    let parameters = CheckParameters(
      layout: try workload.schema(for: settings).layout,
      stallBudgetNanoseconds: settings.optionalInteger("main_stall_budget_ms").map { Int64($0) * 1_000_000 },
      watchdogNanoseconds: settings.optionalNumber("watchdog_s").map { Int64($0 * 1e9) },
      isComplete: end == .finished && measurement?.isComplete == true, counters: measurement?.counters)
    let evidence = Evidence(cellDirectory: folder, storePath: storePath, parameters: parameters)
    let results = CheckerCatalogue.check(evidence, by: cell.scenario.checks + always)
    let isCutShort = end == .finished && measurement?.isComplete == false
    return CellOutcome(
      end: end, results: results, required: isCutShort ? [] : cell.scenario.checks,
      expectation: cell.scenario.expectation(for: cell.variant.strategy))
  }
}
