/// `context-leak`: no context lived on after strategy and workload were released, by the reports of the cell's end.
package struct ContextLeakChecker: Checker {
  package let name = "context-leak"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.contextLeak], counter: \.contextsReleased, counted: "contexts released"
    ).judge(evidence)
  }
}
