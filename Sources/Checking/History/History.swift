/// The operations of all workers of a cell, as one sequence ordered by time.
///
/// Of records of the same nanosecond the invocations come first: operations that may have been concurrent count as
/// concurrent. The order of one process is always kept.
package struct History: Sendable {
  /// The records; their position is the *step* of violations.
  package let operations: [Operation]
  /// The contexts' names by their numbers, that of number 1 first; empty where they are not known.
  package let contextNames: [String]
  /// For each record the position of its other half (the completion of an invocation, the invocation of a
  /// completion), −1 where it has none.
  private let partners: [Int32]

  /// Merges the records of several processes, each in the order of its time.
  ///
  /// - Throws: `Unusable`, when a process completes an operation that it did not invoke, or invokes one again before its end.
  /// - Complexity: O(*n* log *p*) for *n* records of *p* processes.
  package init(merging workers: [[Operation]], contextNames: [String] = []) throws(Unusable) {
    let merged = Self.merge(workers)
    guard merged.count <= Int32.max else { throw Unusable("a history of more than 2^31 records") }
    partners = try Self.pair(merged)
    operations = merged
    self.contextNames = contextNames
    precondition(partners.count == operations.count, "each record has its other half, or none")
  }

  /// The name of the context of a number, or the number as text.
  package func contextName(_ number: UInt32) -> String {
    number > 0 && number <= contextNames.count ? contextNames[Int(number) - 1] : "context \(number)"
  }

  /// Position of an invocation's completion, or of a completion's invocation.
  package func partner(of step: Int) -> Int? {
    let partner = partners[step]
    return partner < 0 ? nil : Int(partner)
  }

  /// When the operation that is completed at `step` began: the time of its invocation if it has one.
  package func start(of step: Int) -> UInt64 { operations[partner(of: step) ?? step].time }

  /// When the operation invoked at `step` was over; never, if it has no completion or an indeterminate one.
  package func end(of step: Int) -> UInt64 {
    guard let completion = partner(of: step), operations[completion].type != .info else { return .max }
    return operations[completion].time
  }

  private static func merge(_ workers: [[Operation]]) -> [Operation] {
    let workers = workers.filter { !$0.isEmpty }
    if workers.count == 1 { return workers[0] }
    var result: [Operation] = []
    let count = workers.reduce(0) { $0 + $1.count }
    result.reserveCapacity(count)
    // A binary heap of the workers, by their next record.
    var next = [Int](repeating: 0, count: workers.count)
    func precedes(_ left: Int, _ right: Int) -> Bool {
      let (a, b) = (workers[left][next[left]], workers[right][next[right]])
      if a.time != b.time { return a.time < b.time }
      if (a.type == .invoke) != (b.type == .invoke) { return a.type == .invoke }
      return a.process != b.process ? a.process < b.process : left < right
    }
    var heap = Array(workers.indices)
    func sink(_ start: Int) {
      var parent = start
      while true {
        var child = 2 * parent + 1
        guard child < heap.count else { return }
        if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
        guard precedes(heap[child], heap[parent]) else { return }
        heap.swapAt(child, parent)
        parent = child
      }
    }
    for index in heap.indices.reversed() { sink(index) }
    while let worker = heap.first {
      let time = workers[worker][next[worker]].time
      precondition(result.last.map { $0.time <= time } ?? true, "each worker recorded in the order of time")
      result.append(workers[worker][next[worker]])
      next[worker] += 1
      if next[worker] == workers[worker].count {
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
      }
      sink(0)
    }
    precondition(result.count == count, "no record is lost, and none comes twice")
    return result
  }

  /// The identity of an operation under way, within one history.
  private struct Identity: Hashable {
    var process: UInt32
    var entity: UInt16
    var function: OperationFunction
    var key: Int64
  }

  private static func pair(_ operations: [Operation]) throws(Unusable) -> [Int32] {
    var partners = [Int32](repeating: -1, count: operations.count)
    var open: [Identity: Int32] = [:]
    for (step, operation) in operations.enumerated() {
      let identity = Identity(
        process: operation.process, entity: operation.entity, function: operation.function, key: operation.key)
      if operation.type == .invoke {
        if let earlier = open.updateValue(Int32(step), forKey: identity) {
          throw Unusable(
            "w\(operation.process) invokes \(operation.function.name) of \(operation.key) at step \(step) again, "
              + "without a completion of step \(earlier)")
        }
      } else if let invocation = open.removeValue(forKey: identity) {
        partners[step] = invocation
        partners[Int(invocation)] = Int32(step)
      } else if operation.function.isInterval, operation.type != .info {
        throw Unusable(
          "w\(operation.process) completes \(operation.function.name) of \(operation.key) at step \(step), "
            + "which it did not invoke")
      }
    }
    return partners
  }
}
