/// `unpersisted-save`: a child's save reached its parent and, at the end of the run, not the store.
///
/// A missing row that was acknowledged as durable is a `lost-record` and not counted here. A push with a
/// revision is persisted when the store has that revision or a later one. Nothing can be said about pushes of a cell
/// that did not come to its end.
package struct UnpersistedSaveChecker: Checker {
  package let name = "unpersisted-save"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let pushes = history.steps(of: .push) { $0.type == .ok }
    guard !pushes.isEmpty else { return CheckResult(name: name, exercised: 0, note: "no child's save was pushed") }
    let store = try evidence.store.get()
    let acknowledged = history.steps(of: .insert) { $0.type == .ok }
    let deletes = history.possibleDeletes()
    var exercised = 0
    var violations: [Violation] = []
    for entity in evidence.parameters.layout.entities {
      guard let steps = pushes[entity.number], let rows = store.rows[entity.number] else { continue }
      let pushed = KeyRanges(steps.lazy.map { history.operations[$0].keys })
      exercised += pushed.count
      let durable = KeyRanges((acknowledged[entity.number] ?? []).lazy.map { history.operations[$0].keys })
      let absent = pushed.subtracting(ascending: rows.keys).subtracting(durable)
      let outdated = outdated(steps, rows, in: history)
      let index = StepIndex(steps, of: history)
      let unpersisted = KeyRanges(absent.ranges + outdated.ranges).filter { key in
        let began = index.steps(containing: key).map(history.start(of:)).max() ?? 0
        let deletions = deletes[entity.number]?.steps(containing: key) ?? []
        return !deletions.contains { history.end(of: $0) >= began }
      }
      if let first = unpersisted.first {
        guard evidence.parameters.isComplete else {
          throw Unusable("the cell did not come to its end, where its pushes would have been persisted")
        }
        violations.append(
          Violation(
            kind: .unpersistedSave, subject: entity.name,
            expected: "what a child's save pushed is in the store at the end", seen: "not in the store: \(unpersisted)",
            count: unpersisted.count, firstStep: index.steps(containing: first).max()))
      }
    }
    return CheckResult(
      name: name, exercised: exercised, violations: violations, note: "\(exercised) rows were pushed to a parent")
  }

  /// The keys of rows in the store that are older than a pushed revision.
  private func outdated(_ steps: [Int], _ rows: EntityRows, in history: History) -> KeyRanges {
    KeyRanges(
      steps.lazy.map { history.operations[$0] }.filter { $0.value > 0 }.flatMap { push in
        push.keys.lazy.filter { key in rows.revision(of: key).map { $0 < push.value } ?? false }.map { $0..<$0 + 1 }
      })
  }
}
