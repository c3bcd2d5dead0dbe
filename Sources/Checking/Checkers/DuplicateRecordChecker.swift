/// `duplicate-record`: one logical key, several rows.
///
/// Keys with a delete that was refused, or may have been, are left out: the row is still there, and a later insert makes
/// a second one.
package struct DuplicateRecordChecker: Checker {
  package let name = "duplicate-record"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let store = try evidence.store.get()
    // Where a key was inserted first is reported if there is a history; the verdict does without.
    let history = try? evidence.history.get()
    let kept =
      history.map { history in
        history.steps(of: .delete) { $0.type == .fail || $0.type == .info }.mapValues { StepIndex($0, of: history) }
      } ?? [:]
    var exercised = 0
    var violations: [Violation] = []
    for entity in evidence.parameters.layout.entities {
      guard let keys = store.rows[entity.number]?.keys else { continue }
      exercised += keys.count
      let surplus = zip(keys, keys.dropFirst()).filter { $0 == $1 }.map { $0.0 }.filter {
        kept[entity.number]?.steps(containing: $0).isEmpty ?? true
      }
      guard let first = surplus.first else { continue }
      let doubled = KeyRanges(surplus.map { $0..<$0 + 1 })
      let rows = surplus.count
      precondition(doubled.count <= rows, "a key that is doubled has a row too many")
      violations.append(
        Violation(
          kind: .duplicateRecord, subject: entity.name, expected: "one row for each logical key",
          seen: "\(doubled.count) keys have \(rows) rows too many: \(doubled)", count: doubled.count,
          firstStep: history?.operations.firstIndex {
            $0.function == .insert && $0.type == .invoke && $0.entity == entity.number && $0.keys.contains(first)
          }))
    }
    return CheckResult(
      name: name, exercised: exercised, violations: violations, note: "\(exercised) rows are in the store")
  }
}
