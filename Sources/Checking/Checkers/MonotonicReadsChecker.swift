/// `monotonic-reads`: a context that showed a version of an object shows no older one later.
///
/// Reads of one context are compared, or of one process where no context is recorded, the later begun after the earlier
/// was over. Exercised by the reads before which the object was updated since the context's read before. Objects that
/// were deleted, or lost an update, are passed over.
/// - SeeAlso: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data" (1994).
package struct MonotonicReadsChecker: Checker {
  package let name = "monotonic-reads"
  package let kinds: [ViolationKind] = [.nonMonotonicRead]

  /// A reader of a row.
  private struct Reader: Hashable {
    /// Process and context, of which one is 0.
    var process: UInt32
    var context: UInt32
    var row: RowKey
  }

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let deletes = history.possibleDeletes()
    let lost = history.objectsWithLostUpdates()
    var highest: [Reader: (version: Int64, step: Int)] = [:]
    /// By object, the step of the latest acknowledged update.
    var updated: [RowKey: Int] = [:]
    /// The version shown before a read began, by the step of the read's completion.
    var shown: [Int: (version: Int64, step: Int)] = [:]
    var exercised = 0
    var tally = ViolationTally(kind: .nonMonotonicRead, expected: "the version that the context showed, or a later one")
    for (step, operation) in history.operations.enumerated() {
      let subject = RowKey(operation)
      switch (operation.function, operation.type) {
      case (.update, .ok):
        if operation.count == 1 { updated[subject] = step }
      case (.read, .invoke):
        guard let completion = history.partner(of: step) else { continue }
        shown[completion] = highest[Self.reader(history.operations[completion])]
      case (.read, .ok):
        let reader = Self.reader(operation)
        if let before = shown.removeValue(forKey: step), !lost.contains(subject),
          deletes[operation.entity]?.steps(containing: operation.key).isEmpty ?? true
        {
          if let update = updated[subject], update > before.step { exercised += 1 }
          if operation.value < before.version {
            tally.add(
              subject: evidence.parameters.layout.name(operation.entity), step: step,
              seen: "\(history.place(of: operation)) showed version \(before.version) of key \(operation.key) at step "
                + "\(before.step), and version \(operation.value) at step \(step)")
          }
        }
        if operation.value > highest[reader]?.version ?? .min { highest[reader] = (operation.value, step) }
      default: continue
      }
    }
    return CheckResult(
      name: name, exercised: max(exercised, tally.violations.count), violations: tally.violations,
      note: "\(exercised) reads came again after an update of their object")
  }

  private static func reader(_ read: Operation) -> Reader {
    Reader(process: read.context == 0 ? read.process : 0, context: read.context, row: RowKey(read))
  }
}

extension History {
  /// Where an operation was done, in words.
  func place(of operation: Operation) -> String {
    operation.context == 0 ? "w\(operation.process)" : contextName(operation.context)
  }
}
