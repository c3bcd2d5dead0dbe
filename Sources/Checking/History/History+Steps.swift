extension History {
  /// The steps of a function, by entity, for which a condition holds.
  func steps(
    of function: OperationFunction, where isIncluded: (Operation) -> Bool = { _ in true }
  ) -> [UInt16: [Int]] {
    var steps: [UInt16: [Int]] = [:]
    for (step, operation) in operations.enumerated()
    where operation.function == function && isIncluded(operation) {
      steps[operation.entity, default: []].append(step)
    }
    return steps
  }

  /// Objects of which two updates made the same version: one of them was lost, and versions do not say any more which of two
  /// states is the newer.
  func objectsWithLostUpdates() -> Set<RowKey> {
    var versions: [RowKey: Set<Int64>] = [:]
    var lost: Set<RowKey> = []
    for operation in operations
    where operation.function == .update && operation.count == 1 && operation.value != 0
      && (operation.type == .ok || operation.type == .info)
    {
      if !versions[RowKey(operation), default: []].insert(operation.value).inserted { lost.insert(RowKey(operation)) }
    }
    return lost
  }

  /// By entity, an index of the invocations of deletes that took place or may have.
  func possibleDeletes() -> [UInt16: StepIndex] {
    steps(of: .delete) { $0.type == .invoke }.mapValues { steps in
      StepIndex(steps.filter(isPossible), of: self)
    }
  }

  /// Whether the operation that is invoked at `step` took place or may have.
  func isPossible(_ step: Int) -> Bool {
    guard let type = partner(of: step).map({ operations[$0].type }) else {
      return !CheckerMutant.isActive("history:open-deletes")
    }
    if type == .info { return !CheckerMutant.isActive("history:indeterminate-deletes") }
    return type != .fail || CheckerMutant.isActive("history:refused-deletes")
  }
}
