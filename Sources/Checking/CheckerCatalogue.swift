/// All checkers by name.
package enum CheckerCatalogue {
  /// The checkers in the order in which results are shown.
  package static let all: [any Checker] = [
    ReportedKindChecker.confinement, ReportedKindChecker.faults, ReportedKindChecker.deadlock,
    ReportedKindChecker.lockOrder, LostRecordChecker(),
    DuplicateRecordChecker(), RowBalanceChecker(), ReportedKindChecker.heldView, ReportedKindChecker.logGrowth,
    OrphanRecordChecker(), DanglingReferenceChecker(), AsymmetricInverseChecker(), ReportedKindChecker.storedValues,
    UnpersistedSaveChecker(), StaleReadChecker(),
    LostUpdateChecker(), AcknowledgedWritesChecker(), DirtyReadChecker(), MonotonicReadsChecker(),
    ReadYourWritesChecker(),
    StalenessBoundChecker(), ListAppendChecker(), BankChecker(), SetChecker(), FindOrCreateChecker(),
    MainThreadStallChecker(),
    ReportedKindChecker.temporaryIDEscaped, ReportedKindChecker.crossContextRelationship,
    ReportedKindChecker.readOnlyContextWritten,
    ReportedKindChecker.contextLeak, ReportedKindChecker.observerLeak, ReportedKindChecker.controllerDivergence,
    FailedSaveChecker(), MergePolicyChecker(), NotificationChecker(), HistoryMergesChecker(), OverlapChecker(),
    StoreCorruptionChecker(), InjectedFaultsChecker(), DurabilityChecker(), MemoryGrowthChecker(),
    ReportedKindChecker.storeLifecycle, ReportsChecker(),
  ]

  /// The names that scenario files may use.
  package static let names: [String] = all.map(\.name)

  /// The checker of a name.
  package static func checker(named name: String) -> (any Checker)? { all.first { $0.name == name } }

  /// Judges the evidence by the checkers of these names, in the catalogue's order.
  ///
  /// - Precondition: all names are known.
  package static func check(_ evidence: Evidence, by names: [String]) -> [CheckResult] {
    let wanted = Set(names)
    let results = all.filter { wanted.contains($0.name) }.map { $0.check(evidence) }
    precondition(results.count == wanted.count, "checks have names of the catalogue, and each is made once")
    return results
  }
}
