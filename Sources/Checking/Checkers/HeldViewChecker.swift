/// `held-view`: what a reader holds stays as it was while others write, by the reports of the workload.
package struct HeldViewChecker: Checker {
  package let name = "held-view"
  package let kinds: [ViolationKind] = [.readSkew]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.readSkew], counter: \.viewsCompared, counted: "views compared with what they were"
    ).judge(evidence)
  }
}
