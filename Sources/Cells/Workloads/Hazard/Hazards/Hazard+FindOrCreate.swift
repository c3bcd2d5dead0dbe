import Checking
import CoreData

extension Hazard {
  /// Two contexts look for a key, find nothing, and both make a row for it.
  static let findOrCreate = Hazard(
    "duplicate-record", "Two contexts find no row for a key and both make one; the key has no uniqueness constraint.",
    schema: KeyedSchema.tag, carefulSchema: KeyedSchema.uniqueTag,
    careless: makeTwice, careful: makeTwice)

  private static let makeTwice: Script = { stage in
    let (first, second) = (try KeyedParticipant("first", "Tag", stage), try KeyedParticipant("second", "Tag", stage))
    let key = Int64(stage.round + 1)
    for actor in [first, second] { record(.invoke, key, actor) }
    for actor in [first, second] { try findOrInsert(key, actor) }
    for actor in [first, second] {
      // With the constraint the second one is refused, and finds the row of the first.
      while try actor.context.performAndWait({ try actor.save() }) != nil {
        record(.fail, key, actor)
        record(.invoke, key, actor)
        try findOrInsert(key, actor)
      }
      let row = try actor.context.performAndWait { try actor.heldRow(key).objectID.primaryKey }
      record(.ok, key, actor, row: row)
    }
  }

  private static func findOrInsert(_ key: Int64, _ actor: KeyedParticipant) throws {
    try actor.context.performAndWait {
      if try actor.freshRows([key]).isEmpty { _ = KeyedRow.insert("Tag", number: key, into: actor.context) }
    }
  }

  private static func record(_ type: OperationType, _ key: Int64, _ actor: KeyedParticipant, row: Int64 = 0) {
    actor.history.record(
      type, .findOrCreate, entity: KeyedSchema.entityNumber, key: key, context: actor.number, object: row)
  }
}
