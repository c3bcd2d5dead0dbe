/// `temporary-id-escaped`: no temporary ID was resolved in a context that does not know it, by the reports of the stack.
package struct TemporaryIDEscapedChecker: Checker {
  package let name = "temporary-id-escaped"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.temporaryIDEscaped], counter: \.idsHandedOver, counted: "IDs handed over"
    ).judge(evidence)
  }
}
