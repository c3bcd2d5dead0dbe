extension Operation {
  /// Adds the values of an `elements` record to `list`; false when it has not one to six of them.
  func appendElements(to list: inout [Int64]) -> Bool {
    guard function == .elements, 1...Int64(ElementWords.capacity) ~= count else { return false }
    for index in 0..<Int(count) {
      let word = index < 2 ? key : index < 4 ? value : object
      list.append(Int64(Int32(truncatingIfNeeded: index.isMultiple(of: 2) ? word : word >> 32)))
    }
    return true
  }
}

extension History {
  /// The values that follow records in `elements`, by the record's step, for the functions for which a condition holds.
  func elements(of isIncluded: (OperationFunction) -> Bool) -> [Int: [Int64]] {
    var lists: [Int: [Int64]] = [:]
    var latest: [UInt32: Int] = [:]
    for (step, operation) in operations.enumerated() {
      if operation.function != .elements {
        latest[operation.process] = step
      } else if let owner = latest[operation.process], isIncluded(operations[owner].function) {
        _ = operation.appendElements(to: &lists[owner, default: []])
      }
    }
    return lists
  }
}
