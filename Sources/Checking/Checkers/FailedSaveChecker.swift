/// `failed-save`: a save was refused, and the workload lost the change.
///
/// A `fail` of `save` refuses: the rows it names, or else what its process had invoked and not
/// completed; and each `fail` of an insert, update or delete without such a save. Not lost are a change that is acknowledged
/// later (a retry, by any process), and an update or delete of rows with a delete acknowledged at any time. A refused
/// save of which no rows are known is lost: nothing can show that it was retried.
package struct FailedSaveChecker: Checker {
  package let name = "failed-save"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let sweep = RefusalSweep(history)
    var acknowledged: [OperationFunction: [UInt16: StepIndex]] = [:]
    for function in RefusalSweep.changes + [.save] where !sweep.refusals.isEmpty {
      acknowledged[function] = history.steps(of: function) { $0.type == .ok && (function != .save || $0.entity != 0) }
        .mapValues { StepIndex($0, of: history) }
    }
    var tally = ViolationTally(kind: .failedSave, expected: "every change is acknowledged in the end")
    for refusal in sweep.refusals {
      let lost = refusal.changes.contains { change in
        let functions = change.function.map { [$0] } ?? Array(acknowledged.keys)
        let later = functions.flatMap { acknowledged[$0]?[change.entity]?.steps(overlapping: change.keys) ?? [] }
          .filter { $0 > refusal.step }
        let deleted =
          change.function == .insert ? [] : acknowledged[.delete]?[change.entity]?.steps(overlapping: change.keys) ?? []
        let settled = KeyRanges((later + deleted).map { history.operations[$0].keys })
        return !KeyRanges([change.keys]).subtracting(settled).isEmpty
      }
      guard lost || refusal.changes.isEmpty else { continue }
      tally.add(
        subject: subject(refusal, evidence.parameters.layout), step: refusal.step,
        seen: "w\(history.operations[refusal.step].process): error \(refusal.code), never saved later")
    }
    return CheckResult(
      name: name, exercised: sweep.outcomes, violations: tally.violations,
      note: "\(sweep.outcomes) saves were acknowledged or refused, \(sweep.refusals.count) refused")
  }

  private func subject(_ refusal: Refusal, _ layout: StoreLayout) -> String {
    let names = Set(refusal.changes.map(\.entity)).sorted().map(layout.name)
    return names.isEmpty ? "save" : names.joined(separator: ", ")
  }
}
