import Checking
import CoreData

extension Hazard {
  /// A context changes the list of a row that it read before another one changed the value, and overwrites both.
  static let wrongValue = Hazard(
    "wrong-value", "A context saves a row that it has read long before, and the policy is overwrite.",
    schema: KeyedSchema.label,
    careless: { try changeBoth($0, policy: .overwrite) },
    careful: { try changeBoth($0, policy: .mergeByPropertyObjectTrump) })

  /// A context changes a row that another one has deleted meanwhile, and the policy inserts it again.
  static let resurrectedRecord = Hazard(
    "resurrected-record", "A context saves a row that another one has deleted, and the policy is object-trump.",
    schema: KeyedSchema.label,
    careless: { try changeDeleted($0, asksAgain: false) },
    careful: { try changeDeleted($0, asksAgain: true) })

  /// A row of a round: made beforehand, and held by the second of two contexts.
  private struct Held {
    let key: Int64
    let first: NSManagedObjectContext
    let second: NSManagedObjectContext
    let row: KeyedRow

    init(_ stage: HazardStage, policy: NSMergePolicy) throws {
      key = Int64(stage.round + 1)
      first = try stage.makeContext("first")
      second = try stage.makeContext("second")
      for context in [first, second] { context.performAndWait { context.mergePolicy = policy } }
      let key = key
      try write(.insert, key, stage, in: first) { context in
        let row = KeyedRow.insert("Label", number: key, value: 1, into: context)
        row.list = [1]
        return (row, [1, "1"])
      }
      row = try second.performAndWait { [second] in try Handed(KeyedRow.fetch("Label", key: key, in: second)) }.value
      stage.keep(row)
    }
  }

  private static func changeBoth(_ stage: HazardStage, policy: NSMergePolicy) throws {
    let held = try Held(stage, policy: policy)
    try write(.update, held.key, stage, in: held.first) { context in
      let row = try KeyedRow.fetch("Label", key: held.key, in: context)
      row.value = 2
      return (row, [2, .unchanged])
    }
    try write(.update, held.key, stage, in: held.second) { _ in
      held.row.list = [1, 2]
      return (held.row, [.unchanged, "1 2"])
    }
  }

  private static func changeDeleted(_ stage: HazardStage, asksAgain: Bool) throws {
    let held = try Held(stage, policy: .mergeByPropertyObjectTrump)
    try write(.delete, held.key, stage, in: held.first) { context in
      let row = try KeyedRow.fetch("Label", key: held.key, in: context)
      context.delete(row)
      return (row, [])
    }
    let isThere = try held.second.performAndWait {
      try !asksAgain || !KeyedRow.fetch("Label", keys: [held.key], in: held.second).isEmpty
    }
    guard isThere else { return }
    try write(.update, held.key, stage, in: held.second) { _ in
      held.row.value = 3
      return (held.row, [3, .unchanged])
    }
  }

  /// Does one save and records it; `edit` returns the row and its recorded values.
  private static func write(
    _ function: OperationFunction, _ key: Int64, _ stage: HazardStage, in context: NSManagedObjectContext,
    _ edit: (NSManagedObjectContext) throws -> (KeyedRow, [RecordedValue])
  ) throws {
    let recorder = stage.recorder
    try context.performAndWait {
      recorder.record(.invoke, function, entity: KeyedSchema.entityNumber, key: key)
      let (row, values) = try edit(context)
      try context.save()
      recorder.record(.ok, function, of: row, entity: KeyedSchema.entityNumber, key: key, values: values)
    }
  }
}
