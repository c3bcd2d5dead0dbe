/// `lost-update`: two acknowledged updates made the same version of an object, or the file has an older version than
/// was acknowledged.
///
/// Judged are updates that say which version they made. Exercised by those, and the refused ones, that shared a moment
/// with another process's update of the same object; an acknowledged update without a version exercises nothing.
package struct LostUpdateChecker: Checker {
  package let name = "lost-update"

  /// The acknowledged updates of one object.
  private struct Acknowledged {
    /// By version, the step of the first update that made it.
    var steps: [Int64: Int] = [:]
    var latest: (version: Int64, step: Int) = (.min, 0)
  }

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let layout = evidence.parameters.layout
    var tally = ViolationTally(kind: .lostUpdate, expected: "each acknowledged update follows on the one before")
    var objects: [RowKey: Acknowledged] = [:]
    for (step, operation) in history.operations.enumerated()
    where operation.function == .update && operation.type == .ok && operation.count == 1 && operation.value != 0 {
      var object = objects[RowKey(operation), default: Acknowledged()]
      if let earlier = object.steps[operation.value] {
        let other = history.operations[earlier].process
        tally.add(
          subject: layout.name(operation.entity), step: step,
          seen: "w\(other) and w\(operation.process) both made version \(operation.value) of key \(operation.key), "
            + "at steps \(earlier) and \(step)")
      } else {
        object.steps[operation.value] = step
      }
      if operation.value > object.latest.version { object.latest = (operation.value, step) }
      objects[RowKey(operation)] = object
    }
    if let store = try? evidence.store.get() {
      let deletes = history.possibleDeletes()
      for (subject, object) in objects.sorted(by: { $0.value.latest.step < $1.value.latest.step }) {
        guard let version = store.rows[subject.entity]?.revision(of: subject.key), version < object.latest.version,
          deletes[subject.entity]?.steps(containing: subject.key).isEmpty ?? true
        else { continue }
        tally.add(
          subject: layout.name(subject.entity), step: object.latest.step,
          seen: "key \(subject.key) is at version \(version) in the file, acknowledged was \(object.latest.version)")
      }
    }
    let overlapping = Self.overlapping(in: history)
    return CheckResult(
      name: name, exercised: overlapping, violations: tally.violations,
      note: "\(overlapping) updates came while another process updated the same object")
  }

  /// Whether the update that is invoked at `step` says which version it made, or was refused.
  private static func isJudged(_ step: Int, in history: History) -> Bool {
    guard let completion = history.partner(of: step).map({ history.operations[$0] }) else { return false }
    return completion.type == .fail || completion.value != 0
  }

  /// How many judged updates began while another process's update of the same object was under way.
  private static func overlapping(in history: History) -> Int {
    var open: [RowKey: Set<UInt32>] = [:]
    var count = 0
    for (step, operation) in history.operations.enumerated()
    where operation.function == .update && operation.count == 1 {
      let subject = RowKey(operation)
      if operation.type == .invoke {
        let others = open[subject, default: []]
        if !others.isEmpty, others != [operation.process], isJudged(step, in: history) { count += 1 }
        open[subject, default: []].insert(operation.process)
      } else if history.partner(of: step) != nil {
        open[subject]?.remove(operation.process)
      }
    }
    return count
  }
}
