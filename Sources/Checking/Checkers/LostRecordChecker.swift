/// `lost-record`: rows that were acknowledged as durable are not in the store.
///
/// Missing is no violation where a delete took place, or may have, that was not over when the latest acknowledged
/// insert of the key began; nor where one took the row's owner, by which a cascade may have taken the row. Inserts that
/// were refused, or of unknown outcome, promise nothing.
package struct LostRecordChecker: Checker {
  package let name = "lost-record"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let acknowledged = history.steps(of: .insert) { $0.type == .ok }
    guard !acknowledged.isEmpty else {
      return CheckResult(name: name, exercised: 0, note: "no insert was acknowledged")
    }
    let store = try evidence.store.get()
    let deletes = history.possibleDeletes()
    let owners = OwnershipIndex(history, evidence.parameters.layout)
    var exercised = 0
    var violations: [Violation] = []
    for entity in evidence.parameters.layout.entities {
      guard let steps = acknowledged[entity.number], let rows = store.rows[entity.number] else { continue }
      let promised = KeyRanges(steps.lazy.map { history.operations[$0].keys })
      exercised += promised.count
      let missing = promised.subtracting(ascending: rows.keys)
      if missing.isEmpty { continue }
      let inserts = StepIndex(steps, of: history)
      let lost = missing.filter { key in
        let began = inserts.steps(containing: key).map(history.start(of:)).max() ?? 0
        return !owners.chain(from: key, of: entity).contains { owner in
          deletes[owner.entity]?.steps(containing: owner.key).contains { history.end(of: $0) >= began } ?? false
        }
      }
      if let first = lost.first {
        violations.append(
          Violation(
            kind: .lostRecord, subject: entity.name, expected: "rows acknowledged as durable are in the store",
            seen: "not in the store: \(lost)"
              + (rows.keylessCount > 0 ? "; rows without a key: \(rows.keylessCount)" : ""),
            count: lost.count, firstStep: inserts.steps(containing: first).max()))
      }
    }
    return CheckResult(
      name: name, exercised: exercised, violations: violations, note: "\(exercised) rows were acknowledged")
  }
}
