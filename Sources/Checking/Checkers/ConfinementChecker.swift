/// `confinement`: no context and no object was touched off its queue or thread, by the reports of concurrency debugging.
package struct ConfinementChecker: Checker {
  package let name = "confinement"
  package let kinds: [ViolationKind] = [.contextOffQueue, .objectOffQueue]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.contextOffQueue, .objectOffQueue], counter: \.guardedTouches, counted: "guarded touches"
    ).judge(evidence)
  }
}
