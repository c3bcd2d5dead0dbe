/// `merge-policy`: saves of rows that changed since they were read ended as their merge policy says, property by
/// property.
///
/// Exercised by the edits of rows that had changed. Rows with edits that overlap in time, or with one of unknown outcome,
/// are not judged.
package struct MergePolicyChecker: Checker {
  package let name = "merge-policy"
  package let kinds: [ViolationKind] = [.wrongWinner]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    guard let policy = evidence.parameters.mergePolicy.flatMap(MergeOracle.Policy.init) else {
      throw Unusable("the merge policy is not known")
    }
    let rows = try RowEdits.rows(of: try evidence.history.get())
    guard !rows.isEmpty else { return CheckResult(name: name, exercised: 0, note: "no edits were recorded") }
    let store = try evidence.store.get()
    let oracle = MergeOracle(policy: policy)
    var conflicts = 0
    var skipped = 0
    var tally = ViolationTally(kind: .wrongWinner, expected: "what \(policy.rawValue) says")
    for row in rows {
      guard row.problem == nil, let first = row.entries.first, let last = row.entries.last else {
        skipped += 1
        continue
      }
      let subject = evidence.parameters.layout.name(row.entity)
      var stored: [Int64]? = first.edit.seen
      var isJudged = true
      for entry in row.entries where !entry.isBroken {
        if MergeOracle.isConflict(entry.edit, with: stored) { conflicts += 1 }
        switch oracle.outcome(of: entry.edit, with: stored) {
        case .unspecified: isJudged = false
        case .refused:
          if !entry.isAcknowledged { continue }
          tally.add(
            subject: subject, step: entry.step,
            seen: "w\(entry.process): row \(row.key) had changed, and its save was acknowledged")
          isJudged = false
        case .saved(let values):
          if entry.isAcknowledged {
            stored = values
            continue
          }
          tally.add(
            subject: subject, step: entry.step, seen: "w\(entry.process): the save of row \(row.key) was refused")
          isJudged = false
        }
        break
      }
      guard isJudged else { continue }
      let found = store.rows[row.entity]?.properties[row.key]
      if found != stored {
        tally.add(
          subject: subject, step: last.step,
          seen: "row \(row.key) is \(Self.text(found)), and should be \(Self.text(stored))")
      }
    }
    return CheckResult(
      name: name, exercised: conflicts, violations: tally.violations,
      note: "\(conflicts) saves of rows that had changed; rows not judged: \(skipped)")
  }

  private static func text(_ values: [Int64]?) -> String {
    guard let values else { return "gone" }
    return "(" + values.map(String.init).joined(separator: ", ") + ")"
  }
}
