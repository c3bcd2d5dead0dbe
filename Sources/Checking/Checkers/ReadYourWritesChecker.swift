/// `read-your-writes`: after the acknowledged update of an object, its process reads that version, or a later one:
/// in the same context at once, in another one once it has merged the acknowledged saves (`drained`).
///
/// Exercised by the reads after such an update. Objects that were deleted, or lost an update, are passed over.
/// - SeeAlso: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data" (1994).
package struct ReadYourWritesChecker: Checker {
  package let name = "read-your-writes"

  private struct Subject: Hashable {
    var process: UInt32
    var row: RowKey
  }

  /// The versions of one object that a process wrote.
  private struct Written {
    /// By context.
    var versions: [UInt32: Int64] = [:]
    /// The highest that was acknowledged before the process drained.
    var drained: Int64 = .min

    var highest: Int64 { versions.values.max() ?? .min }

    func required(in context: UInt32) -> Int64 { max(drained, versions[context] ?? .min) }
  }

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let deletes = history.possibleDeletes()
    let lost = history.objectsWithLostUpdates()
    var written: [Subject: Written] = [:]
    var required: [Int: Int64] = [:]
    var exercised = 0
    var tally = ViolationTally(
      kind: .readYourWrites, expected: "the version that the process itself saved, or a later one")
    for (step, operation) in history.operations.enumerated() {
      let subject = Subject(process: operation.process, row: RowKey(operation))
      switch (operation.function, operation.type) {
      case (.update, .ok):
        guard operation.count == 1, operation.value != 0 else { continue }
        let before = written[subject]?.versions[operation.context] ?? .min
        written[subject, default: Written()].versions[operation.context] = max(before, operation.value)
      case (.drained, .ok), (.drained, .info):
        // A process does one thing after the other: all that it wrote was acknowledged before.
        for key in written.keys where key.process == operation.process {
          let highest = written[key]?.highest ?? .min
          written[key]?.drained = highest
        }
      case (.read, .invoke):
        guard let completion = history.partner(of: step), let written = written[subject] else { continue }
        let version = written.required(in: history.operations[completion].context)
        if version != .min { required[completion] = version }
      case (.read, .ok):
        guard let version = required.removeValue(forKey: step), !lost.contains(subject.row),
          deletes[operation.entity]?.steps(containing: operation.key).isEmpty ?? true
        else { continue }
        exercised += 1
        guard operation.value < version else { continue }
        tally.add(
          subject: evidence.parameters.layout.name(operation.entity), step: step,
          seen:
            "w\(operation.process) saved version \(version) of key \(operation.key), and \(history.place(of: operation)) "
            + "showed it version \(operation.value)")
      default: continue
      }
    }
    return CheckResult(
      name: name, exercised: exercised, violations: tally.violations,
      note: "\(exercised) reads of objects that their process had saved itself")
  }
}
