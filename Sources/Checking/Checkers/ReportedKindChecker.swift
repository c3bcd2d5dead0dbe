/// Judges by the live reports of some kinds; a counter says whether there was anything to report.
package struct ReportedKindChecker: Checker {
  package let name: String
  package let kinds: [ViolationKind]
  private let counter: @Sendable (CheckCounters) -> Int
  /// The things that the counter counts, in the plural.
  private let counted: String

  /// - Precondition: there is a kind, since a check of none would always hold.
  init(
    _ name: String, _ kinds: [ViolationKind], counter: @escaping @Sendable (CheckCounters) -> Int, counted: String
  ) {
    precondition(!kinds.isEmpty, "\(name) judges reports of some kind")
    self.name = name
    self.kinds = kinds
    self.counter = counter
    self.counted = counted
  }

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let reports = try evidence.reports.get().filter { kinds.contains($0.kind) }
    var order: [Key] = []
    var grouped: [Key: Violation] = [:]
    for report in reports {
      let key = Key(kind: report.kind, severity: report.severity, subject: report.subject)
      if grouped[key] == nil {
        order.append(key)
        grouped[key] = report
      } else {
        grouped[key]?.count += report.count
      }
    }
    precondition(order.count == grouped.count, "each kind of report is listed once for a subject")
    let violations = order.compactMap { grouped[$0] }
    guard let counters = evidence.parameters.counters else {
      return CheckResult(name: name, unknown: "the cell left no counters", violations: violations)
    }
    let exercised = counter(counters)
    return CheckResult(name: name, exercised: exercised, violations: violations, note: "\(exercised) \(counted)")
  }

  private struct Key: Hashable {
    var kind: ViolationKind
    var severity: Severity
    var subject: String
  }
}

extension ReportedKindChecker {
  /// No context and no object was touched off its queue or thread, by the reports of concurrency debugging.
  package static let confinement = ReportedKindChecker(
    "confinement", [.contextOffQueue, .objectOffQueue], counter: \.guardedTouches, counted: "guarded touches")

  /// No fault fired for a row that is gone, by the reports of the stack's fault hook.
  package static let faults = ReportedKindChecker(
    "faults", [.inaccessibleFault], counter: \.faultsFired, counted: "faults fired")

  /// No cycle of waits closed, by the reports of the wait-for graph.
  package static let deadlock = ReportedKindChecker(
    "deadlock", [.deadlock], counter: \.waitsSeen, counted: "waits seen")

  /// Contexts were entered inside each other in orders that cannot deadlock, by the reports of the stack's
  /// order graph.
  package static let lockOrder = ReportedKindChecker(
    "lock-order", [.lockOrder], counter: \.nestedEntries, counted: "entries inside another queue")

  /// A reader's view stays as it was while others write, by the reports of the workload.
  package static let heldView = ReportedKindChecker(
    "held-view", [.readSkew, .generationChange], counter: \.viewsCompared, counted: "views compared with what they were"
  )

  /// The write-ahead log stayed within the scenario's `wal_budget_mb`, by the report of the harness.
  package static let logGrowth = ReportedKindChecker(
    "log-growth", [.logGrowth], counter: \.logSamples, counted: "looks at the log against its budget")

  /// Every object read back is as the acknowledged saves left it, by the reports of the workload.
  package static let storedValues = ReportedKindChecker(
    "stored-values", [.wrongValue], counter: \.valuesCompared, counted: "objects compared with what was saved")

  /// No temporary ID was resolved in a context that does not know it, by the reports of the stack.
  package static let temporaryIDEscaped = ReportedKindChecker(
    "temporary-id-escaped", [.temporaryIDEscaped], counter: \.idsHandedOver, counted: "IDs handed over")

  /// No relationship joined objects of two contexts, by the reports of the stack.
  package static let crossContextRelationship = ReportedKindChecker(
    "cross-context-relationship", [.crossContextRelationship], counter: \.objectsJoined,
    counted: "objects of other contexts joined by their IDs")

  /// Main was neither changed nor saved where the strategy only reads from it, by the reports of the
  /// stack.
  package static let readOnlyContextWritten = ReportedKindChecker(
    "read-only-context-written", [.readOnlyContextWritten], counter: \.writesLookedAt,
    counted: "changes and saves looked at")

  /// No context lived on after strategy and workload were released, by the reports of the cell's end.
  package static let contextLeak = ReportedKindChecker(
    "context-leak", [.contextLeak], counter: \.contextsReleased, counted: "contexts released")

  /// Every observer was removed by the time strategy and workload were released, by the reports of the
  /// cell's end.
  package static let observerLeak = ReportedKindChecker(
    "observer-leak", [.observerLeak], counter: \.observersRemoved, counted: "observers added")

  /// The changes that a fetched results controller reported turn its old list into its new one, and
  /// into a fresh fetch, by the reports of the workload.
  package static let controllerDivergence = ReportedKindChecker(
    "controller-divergence", [.controllerDivergence], counter: \.controllerChanges, counted: "changes replayed")

  /// Stores could be opened, saved to and closed while others did the same, copies had everything, and no save
  /// reached a store that had taken another one's place.
  ///
  /// The workload looks itself, since stores come and go while it runs; exercised by the copies that were read and the saves
  /// that had to be refused. Descriptors of closed stores are reported as `context-leak`.
  package static let storeLifecycle = ReportedKindChecker(
    "store-lifecycle", [.failedSave, .lostRecord, .storeCorruption],
    counter: { $0.copiesRead + $0.savesToReplacedStores },
    counted: "copies read and saves to stores that were exchanged")
}
