/// `controller-divergence`: the changes that a fetched results controller reported turn its old list into its new one, and
/// into a fresh fetch, by the reports of the workload.
package struct ControllerDivergenceChecker: Checker {
  package let name = "controller-divergence"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.controllerDivergence], counter: \.controllerChanges, counted: "changes replayed"
    ).judge(evidence)
  }
}
