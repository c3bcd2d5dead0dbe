/// `dangling-reference`: relationships that lead to rows that are not there, or not of the right entity.
///
/// A row without its owner is an `orphan-record`, and not counted here.
package struct DanglingReferenceChecker: Checker {
  package let name = "dangling-reference"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let references = try evidence.store.get().references
    let exercised = references.reduce(0) { $0 + $1.count }
    let violations = references.filter { !$0.dangling.isEmpty }.map { reference in
      Violation(
        kind: .danglingReference, subject: reference.name, expected: "a relationship leads to a row",
        seen: "leads to no row: \(KeyRanges(reference.dangling.map { $0..<$0 + 1 }))", count: reference.dangling.count)
    }
    return CheckResult(
      name: name, exercised: exercised, violations: violations, note: "\(exercised) references are in the store")
  }
}
