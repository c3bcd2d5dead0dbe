/// `faults`: no fault fired for a row that is gone, by the reports of the stack's fault hook.
package struct FaultsChecker: Checker {
  package let name = "faults"
  package let kinds: [ViolationKind] = [.inaccessibleFault]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(name: name, kinds: [.inaccessibleFault], counter: \.faultsFired, counted: "faults fired")
      .judge(evidence)
  }
}
