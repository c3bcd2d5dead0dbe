/// `asymmetric-inverse`: both sides of every relationship agreed, by the reports of the workload, and in the store's
/// file where it has both sides.
package struct AsymmetricInverseChecker: Checker {
  package let name = "asymmetric-inverse"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let reported = try ReportedKindChecker(
      name, [.asymmetricInverse], counter: \.inversesChecked, counted: "objects' relationships looked at"
    ).judge(evidence)
    let layout = evidence.parameters.layout
    let hasBothSides =
      layout.joins.contains(where: \.isReflexive)
      || layout.entities.contains { $0.references.contains { $0.inverseColumn != nil } }
    guard hasBothSides else { return reported }
    let references = try evidence.store.get().references
    let compared = references.reduce(0) { $0 + $1.comparedCount }
    let violations =
      reported.violations
      + references.filter { !$0.asymmetric.isEmpty }.map { reference in
        Violation(
          kind: .asymmetricInverse, subject: reference.name, expected: "both sides of a relationship agree",
          seen: "the other side does not lead back: \(KeyRanges(reference.asymmetric.map { $0..<$0 + 1 }))",
          count: reference.asymmetric.count)
      }
    guard reported.verdict != .unknown else {
      return CheckResult(name: name, unknown: reported.note, violations: violations)
    }
    return CheckResult(
      name: name, exercised: reported.exercised + compared, violations: violations,
      note: "\(reported.note), \(compared) sides compared in the store")
  }
}
