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
  /// By process, the positions in `refusals` of those that wait for any later save.
  private var unsettled: [UInt32: [Int]] = [:]

  init(_ history: History) {
    for (step, operation) in history.operations.enumerated() {
      if operation.function == .save {
        save(operation, at: step, in: history)
      } else if Self.changes.contains(operation.function) {
        change(operation, at: step, in: history)
      }
    }
  }

  private mutating func save(_ operation: Operation, at step: Int, in history: History) {
    switch operation.type {
    case .invoke, .info:
      return
    case .ok:
      outcomes += 1
      for position in unsettled.removeValue(forKey: operation.process) ?? [] { refusals[position].savedLater = true }
    case .fail:
      outcomes += 1
      latestRefusedSave[operation.process] = step
      let carried = (open[operation.process] ?? []).sorted().map { history.operations[$0] }
      let named = carried.isEmpty && operation.entity != 0
      if carried.isEmpty && !named { unsettled[operation.process, default: []].append(refusals.count) }
      refusals.append(
        Refusal(
          step: step, code: operation.value,
          changes: carried.map { Refusal.Change(function: $0.function, entity: $0.entity, keys: $0.keys) }
            + (named
              ? [Refusal.Change(function: nil, entity: operation.entity, keys: operation.keys)] : [])))
    }
  }

  private mutating func change(_ operation: Operation, at step: Int, in history: History) {
    guard operation.type != .invoke else {
      open[operation.process, default: []].insert(step)
      return
    }
    guard let invocation = history.partner(of: step) else { return }
    open[operation.process]?.remove(invocation)
    switch operation.type {
    case .ok:
      outcomes += 1
    case .fail:
      // A refused save since the invocation has taken this change along.
      if let save = latestRefusedSave[operation.process], save > invocation { return }
      outcomes += 1
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
