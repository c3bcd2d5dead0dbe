/// Goes through a history once, and knows for each read of one process which revision it must at least show.
struct StaleReadSweep {
  /// An update that was acknowledged and that the process has not yet taken over.
  private struct Pending {
    var time: UInt64
    var subject: Int
    var revision: Int64
  }

  private let history: History
  private let process: UInt32
  /// Number of each object that the process reads, by entity and key.
  private var numbers: [RowKey: Int] = [:]
  /// The keys read of an entity, ascending, for updates of whole ranges.
  private var keysRead: [UInt16: [Int64]] = [:]
  /// By number, the revision that a read which begins now must show.
  private var required: [Int64] = []
  private var pending: [Pending] = []
  private var firstPending = 0

  init(history: History, process: UInt32) {
    self.history = history
    self.process = process
    for operation in history.operations where isRead(operation) {
      let subject = RowKey(operation)
      if numbers[subject] == nil {
        numbers[subject] = numbers.count
        keysRead[subject.entity, default: []].append(subject.key)
      }
    }
    for entity in keysRead.keys { keysRead[entity]?.sort() }
    required = [Int64](repeating: .min, count: numbers.count)
  }

  /// The steps of the completed reads of objects with an acknowledged and drained update before they began, with the
  /// revision required of them.
  mutating func judgedReads() -> [(step: Int, required: Int64)] {
    var judged: [(step: Int, required: Int64)] = []
    var requiredAtStart: [Int: Int64] = [:]
    for (step, operation) in history.operations.enumerated() {
      switch (operation.function, operation.type) {
      case (.update, .ok):
        acknowledge(operation)
      case (.drained, .ok), (.drained, .info):
        if operation.process == process { drain(upTo: history.start(of: step)) }
      case (.read, .invoke):
        guard operation.process == process, let completion = history.partner(of: step),
          let number = numbers[RowKey(operation)], required[number] != .min
        else { continue }
        requiredAtStart[completion] = required[number]
      case (.read, .ok):
        if let revision = requiredAtStart.removeValue(forKey: step) { judged.append((step, revision)) }
      default:
        continue
      }
    }
    return judged
  }

  private func isRead(_ operation: Operation) -> Bool {
    operation.function == .read && operation.type == .ok && operation.process == process
  }

  private mutating func acknowledge(_ update: Operation) {
    precondition(
      pending.last.map { $0.time <= update.time } ?? true, "updates are acknowledged in the order of their time")
    guard let keys = keysRead[update.entity] else { return }
    var position = keys.lowerBound(of: update.keys.lowerBound)
    while position < keys.count, keys[position] < update.keys.upperBound {
      if let number = numbers[RowKey(entity: update.entity, key: keys[position])] {
        pending.append(Pending(time: update.time, subject: number, revision: update.value))
      }
      position += 1
    }
  }

  /// Applies the updates that were acknowledged strictly before `time`.
  private mutating func drain(upTo time: UInt64) {
    while firstPending < pending.count, pending[firstPending].time < time {
      let update = pending[firstPending]
      required[update.subject] = max(required[update.subject], update.revision)
      firstPending += 1
    }
  }
}
