/// `staleness-bound`: main's reads are no older than the scenario's `staleness_bound_ms`, whether it has drained or not.
///
/// Judged are main's reads of objects with an update that was acknowledged so long before the read began; those
/// exercise it. Objects that were deleted are passed over.
package struct StalenessBoundChecker: Checker {
  package let name = "staleness-bound"
  package let kinds: [ViolationKind] = [.staleRead]
  /// Main's recorder is process 0.
  private static let main: UInt32 = 0

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    guard let bound = evidence.parameters.stalenessBoundNanoseconds else {
      return CheckResult(name: name, exercised: 0, note: "the scenario has no staleness_bound_ms")
    }
    let deletes = history.possibleDeletes()
    // By object, the acknowledged updates in the order of time, and of how many of them every read must know.
    var updates: [RowKey: [(time: UInt64, version: Int64)]] = [:]
    for operation in history.operations
    where operation.function == .update && operation.type == .ok && operation.count == 1 && operation.value != 0 {
      updates[RowKey(operation), default: []].append(
        (operation.time, operation.value))
    }
    var exercised = 0
    var tally = ViolationTally(
      kind: .staleRead, expected: "a version no older than \(bound / 1_000_000) ms")
    for (step, operation) in history.operations.enumerated()
    where operation.function == .read && operation.type == .ok && operation.process == Self.main {
      let start = history.start(of: step)
      guard let known = updates[RowKey(operation)],
        deletes[operation.entity]?.steps(containing: operation.key).isEmpty ?? true,
        let required = known.prefix(while: { $0.time + UInt64(bound) < start }).map(\.version).max()
      else { continue }
      exercised += 1
      guard operation.value < required else { continue }
      tally.add(
        subject: evidence.parameters.layout.name(operation.entity), step: step,
        seen: "key \(operation.key) read at version \(operation.value), \(required) was acknowledged longer ago")
    }
    return CheckResult(
      name: name, exercised: exercised, violations: tally.violations,
      note: "\(exercised) reads on main of objects that were updated longer ago")
  }
}
