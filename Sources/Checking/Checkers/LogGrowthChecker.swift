/// `log-growth`: the write-ahead log stayed within the scenario's `wal_budget_mb`, by the report of the harness.
package struct LogGrowthChecker: Checker {
  package let name = "log-growth"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.logGrowth], counter: \.logSamples, counted: "looks at the log against its budget"
    ).judge(evidence)
  }
}
