/// `find-or-create`: every client that asked for a key got the same row, and the file has one row for it.
///
/// Exercised by the keys that several processes asked for at the same time, and by the collisions that the workload made.
package struct FindOrCreateChecker: Checker {
  package let name = "find-or-create"
  package let kinds: [ViolationKind] = [.duplicateRecord]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let layout = evidence.parameters.layout
    var tally = ViolationTally(kind: .duplicateRecord, expected: "one row for each logical key")
    var given: [RowKey: (object: Int64, step: Int)] = [:]
    var open: [RowKey: Int] = [:]
    var contended: Set<RowKey> = []
    for (step, operation) in history.operations.enumerated() where operation.function == .findOrCreate {
      let subject = RowKey(operation)
      guard operation.type != .invoke else {
        open[subject, default: 0] += 1
        if open[subject, default: 0] > 1 { contended.insert(subject) }
        continue
      }
      open[subject, default: 1] -= 1
      guard operation.type == .ok, operation.object > 0 else { continue }
      if let first = given[subject], first.object != operation.object {
        tally.add(
          subject: layout.name(operation.entity), step: step,
          seen: "key \(operation.key) is row \(first.object) at step \(first.step), and row \(operation.object) for "
            + "w\(operation.process)")
      } else {
        given[subject] = (operation.object, step)
      }
    }
    let store = try evidence.store.get()
    for entity in layout.entities {
      let keys = store.rows[entity.number]?.keys ?? []
      for key in Set(zip(keys, keys.dropFirst()).lazy.filter { $0 == $1 }.map { $0.0 }).sorted() {
        tally.add(
          subject: entity.name, step: given[RowKey(entity: entity.number, key: key)]?.step ?? 0,
          seen: "key \(key) has several rows in the file")
      }
    }
    let reports = try ReportedKindChecker(
      name, [.duplicateRecord], counter: \.collisions, counted: "collisions"
    ).judge(evidence)
    guard reports.verdict != .unknown else {
      return CheckResult(name: name, unknown: reports.note, violations: tally.violations + reports.violations)
    }
    return CheckResult(
      name: name, exercised: contended.count + reports.exercised, violations: tally.violations + reports.violations,
      note: "\(contended.count) keys were asked for by several at the same time, \(reports.note)")
  }
}
