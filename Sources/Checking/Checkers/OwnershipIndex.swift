/// The owners of rows, by the inserts of a history that record them: acknowledged ones, and indeterminate ones, which may
/// have given a row another owner.
struct OwnershipIndex {
  private var inserts: [UInt16: StepIndex] = [:]
  private let layout: StoreLayout
  private let history: History

  init(_ history: History, _ layout: StoreLayout) {
    self.history = history
    self.layout = layout
    inserts = history.steps(of: .insert) { ($0.type == .ok || $0.type == .info) && $0.value != 0 }.mapValues {
      StepIndex($0, of: history)
    }
  }

  /// The row, its owners, their owners, and so on, as far as the history says.
  func chain(from key: Int64, of entity: EntityLayout) -> [RowKey] {
    var found = [RowKey(entity: entity.number, key: key)]
    var next = 0
    while next < found.count {
      let row = found[next]
      next += 1
      guard let steps = inserts[row.entity]?.steps(containing: row.key), !steps.isEmpty,
        let references = layout.entity(row.entity)?.references
      else { continue }
      for entity in references.filter({ $0.need != .optional }).flatMap(\.entities) {
        for step in steps {
          let owner = RowKey(entity: entity, key: history.operations[step].value)
          if !found.contains(owner) { found.append(owner) }
        }
      }
    }
    return found
  }
}
