extension CheckerCase {
  /// Checkers of the reports of handlers and workloads: a report is found, none with something to check is held, none
  /// without is not exercised, and without counters nothing is known.
  static let reported: [CheckerCase] =
    ([
      (ReportedKindChecker.confinement, CheckCounters(\.guardedTouches, 1)),
      (ReportedKindChecker.faults, CheckCounters(\.faultsFired, 1)),
      (ReportedKindChecker.deadlock, CheckCounters(\.waitsSeen, 1)),
      (ReportedKindChecker.lockOrder, CheckCounters(\.nestedEntries, 1)),
      (ReportedKindChecker.heldView, CheckCounters(\.viewsCompared, 1)),
      (ReportedKindChecker.logGrowth, CheckCounters(\.logSamples, 1)),
      (ReportedKindChecker.storedValues, CheckCounters(\.valuesCompared, 1)),
      (ReportedKindChecker.temporaryIDEscaped, CheckCounters(\.idsHandedOver, 1)),
      (ReportedKindChecker.crossContextRelationship, CheckCounters(\.objectsJoined, 1)),
      (ReportedKindChecker.readOnlyContextWritten, CheckCounters(\.writesLookedAt, 1)),
      (ReportedKindChecker.contextLeak, CheckCounters(\.contextsReleased, 1)),
      (ReportedKindChecker.observerLeak, CheckCounters(\.observersRemoved, 1)),
      (ReportedKindChecker.controllerDivergence, CheckCounters(\.controllerChanges, 1)),
      (DurabilityChecker(), CheckCounters(\.killsInSaves, 1)),
      (ReportedKindChecker.storeLifecycle, CheckCounters(\.copiesRead, 1)),
      (AsymmetricInverseChecker(), CheckCounters(\.inversesChecked, 1)),
    ] as [(any Checker, CheckCounters)]).flatMap(ofReports)
    + [
      CheckerCase(ReportsChecker(), .violated, [.hang], of: "a report that no checker asks for") { try report(.hang) },
      CheckerCase(ReportsChecker(), .held, of: "no report") {
        try .sample(counters: CheckCounters(\.guardedTouches, 1))
      },
      CheckerCase(ReportsChecker(), .notExercised, of: "nothing to report") { try .sample() },
    ]

  private static func report(_ kind: ViolationKind) throws -> Evidence {
    try .sample { $0.reports = .success([Violation(kind: kind, subject: "s", expected: "e", seen: "x")]) }
  }

  private static func ofReports(
    _ checker: any Checker, _ counters: CheckCounters
  ) -> [CheckerCase] {
    checker.kinds.map { kind in
      CheckerCase(checker, .violated, [kind], of: "a report of it") { try report(kind) }
    } + [
      CheckerCase(checker, .held, of: "no report, and \(checker.name) looked at something") {
        try .sample(counters: counters)
      },
      CheckerCase(checker, .notExercised, of: "no report, and nothing to look at") { try .sample() },
    ]
  }
}
