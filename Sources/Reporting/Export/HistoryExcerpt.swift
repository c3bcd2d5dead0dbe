import Foundation

/// The lines of a kept history that have to do with one step of it.
struct HistoryExcerpt {
  /// One record.
  struct Step: Sendable, Hashable {
    /// Position in the cell's history.
    let index: Int
    /// Line of `history.jsonl`, from 1.
    let line: Int
    /// The queue it was done on: the context's name, or the worker where it was done in none.
    let queue: String
    /// The operation, in a line.
    let text: String
    fileprivate let entity: String?
    fileprivate let keys: Range<Int64>?
  }

  /// Lines before the step that are read.
  static let linesBefore = 500
  /// Lines behind it that are shown.
  static let linesAfter = 4
  /// Lines before the step that are shown.
  static let shownBefore = 24

  /// The steps in their order; that of the violation among them.
  let steps: [Step]
  /// The violation's step.
  let index: Int

  /// Reads the lines around a step; nil where the history has no such step.
  init?(_ history: KeptHistory, step: Int) {
    let lines = history.lines
    guard let position = history.line(ofStep: step) else { return nil }
    let window = max(0, position - Self.linesBefore)..<min(lines.count, position + Self.linesAfter + 1)
    let decoder = JSONDecoder()
    let records = window.compactMap { line in
      (try? decoder.decode(HistoryRecord.self, from: lines[line])).map { (line: line + 1, record: $0) }
    }
    var read: [Step] = []
    var queues: [Int: String] = [:]
    // Invocations do not say on which queue: it is that of the worker's next record that does.
    for (line, record) in records.reversed() {
      if let context = record.context { queues[record.process] = context }
      read.append(Step(record, line: line, queue: queues[record.process] ?? record.worker))
    }
    read.reverse()
    guard let own = read.first(where: { $0.line == position + 1 }) else { return nil }
    let before = read.filter { $0.line < own.line && $0.concerns(own) }.suffix(Self.shownBefore)
    steps = before + [own] + read.filter { $0.line > own.line && $0.concerns(own) }
    index = own.index
    precondition(
      zip(steps, steps.dropFirst()).allSatisfy { $0.line < $1.line }, "steps are shown in the order of their history")
  }

  /// The queues in the order in which they come.
  var queues: [String] {
    var queues: [String] = []
    for step in steps where !queues.contains(step.queue) { queues.append(step.queue) }
    return queues
  }
}

extension HistoryExcerpt.Step {
  fileprivate init(_ record: HistoryRecord, line: Int, queue: String) {
    index = record.index
    self.line = line
    self.queue = queue
    text = "step \(record.index), \(record.time) ns: \(record.f) \(record.type) of \(record.value.text)"
    entity = record.value.entity
    keys = record.value.keys
  }

  /// Whether it is about the same rows; where that is not known, whether it may be.
  fileprivate func concerns(_ other: Self) -> Bool {
    guard let entity, let keys, let otherEntity = other.entity, let otherKeys = other.keys else {
      return entity == nil && other.entity == nil
    }
    return entity == otherEntity && keys.overlaps(otherKeys)
  }
}
