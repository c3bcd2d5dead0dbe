/// `stale-read`: a read that began after an update was acknowledged, and after its process took over all that was
/// acknowledged, shows an older revision.
///
/// Judged are reads of processes that record `drained`, of keys that no delete touched before the read was over, and
/// that lost no update.
package struct StaleReadChecker: Checker {
  package let name = "stale-read"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let drainers = Set(history.operations.lazy.filter { $0.function == .drained }.map(\.process))
    let deletes = history.possibleDeletes()
    let lost = history.objectsWithLostUpdates()
    var exercised = 0
    var tally = ViolationTally(
      kind: .staleRead, expected: "the revision acknowledged before main drained, or a later one")
    for process in drainers.sorted() {
      var sweep = StaleReadSweep(history: history, process: process)
      for (step, required) in sweep.judgedReads() {
        let read = history.operations[step]
        if lost.contains(RowKey(read)) { continue }
        let deletions = deletes[read.entity]?.steps(containing: read.key) ?? []
        if deletions.contains(where: { history.operations[$0].time <= read.time }) { continue }
        exercised += 1
        if read.value < required {
          tally.add(
            subject: evidence.parameters.layout.name(read.entity), step: step,
            seen: "key \(read.key) read at revision \(read.value), acknowledged was \(required)")
        }
      }
    }
    return CheckResult(
      name: name, exercised: exercised, violations: tally.violations,
      note: "\(exercised) reads began after an acknowledged and drained update of their object")
  }
}
