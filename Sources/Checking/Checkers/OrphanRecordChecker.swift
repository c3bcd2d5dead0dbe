/// `orphan-record`: rows that need an owner and have none in the store.
///
/// Exercised by the rows that need an owner, and by acknowledged deletes, after which none may be left behind.
package struct OrphanRecordChecker: Checker {
  package let name = "orphan-record"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let store = try evidence.store.get()
    let history = try? evidence.history.get()
    var exercised = 0
    var violations: [Violation] = []
    for entity in evidence.parameters.layout.entities {
      guard let rows = store.rows[entity.number], let orphans = rows.orphans else { continue }
      exercised += rows.keys.count + rows.keylessCount
      if orphans.isEmpty { continue }
      violations.append(
        Violation(
          kind: .orphanRecord, subject: entity.name, expected: "each row has its owner",
          seen: "without an owner: \(KeyRanges(orphans.map { $0..<$0 + 1 }))", count: orphans.count,
          firstStep: history?.operations.firstIndex {
            $0.function == .insert && $0.type == .invoke && $0.entity == entity.number
              && $0.keys.contains(orphans[0])
          }))
    }
    let deletes = history?.operations.count { $0.function == .delete && $0.type == .ok } ?? 0
    return CheckResult(
      name: name, exercised: exercised + deletes, violations: violations,
      note: "\(exercised) rows need an owner, \(deletes) deletes were acknowledged")
  }
}
