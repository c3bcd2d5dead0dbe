/// `asymmetric-inverse`: both sides of every relationship agreed, by the reports of the workload.
package struct AsymmetricInverseChecker: Checker {
  package let name = "asymmetric-inverse"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.asymmetricInverse], counter: \.inversesChecked, counted: "objects' relationships looked at"
    ).judge(evidence)
  }
}
