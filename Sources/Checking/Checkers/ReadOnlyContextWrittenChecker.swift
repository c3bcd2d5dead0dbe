/// `read-only-context-written`: main was neither changed nor saved where the strategy only reads from it, by the reports of the
/// stack.
package struct ReadOnlyContextWrittenChecker: Checker {
  package let name = "read-only-context-written"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.readOnlyContextWritten], counter: \.writesLookedAt, counted: "changes and saves looked at"
    ).judge(evidence)
  }
}
