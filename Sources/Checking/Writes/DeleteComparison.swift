/// Compares reads, saves and the file with acknowledged deletes.
///
/// A row is gone for certain when every insert of its key was over before a delete began that was acknowledged, and there
/// were no more of them than deletes.
struct DeleteComparison {
  /// How many deletes were compared.
  private(set) var count = 0
  private var back = ViolationTally(
    kind: .resurrectedRecord, expected: "what was acknowledged as deleted is gone, and stays gone")
  private var stale = ViolationTally(
    kind: .staleRead, expected: "what was deleted before main drained is not shown any more")
  private let history: History
  private let layout: StoreLayout
  /// Whether a save may bring back a row that was deleted while it was under way.
  private let bringsBack: Bool
  private let deletes: [UInt16: StepIndex]
  /// Invocations of inserts that took place or may have.
  private let inserts: [UInt16: StepIndex]
  /// Invocations of updates that took place or may have.
  private let updates: [UInt16: StepIndex]

  init(_ history: History, _ parameters: CheckParameters) {
    self.history = history
    layout = parameters.layout
    bringsBack = ["object-trump", "overwrite"].contains(parameters.mergePolicy)
    deletes = history.steps(of: .delete) { $0.type == .ok }.mapValues { StepIndex($0, of: history) }
    inserts = deletes.isEmpty ? [:] : Self.possible(.insert, in: history)
    updates = deletes.isEmpty ? [:] : Self.possible(.update, in: history)
  }

  var violations: [Violation] { back.violations + stale.violations }

  /// Whether there is something to compare with the file.
  var needsStore: Bool { !deletes.isEmpty }

  private static func possible(_ function: OperationFunction, in history: History) -> [UInt16: StepIndex] {
    history.steps(of: function) { $0.type == .invoke }.mapValues { steps in
      StepIndex(steps.filter(history.isPossible), of: history)
    }
  }

  /// The step at which the row's delete was acknowledged, of those that were before `time`; nil where it may be there.
  ///
  /// - Parameter lone: the update that is judged, which does not count as bringing the row back.
  private func gone(_ row: RowKey, before time: UInt64 = .max, besides lone: Int? = nil) -> Int? {
    let own = (deletes[row.entity]?.steps(containing: row.key) ?? []).filter { history.operations[$0].time < time }
    guard let last = own.max(by: { history.start(of: $0) < history.start(of: $1) }) else { return nil }
    let begin = history.start(of: last)
    let made = inserts[row.entity]?.steps(containing: row.key) ?? []
    guard made.count <= own.count, made.allSatisfy({ history.end(of: $0) < begin }) else { return nil }
    if bringsBack {
      // One that was under way when the row went brings it back by its policy.
      let end = history.operations[last].time
      let under = updates[row.entity]?.steps(containing: row.key) ?? []
      if under.contains(where: { $0 != lone && history.operations[$0].time <= end && history.end(of: $0) >= begin }) {
        return nil
      }
    }
    return last
  }

  /// Finds reads that show a row which their process knew as deleted.
  mutating func compareReads() {
    guard !deletes.isEmpty else { return }
    var drained: [UInt32: UInt64] = [:]
    for (step, operation) in history.operations.enumerated() {
      if operation.function == .drained, operation.type != .invoke {
        drained[operation.process] = history.start(of: step)
      }
      guard operation.function == .read, operation.type == .invoke, let known = drained[operation.process],
        let completion = history.partner(of: step), history.operations[completion].type == .ok,
        let delete = gone(RowKey(operation), before: known)
      else { continue }
      stale.add(
        subject: layout.name(operation.entity), step: completion,
        seen: "\(history.place(of: history.operations[completion])) shows key \(operation.key), whose delete was "
          + "acknowledged at step \(delete)")
    }
  }

  /// Finds acknowledged updates that began after the acknowledged delete of their row.
  ///
  /// Judged are updates that changed something for certain: those with a version.
  mutating func compareUpdates() {
    guard !deletes.isEmpty else { return }
    for (step, operation) in history.operations.enumerated()
    where operation.function == .update && operation.type == .ok && operation.value != 0 {
      guard let invocation = history.partner(of: step) else { continue }
      for key in operation.keys {
        let row = RowKey(entity: operation.entity, key: key)
        guard let delete = gone(row, before: history.operations[invocation].time, besides: invocation) else { continue }
        back.add(
          subject: layout.name(operation.entity), step: step,
          seen:
            "w\(operation.process) saved key \(key) from step \(invocation) on, whose delete was acknowledged at step "
            + "\(delete)")
      }
    }
  }

  /// Finds rows of the file that were deleted.
  mutating func compare(with store: StoreContents) {
    for (entity, index) in deletes.sorted(by: { $0.key < $1.key }) {
      guard let rows = store.rows[entity] else { continue }
      count += index.count
      var latest: Int64?
      for key in rows.keys where key != latest {
        latest = key
        guard let delete = gone(RowKey(entity: entity, key: key)) else { continue }
        back.add(
          subject: layout.name(entity), step: delete,
          seen: "key \(key) is in the file, whose delete was acknowledged at step \(delete)")
      }
    }
  }
}
