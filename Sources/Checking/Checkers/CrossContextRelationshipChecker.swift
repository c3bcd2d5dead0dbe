/// `cross-context-relationship`: no relationship joined objects of two contexts, by the reports of the stack.
package struct CrossContextRelationshipChecker: Checker {
  package let name = "cross-context-relationship"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    try ReportedKinds(
      name: name, kinds: [.crossContextRelationship], counter: \.objectsJoined,
      counted: "objects of other contexts joined by their IDs"
    ).judge(evidence)
  }
}
