/// Finds rows that two acknowledged inserts report to have made.
///
/// Compares inserts that record the object they made; one with a temporary ID, by its key alone. Where a merge policy
/// may join two rows of one unique key, both are acknowledged, and neither is judged.
struct CreationComparison {
  /// How many inserts were compared.
  private(set) var count = 0
  private var doubled = ViolationTally(
    kind: .duplicateRecord, expected: "one acknowledged insert for each logical key, and for each row")
  private let history: History
  private let parameters: CheckParameters

  init(_ history: History, _ parameters: CheckParameters) {
    self.history = history
    self.parameters = parameters
  }

  var violations: [Violation] { doubled.violations }

  mutating func compare() {
    let deletes = history.possibleDeletes()
    var byKey: [RowKey: Int] = [:]
    var byRow: [RowKey: Int] = [:]
    for (step, operation) in history.operations.enumerated()
    where operation.function == .insert && operation.type == .ok && operation.count == 1 && operation.object != 0 {
      let key = RowKey(operation)
      let row = RowKey(entity: operation.entity, key: operation.object)
      let isJoined = parameters.joinsRows(of: operation.entity)
      guard !isJoined, deletes[operation.entity]?.steps(containing: operation.key).isEmpty ?? true else { continue }
      count += 1
      if let first = byKey[key] {
        add(first, step, "made key \(operation.key)")
      } else if operation.object > 0, let first = byRow[row] {
        add(first, step, "made row \(operation.object)")
      }
      byKey[key] = byKey[key] ?? step
      byRow[row] = byRow[row] ?? step
    }
  }

  private mutating func add(_ first: Int, _ second: Int, _ what: String) {
    let (one, other) = (history.operations[first], history.operations[second])
    doubled.add(
      subject: parameters.layout.name(other.entity), step: second,
      seen: "w\(one.process) and w\(other.process) both \(what), as rows \(one.object) and \(other.object), at steps "
        + "\(first) and \(second)")
  }
}

extension CheckParameters {
  /// Whether a merge policy joins new rows that have one key: of an entity with a unique one.
  func joinsRows(of entity: UInt16) -> Bool {
    layout.entity(entity)?.hasUniqueKey == true && mergePolicy != nil && mergePolicy != "error"
  }
}
