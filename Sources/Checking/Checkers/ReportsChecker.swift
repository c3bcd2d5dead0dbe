/// `reports`: nothing was reported while the cell ran, by handlers or by the workload, of any kind.
///
/// Made for every cell, so that reports of any package's workload count without a checker for their kind.
package struct ReportsChecker: Checker {
  /// The check's name.
  package static let checkName = "reports"
  package let name = checkName
  /// None of its own: it covers the kinds that no other check asks for.
  package let kinds: [ViolationKind] = []

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKindChecker(
      name, ViolationKind.allCases, counter: \.guardedTouches, counted: "guarded touches"
    ).judge(evidence)
  }
}

extension [CheckResult] {
  /// The results, with each report once only: the check `reports` keeps those that no other check has.
  package var withoutRepeatedReports: [CheckResult] {
    let others = Set(filter { $0.name != ReportsChecker.checkName }.flatMap(\.violations))
    return map { result in
      guard result.name == ReportsChecker.checkName else { return result }
      let own = result.violations.filter { !others.contains($0) }
      return result.verdict == .unknown
        ? CheckResult(name: result.name, unknown: result.note, violations: own)
        : CheckResult(name: result.name, exercised: result.exercised, violations: own, note: result.note)
    }
  }
}
