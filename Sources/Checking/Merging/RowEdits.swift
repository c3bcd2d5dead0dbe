/// The edits of one row in a history, one after the other.
struct RowEdits {
  /// One edit, and how it ended.
  struct Entry {
    /// Where it was acknowledged or refused.
    var step: Int
    var process: UInt32
    var edit: MergeOracle.Edit
    var isAcknowledged: Bool
    /// Whether the file did not take it, such as on a full disk: no policy decided.
    var isBroken: Bool
  }

  let entity: UInt16
  let key: Int64
  private(set) var entries: [Entry] = []
  /// Why nothing can be predicted for the row, if so.
  private(set) var problem: String?

  /// The rows that were edited, in the order of their first edits.
  static func rows(of history: History) throws(Unusable) -> [RowEdits] {
    let elements = history.elements { $0 == .edit }
    var rows: [RowEdits] = []
    var positions: [RowKey: Int] = [:]
    for (step, operation) in history.operations.enumerated() {
      let row = RowKey(operation)
      guard operation.function == .edit, operation.type == .invoke else { continue }
      let position = positions[row] ?? rows.count
      if position == rows.count {
        positions[row] = position
        rows.append(RowEdits(entity: row.entity, key: row.key))
      }
      let values = elements[step] ?? []
      let isDelete = operation.value == 1
      guard !values.isEmpty, isDelete || values.count.isMultiple(of: 2) else {
        throw Unusable("the edit at step \(step) has not a value seen and a value saved of each property")
      }
      let count = isDelete ? values.count : values.count / 2
      guard rows[position].entries.first.map({ $0.edit.seen.count == count }) ?? true else {
        throw Unusable("the edit at step \(step) is not of the properties of the row's first edit")
      }
      let end = history.partner(of: step)
      rows[position].add(
        MergeOracle.Edit(
          seen: Array(values.prefix(count)), saved: isDelete ? nil : Array(values.suffix(count)),
          isPush: isPushed(step, until: end, in: history)),
        from: step, to: end, in: history)
    }
    return rows
  }

  private init(entity: UInt16, key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// Whether its process recorded a push of the row before the edit's end.
  private static func isPushed(_ step: Int, until end: Int?, in history: History) -> Bool {
    let edit = history.operations[step]
    return history.operations[step..<(end ?? history.operations.count)].contains {
      $0.function == .push && $0.process == edit.process && $0.entity == edit.entity && $0.key == edit.key
    }
  }

  private mutating func add(_ edit: MergeOracle.Edit, from step: Int, to end: Int?, in history: History) {
    guard let end, history.operations[end].type != .info else {
      problem = "the end of an edit is not known"
      return
    }
    if let last = entries.last, last.step > step { problem = "edits of the row were saved at the same time" }
    entries.append(
      Entry(
        step: end, process: history.operations[step].process, edit: edit,
        isAcknowledged: history.operations[end].type == .ok,
        isBroken: history.operations[end].type == .fail && history.operations[end].value == MergeOracle.brokenSaveCode))
  }
}
