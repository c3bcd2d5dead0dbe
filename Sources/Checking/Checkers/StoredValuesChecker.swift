/// `stored-values`: every object read back is what the acknowledged saves made of it, by the reports of the workload.
package struct StoredValuesChecker: Checker {
  package let name = "stored-values"
  package let kinds: [ViolationKind] = [.wrongValue]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: Set(kinds), counter: \.valuesCompared, counted: "objects compared with what was saved"
    ).judge(evidence)
  }
}
