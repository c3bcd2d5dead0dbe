/// `deadlock`: no cycle of waits closed, by the reports of the wait-for graph.
package struct DeadlockChecker: Checker {
  package let name = "deadlock"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(name: name, kinds: [.deadlock], counter: \.waitsSeen, counted: "waits seen").judge(evidence)
  }
}
