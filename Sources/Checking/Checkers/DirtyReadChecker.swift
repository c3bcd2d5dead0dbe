/// `dirty-read`: a read showed a version of an object that was never committed.
///
/// Judged are reads of versions above the first that an update made: some update that made it was acknowledged, or may
/// have taken place, or was still under way. Exercised by the reads of versions that an update made or tried to make.
package struct DirtyReadChecker: Checker {
  package let name = "dirty-read"

  private struct Version: Hashable {
    var row: RowKey
    var version: Int64

    init(_ operation: Operation) {
      row = RowKey(operation)
      version = operation.value
    }
  }

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    var committed: Set<Version> = []
    var refused: [Version: Int] = [:]
    // Rows with an update of unknown version.
    var unknown: Set<RowKey> = []
    for (step, operation) in history.operations.enumerated() where operation.function == .update {
      let version = Version(operation)
      switch operation.type {
      case .ok: committed.insert(version)
      case .fail: if operation.value != 0 { refused[version] = step }
      case .info:
        if operation.value == 0 {
          unknown.insert(RowKey(operation))
        } else {
          committed.insert(version)
        }
      case .invoke:
        if history.partner(of: step) == nil {
          unknown.insert(RowKey(operation))
        }
      }
    }
    var exercised = 0
    var tally = ViolationTally(kind: .dirtyRead, expected: "a version that some update committed")
    for (step, operation) in history.operations.enumerated()
    where operation.function == .read && operation.type == .ok {
      let version = Version(operation)
      let isCommitted = committed.contains(version)
      guard isCommitted || refused[version] != nil else { continue }
      exercised += 1
      guard !isCommitted, let update = refused[version],
        !unknown.contains(RowKey(operation))
      else { continue }
      tally.add(
        subject: evidence.parameters.layout.name(operation.entity), step: step,
        seen: "w\(operation.process) read version \(operation.value) of key \(operation.key), which "
          + "w\(history.operations[update].process) took back at step \(update)")
    }
    return CheckResult(
      name: name, exercised: exercised, violations: tally.violations,
      note: "\(exercised) reads showed a version that an update made")
  }
}
