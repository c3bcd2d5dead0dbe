/// `observer-leak`: every observer was removed by the time strategy and workload were released, by the reports of the
/// cell's end.
package struct ObserverLeakChecker: Checker {
  package let name = "observer-leak"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.observerLeak], counter: \.observersRemoved, counted: "observers added"
    ).judge(evidence)
  }
}
