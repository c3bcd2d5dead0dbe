/// `set`: the file has every row of an acknowledged insert, once, and none of a refused one.
///
/// Exercised by the acknowledged inserts.
/// - SeeAlso: Jepsen's workload of that name.
package struct SetChecker: Checker {
  package let name = "set"
  package let kinds: [ViolationKind] = [.lostRecord, .duplicateRecord, .dirtyRead]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let store = try evidence.store.get()
    let lost = try LostRecordChecker().judge(evidence)
    let doubled = try DuplicateRecordChecker().judge(evidence)
    var tally = ViolationTally(kind: .dirtyRead, expected: "only rows whose insert was acknowledged, or may have been")
    let refused = history.steps(of: .insert) { $0.type == .fail }
    // Possible inserts: acknowledged, indeterminate, or never completed.
    let possible = history.steps(of: .insert) { $0.type == .invoke }.mapValues { steps in
      KeyRanges(
        steps.filter { history.partner(of: $0).map { history.operations[$0].type != .fail } ?? true }
          .map { history.operations[$0].keys })
    }
    for (entity, steps) in refused.sorted(by: { $0.key < $1.key }) {
      let keys = Set(store.rows[entity]?.keys ?? [])
      let never = KeyRanges(steps.map { history.operations[$0].keys })
        .subtracting(possible[entity] ?? KeyRanges([]))
        .filter(keys.contains)
      guard !never.isEmpty else { continue }
      tally.add(
        subject: evidence.parameters.layout.name(entity), step: steps[0], count: never.count,
        seen: "in the file, though refused: \(never)")
    }
    return CheckResult(
      name: name, exercised: lost.exercised, violations: lost.violations + doubled.violations + tally.violations,
      note: "\(lost.exercised) rows were acknowledged, \(refused.values.reduce(0) { $0 + $1.count }) inserts refused")
  }
}
