/// Compares values that were read, or are in the file, with those that were acknowledged last.
struct ValueComparison {
  /// How many values were compared.
  private(set) var count = 0
  private var wrong = ViolationTally(
    kind: .wrongValue,
    expected: "the value of the latest acknowledged write, in the file and in every context that was notified")
  private var stale = ViolationTally(
    kind: .staleRead, expected: "the value that was acknowledged before main drained, or a later one")
  private var dirty = ViolationTally(kind: .dirtyRead, expected: "a value that some write committed")
  private let history: History
  private let layout: StoreLayout
  private let logs: WriteLogs

  init(_ history: History, _ layout: StoreLayout, _ logs: WriteLogs) {
    self.history = history
    self.layout = layout
    self.logs = logs
  }

  var violations: [Violation] { wrong.violations + stale.violations + dirty.violations }

  /// Whether there is something to compare with the file.
  var needsStore: Bool { !logs.logs.isEmpty }

  /// Compares the reads of processes that merge acknowledged saves.
  mutating func compareReads() {
    var drained: [UInt32: UInt64] = [:]
    for (step, operation) in history.operations.enumerated() {
      if operation.function == .drained, operation.type != .invoke {
        drained[operation.process] = history.start(of: step)
      }
      guard operation.function == .read, operation.type == .invoke, let known = drained[operation.process],
        let completion = history.partner(of: step), history.operations[completion].type == .ok,
        let seen = logs.said[completion], let log = logs.logs[RowKey(operation)]
      else { continue }
      precondition(seen.count < logs.propertyCount(of: operation.entity), "a read says no owner, which comes last")
      for (property, value) in seen.enumerated() where value != RecordedWrite.unchanged {
        let now = history.operations[completion].time
        guard let latest = log.latest(of: property, known: known, now: now) else { continue }
        count += 1
        if latest.contains(where: { $0.values[property] == value }) { continue }
        judge(value, of: property, log, completion, latest)
      }
    }
  }

  private mutating func judge(
    _ value: Int64, of property: Int, _ log: WriteLog, _ step: Int, _ latest: [RecordedWrite]
  ) {
    let operation = history.operations[step]
    let sources = log.writes.filter { $0.values[property] == value && $0.start <= operation.time }
    let source = sources.last { $0.isPossible } ?? sources.last
    let seen =
      "\(history.place(of: operation)) shows \(name(property, operation.entity)) of key \(operation.key) "
      + text(value, source, latest)
    let subject = layout.name(operation.entity)
    switch source?.type {
    case nil where log.isComplete(for: property): wrong.add(subject: subject, step: step, seen: seen)
    case .fail: dirty.add(subject: subject, step: step, seen: seen)
    default: stale.add(subject: subject, step: step, seen: seen)
    }
  }

  /// Compares the file's rows.
  mutating func compare(with store: StoreContents) {
    for (row, log) in logs.logs {
      guard let rows = store.rows[row.entity] else { continue }
      // Of several rows of a key it is unknown which is meant.
      var values: [Int64?] = Array(repeating: nil, count: logs.propertyCount(of: row.entity))
      if let found = rows.recorded[row.key], found.count == 1 {
        precondition(
          found[0].count == values.count - 1,
          "a row is read with the columns that are recorded, and its owner comes last")
        for (property, value) in found[0].enumerated() { values[property] = value }
      }
      if let owners = rows.owners, rows.count(of: row.key) == 1, layout.entity(row.entity)?.owner != nil {
        values[values.count - 1] = owners[row.key].map { $0.count == 1 ? $0.first : nil } ?? 0
      }
      for (property, value) in values.enumerated() {
        guard let value, let latest = log.latest(of: property) else { continue }
        count += 1
        if latest.contains(where: { $0.values[property] == value }) { continue }
        let seen =
          "in the file, \(name(property, row.entity)) of key \(row.key) "
          + text(value, log.writes.last { $0.values[property] == value }, latest)
        wrong.add(subject: layout.name(row.entity), step: latest.map(\.step).max() ?? 0, seen: seen)
      }
    }
  }

  private func text(_ value: Int64, _ source: RecordedWrite?, _ latest: [RecordedWrite]) -> String {
    let origin = source.map { "is what step \($0.step) wrote" } ?? "is none that the history has"
    let steps = latest.map { "\($0.step)" }.joined(separator: " or ")
    return "\(origin) (\(value)); the latest write is step \(steps)"
  }

  private func name(_ property: Int, _ entity: UInt16) -> String {
    guard let entity = layout.entity(entity) else { return "property \(property)" }
    return property < entity.recordedColumns.count ? entity.recordedColumns[property] : "the owner"
  }
}

extension EntityRows {
  /// How many rows a key has.
  func count(of key: Int64) -> Int {
    var position = keys.lowerBound(of: key)
    let first = position
    while position < keys.count, keys[position] == key { position += 1 }
    return position - first
  }
}
