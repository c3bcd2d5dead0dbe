/// Input of the checkers besides history, store and reports.
package struct CheckParameters: Codable, Sendable, Hashable {
  /// A main thread held longer than this is a warning: 250 ms.
  package static let defaultStallWarningNanoseconds: Int64 = 250_000_000

  /// Entities, tables and columns.
  package var layout: StoreLayout
  /// From which lateness on the main thread's stalls are warnings.
  package var stallWarningNanoseconds: Int64
  /// From which lateness on they are errors: the scenario's `main_stall_budget_ms`.
  package var stallBudgetNanoseconds: Int64?
  /// From which lateness on a system's watchdog would end the process: the scenario's `watchdog_s`.
  package var watchdogNanoseconds: Int64?
  /// The greatest age of main's reads: the scenario's `staleness_bound_ms`.
  package var stalenessBoundNanoseconds: Int64?
  /// Whether the child came to its end, so that missing records will not come any more.
  package var isComplete: Bool
  /// The child's counters; nil when it left no result.
  package var counters: CheckCounters?
  /// The faults that the scenario asks for.
  package var faults: [InjectedFaultCount]
  /// Bytes of anonymous memory that the process had resident, at equal distances of time; empty where it was not measured.
  package var memorySamples: [Int64]
  /// The merge policy of the contexts that save: the scenario's `merge_policy`.
  package var mergePolicy: String?

  package init(
    layout: StoreLayout, stallWarningNanoseconds: Int64 = defaultStallWarningNanoseconds,
    stallBudgetNanoseconds: Int64? = nil, watchdogNanoseconds: Int64? = nil, stalenessBoundNanoseconds: Int64? = nil,
    isComplete: Bool = true,
    counters: CheckCounters? = nil, faults: [InjectedFaultCount] = [],
    memorySamples: [Int64] = []
  ) {
    precondition(
      [stallBudgetNanoseconds, watchdogNanoseconds, stalenessBoundNanoseconds].allSatisfy { $0 ?? 0 >= 0 },
      "a limit is a length of time")
    self.layout = layout
    self.stallWarningNanoseconds = stallWarningNanoseconds
    self.stallBudgetNanoseconds = stallBudgetNanoseconds
    self.watchdogNanoseconds = watchdogNanoseconds
    self.stalenessBoundNanoseconds = stalenessBoundNanoseconds
    self.isComplete = isComplete
    self.counters = counters
    self.faults = faults
    self.memorySamples = memorySamples
  }
}

/// How often a fault that a scenario asks for happened in a cell.
package struct InjectedFaultCount: Codable, Sendable, Hashable {
  /// The fault's name.
  package var name: String
  package var count: Int

  package init(name: String, count: Int) {
    precondition(!name.isEmpty && count >= 0, "a fault that is counted has a name, and may never have happened")
    self.name = name
    self.count = count
  }
}
