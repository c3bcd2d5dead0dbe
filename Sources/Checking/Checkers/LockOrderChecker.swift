/// `lock-order`: contexts were entered inside each other in orders that cannot deadlock, by the reports of the stack's
/// order graph.
package struct LockOrderChecker: Checker {
  package let name = "lock-order"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.lockOrder], counter: \.nestedEntries, counted: "entries inside another queue"
    ).judge(evidence)
  }
}
