/// Collects the transactions of a history, record by record.
struct TransactionReader {
  /// The open transaction of a process.
  private struct State {
    /// Position of its transaction in `transactions`; nil between two.
    var transaction: Int?
    /// The list that it reads, while its values are recorded.
    var list: Int64?
    /// How long that list is.
    var count: Int64 = 0
    /// Its values so far.
    var values: [Int64] = []
  }

  private var transactions: [Transaction] = []
  private var states: [UInt32: State] = [:]
  /// The entity of all lists, once one was seen.
  private var entity: UInt16?

  mutating func read(_ operation: Operation, at step: Int) throws(Unusable) {
    switch operation.function {
    case .transaction: try recordBoundary(operation, step)
    case .append:
      let index = try begin(operation, step)
      transactions[index].operations.append(.append(key: operation.key, value: operation.value))
    case .list:
      _ = try begin(operation, step)
      states[operation.process, default: State()].list = operation.key
      states[operation.process, default: State()].count = operation.count
    case .elements:
      // Those of other functions than lists are outside of transactions.
      guard states[operation.process]?.list != nil else { return }
      guard operation.appendElements(to: &states[operation.process, default: State()].values) else {
        throw Unusable("w\(operation.process) has \(operation.count) values in the record at step \(step)")
      }
    default: return
    }
  }

  /// The transactions, when all records were taken.
  mutating func finish() throws(Unusable) -> [Transaction] {
    for (process, state) in states {
      precondition(state.list == nil || state.transaction != nil, "a list is read inside of a transaction")
      // Its process was killed, perhaps in the middle of a list: its reads do not count.
      if state.list != nil, state.values.count < state.count { continue }
      try closeList(of: process)
    }
    return transactions
  }

  private mutating func recordBoundary(_ operation: Operation, _ step: Int) throws(Unusable) {
    let process = operation.process
    guard operation.type == .invoke else {
      let index = try position(operation, step)
      try closeList(of: process)
      transactions[index].outcome = operation.type
      transactions[index].end = step
      states[process, default: State()].transaction = nil
      return
    }
    guard states[process]?.transaction == nil else {
      throw Unusable("w\(process) begins a transaction at step \(step) inside another")
    }
    states[process, default: State()].transaction = transactions.count
    transactions.append(Transaction(process: process, outcome: .info, start: step, end: .max, operations: []))
  }

  /// Ends the list that the process read before, and gives the transaction that the operation is part of.
  private mutating func begin(_ operation: Operation, _ step: Int) throws(Unusable) -> Int {
    if let entity, entity != operation.entity {
      throw Unusable("the lists are of one entity, but at step \(step) of another")
    }
    entity = operation.entity
    try closeList(of: operation.process)
    return try position(operation, step)
  }

  private func position(_ operation: Operation, _ step: Int) throws(Unusable) -> Int {
    guard let index = states[operation.process]?.transaction else {
      throw Unusable("w\(operation.process) records \(operation.function.name) at step \(step) in no transaction")
    }
    return index
  }

  private mutating func closeList(of process: UInt32) throws(Unusable) {
    guard let state = states[process], let key = state.list, let index = state.transaction else { return }
    guard state.values.count == state.count else {
      throw Unusable("w\(process) read \(state.count) values of list \(key), and recorded \(state.values.count)")
    }
    transactions[index].operations.append(.read(key: key, values: state.values))
    states[process] = State(transaction: index)
  }
}
