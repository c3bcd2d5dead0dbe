/// Goes through a history once and finds the saves that were refused.
struct RefusalSweep {
  /// The functions that a save makes durable.
  static let changes: [OperationFunction] = [.insert, .update, .delete]

  /// The refused saves, by step.
  private(set) var refusals: [Refusal] = []
  /// How many saves were acknowledged or refused.
  private(set) var outcomes = 0

  /// By process, the invocations of changes that are not completed.
  private var open: [UInt32: Set<Int>] = [:]
  /// By process, the step of the latest refused save.
  private var latestRefusedSave: [UInt32: Int] = [:]
  /// By process, the position in `refusals` of the change that its latest record refuses.
  private var justRefused: [UInt32: Int] = [:]

  init(_ history: History) {
    for (step, operation) in history.operations.enumerated() {
      if operation.function == .save {
        save(operation, at: step, in: history)
      } else if Self.changes.contains(operation.function) {
        change(operation, at: step, in: history)
      }
    }
    precondition(refusals.count <= outcomes, "a save that was refused is one that ended")
  }

  private mutating func save(_ operation: Operation, at step: Int, in history: History) {
    switch operation.type {
    case .invoke, .info:
      return
    case .ok:
      outcomes += 1
      justRefused[operation.process] = nil
    case .fail:
      latestRefusedSave[operation.process] = step
      let carried = (open[operation.process] ?? []).sorted().map { history.operations[$0] }
      var changes = carried.map { Refusal.Change(function: $0.function, entity: $0.entity, keys: $0.keys) }
      if changes.isEmpty, operation.entity != 0 {
        changes = [Refusal.Change(function: nil, entity: operation.entity, keys: operation.keys)]
      }
      if changes.isEmpty, let refused = justRefused[operation.process] {
        // The save of the change that was recorded as refused just before.
        if refusals[refused].code == 0 { refusals[refused].code = operation.value }
        return
      }
      outcomes += 1
      refusals.append(Refusal(step: step, code: operation.value, changes: changes))
    }
  }

  private mutating func change(_ operation: Operation, at step: Int, in history: History) {
    guard operation.type != .invoke else {
      open[operation.process, default: []].insert(step)
      justRefused[operation.process] = nil
      return
    }
    guard let invocation = history.partner(of: step) else { return }
    open[operation.process]?.remove(invocation)
    switch operation.type {
    case .ok:
      outcomes += 1
      justRefused[operation.process] = nil
    case .fail:
      // A refused save since the invocation has taken this change along.
      if let save = latestRefusedSave[operation.process], save > invocation { return }
      outcomes += 1
      justRefused[operation.process] = refusals.count
      refusals.append(
        Refusal(
          step: step, code: operation.value,
          changes: [
            Refusal.Change(function: operation.function, entity: operation.entity, keys: operation.keys)
          ]))
    case .invoke, .info:
      return
    }
  }
}

/// A save that was refused.
struct Refusal {
  /// Rows that the save was to change.
  struct Change {
    /// The refused operation; nil when the history does not say.
    var function: OperationFunction?
    var entity: UInt16
    var keys: Range<Int64>
  }

  /// Where it was refused.
  var step: Int
  /// The error's code.
  var code: Int64
  /// The changes of the save; empty when the history does not say.
  var changes: [Change]
}
