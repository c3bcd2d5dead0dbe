import Checking

extension Proof {
  /// Checkers of what handlers and workloads report: a report is found, none with something to look at is held, none
  /// without is not exercised, and without counters nothing is known.
  static let reported: [Proof] =
    ([
      (ConfinementChecker(), CheckCounters(\.guardedTouches, 1)), (FaultsChecker(), CheckCounters(\.faultsFired, 1)),
      (DeadlockChecker(), CheckCounters(\.waitsSeen, 1)),
      (LockOrderChecker(), CheckCounters(\.nestedEntries, 1)), (HeldViewChecker(), CheckCounters(\.viewsCompared, 1)),
      (LogGrowthChecker(), CheckCounters(\.logSamples, 1)),
      (StoredValuesChecker(), CheckCounters(\.valuesCompared, 1)),
      (TemporaryIDEscapedChecker(), CheckCounters(\.idsHandedOver, 1)),
      (CrossContextRelationshipChecker(), CheckCounters(\.objectsJoined, 1)),
      (ReadOnlyContextWrittenChecker(), CheckCounters(\.writesLookedAt, 1)),
      (ContextLeakChecker(), CheckCounters(\.contextsReleased, 1)),
      (ObserverLeakChecker(), CheckCounters(\.observersRemoved, 1)),
      (ControllerDivergenceChecker(), CheckCounters(\.controllerChanges, 1)),
      (DurabilityChecker(), CheckCounters(\.killsInSaves, 1)),
      (StoreLifecycleChecker(), CheckCounters(\.copiesRead, 1)),
      (AsymmetricInverseChecker(), CheckCounters(\.inversesChecked, 1)),
    ] as [(any Checker, CheckCounters)]).flatMap(ofReports)
    + [
      Proof(ReportsChecker(), .violated, [.hang], of: "a report that no checker asks for") { try report(.hang) },
      Proof(ReportsChecker(), .held, of: "no report") { try .proof(counters: CheckCounters(\.guardedTouches, 1)) },
      Proof(ReportsChecker(), .notExercised, of: "nothing to report") { try .proof() },
      Proof(ReportsChecker(), .unknown, of: "no counters") { try .unusable() },
    ]

  private static func report(_ kind: ViolationKind) throws -> Evidence {
    try .proof { $0.reports = .success([Violation(kind: kind, subject: "s", expected: "e", seen: "x")]) }
  }

  private static func ofReports(
    _ checker: any Checker, _ counters: CheckCounters
  ) -> [Proof] {
    checker.kinds.map { kind in
      Proof(checker, .violated, [kind], of: "a report of it") { try report(kind) }
    } + [
      Proof(checker, .held, of: "no report, and \(checker.name) looked at something") {
        try .proof(counters: counters)
      },
      Proof(checker, .notExercised, of: "no report, and nothing to look at") { try .proof() },
      Proof(checker, .unknown, of: "a cell that left no counters") {
        try .proof { $0.parameters.counters = nil }
      },
      Proof(checker, .unknown, of: "reports that cannot be read") {
        try .proof { $0.reports = .failure(Unusable("a damaged line")) }
      },
    ]
  }
}
