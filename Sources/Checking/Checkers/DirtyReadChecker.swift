/// `dirty-read`: a read showed a version of an object that was never committed.
///
/// Judged are reads of versions above the first that an update made: some update that made it was acknowledged, or may
/// have taken place, or was still under way. Exercised by the reads of versions that an update made or tried to make.
package struct DirtyReadChecker: Checker {
  package let name = "dirty-read"

  private struct Version: Hashable {
    var entity: UInt16
    var key: Int64
    var version: Int64
  }

  /// Updates of an object whose version is not known.
  private struct Subject: Hashable {
    var entity: UInt16
    var key: Int64
  }

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    var committed: Set<Version> = []
    var refused: [Version: Int] = [:]
    var unknown: Set<Subject> = []
    for (step, operation) in history.operations.enumerated() where operation.function == .update {
      let version = Version(entity: operation.entity, key: operation.key, version: operation.value)
      switch operation.type {
      case .ok: committed.insert(version)
      case .fail: if operation.value != 0 { refused[version] = step }
      case .info:
        if operation.value == 0 {
          unknown.insert(Subject(entity: operation.entity, key: operation.key))
        } else {
          committed.insert(version)
        }
      case .invoke:
        if history.partner(of: step) == nil {
          unknown.insert(Subject(entity: operation.entity, key: operation.key))
        }
      }
    }
    var exercised = 0
    var tally = ViolationTally(kind: .dirtyRead, expected: "a version that some update committed")
    for (step, operation) in history.operations.enumerated()
    where operation.function == .read && operation.type == .ok {
      let version = Version(entity: operation.entity, key: operation.key, version: operation.value)
      let isCommitted = committed.contains(version)
      guard isCommitted || refused[version] != nil else { continue }
      exercised += 1
      guard !isCommitted, let update = refused[version],
        !unknown.contains(Subject(entity: operation.entity, key: operation.key))
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
