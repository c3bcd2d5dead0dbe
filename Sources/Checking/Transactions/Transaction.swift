/// One transaction over lists, as a history has it.
package struct Transaction: Sendable, Hashable {
  /// An operation of a transaction on one list.
  package enum MicroOperation: Sendable, Hashable {
    /// Adds a value, unique in its list, at the end.
    case append(key: Int64, value: Int64)
    /// Sees the whole list.
    case read(key: Int64, values: [Int64])

    package var key: Int64 {
      switch self {
      case .append(let key, _), .read(let key, _): key
      }
    }
  }

  /// Number of the worker.
  package var process: UInt32
  /// `ok` took place, `fail` did not, `info` may have: its reads then say nothing.
  package var outcome: OperationType
  /// The position of its invocation in the history.
  package var start: Int
  /// The position of its completion; `Int.max` without one.
  package var end: Int
  /// In the order in which it did them.
  package var operations: [MicroOperation]

  package init(process: UInt32, outcome: OperationType, start: Int, end: Int, operations: [MicroOperation]) {
    precondition(start <= end, "a transaction ends after its begin")
    self.process = process
    self.outcome = outcome
    self.start = start
    self.end = end
    self.operations = operations
  }
}
