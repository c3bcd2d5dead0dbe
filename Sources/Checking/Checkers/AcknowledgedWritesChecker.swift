/// `acknowledged-writes`: acknowledged writes hold, in the file and in every context that was notified.
///
/// From the order of the acknowledged writes of each row: its properties have the value of the latest one, in the file
/// and in every read of a process that has drained since; deleted rows are gone, are not shown any more and are not
/// saved again; and no two acknowledged inserts made one row twice. Of writes that overlap, either may be the latest. It
/// judges any workload as far as the history goes: values and owners, deletes, the rows that inserts made.
/// Exercised by the comparisons.
package struct AcknowledgedWritesChecker: Checker {
  package let name = "acknowledged-writes"
  package let kinds: [ViolationKind] = [.wrongValue, .resurrectedRecord, .duplicateRecord, .staleRead, .dirtyRead]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let parameters = evidence.parameters
    let logs = try WriteLogs(history, parameters.layout)
    var values = ValueComparison(history, parameters.layout, logs)
    values.compareReads()
    var deletes = DeleteComparison(history, parameters)
    deletes.compareReads()
    deletes.compareUpdates()
    var creations = CreationComparison(history, parameters)
    creations.compare()
    if values.needsStore || deletes.needsStore {
      let store = try evidence.store.get()
      values.compare(with: store)
      deletes.compare(with: store)
    }
    let exercised = values.count + deletes.count + creations.count
    return CheckResult(
      name: name, exercised: exercised, violations: values.violations + deletes.violations + creations.violations,
      note: "\(values.count) values, \(deletes.count) deletes and \(creations.count) inserts were compared")
  }
}
