import CoreData

extension Hazard {
  /// Two contexts read a counter, add one and save, and the second save overwrites the first.
  static let lostUpdate = Hazard(
    "lost-update", "Two contexts read, change and save the same row, and the policy is overwrite.",
    schema: KeyedSchema.counter,
    careless: { try raiseTwice($0, policy: .overwrite) },
    careful: { try raiseTwice($0, policy: .error) })

  private static func raiseTwice(_ stage: HazardStage, policy: NSMergePolicy) throws {
    let (key, first, second) = try twoActors(stage, policy: policy)
    first.beginUpdate(key)
    second.beginUpdate(key)
    let held = try second.context.performAndWait { Handed(try second.heldRow(key)) }
    try first.raise(key)
    // From its read before the first one saved; refused by the error policy, and then done again.
    try second.raise(key, from: held.value)
  }

  private static func twoActors(
    _ stage: HazardStage, policy: NSMergePolicy
  ) throws -> (key: Int64, first: KeyedParticipant, second: KeyedParticipant) {
    let key = Int64(stage.round + 1)
    let first = try KeyedParticipant("first", "Counter", stage)
    let second = try KeyedParticipant("second", "Counter", stage)
    for actor in [first, second] { actor.context.performAndWait { actor.context.mergePolicy = policy } }
    try first.insert(key..<key + 1, value: 1)
    return (key, first, second)
  }

  /// A strategy with one writer has no conflicts, so a policy that resolves them is chosen; then another context writes.
  static let secondWriter = Hazard(
    "second-writer", "A worker saves a context of its own beside the one writer that the strategy promises.",
    schema: KeyedSchema.counter,
    careless: { stage in
      let (key, first, second) = try twoActors(stage, policy: .mergeByPropertyObjectTrump)
      second.beginUpdate(key)
      let held = try second.context.performAndWait { Handed(try second.heldRow(key)) }
      try raiseThroughWriter(key, first, stage)
      try second.raise(key, from: held.value)
    },
    careful: { stage in
      let (key, first, second) = try twoActors(stage, policy: .mergeByPropertyObjectTrump)
      second.beginUpdate(key)
      try raiseThroughWriter(key, first, stage)
      try raise(key, second, through: try stage.session.strategy.makeWriter(named: "second"))
    })

  private static func raiseThroughWriter(_ key: Int64, _ actor: KeyedParticipant, _ stage: HazardStage) throws {
    actor.beginUpdate(key)
    try raise(key, actor, through: try stage.session.strategy.makeWriter(named: "first"))
  }

  /// Does an update that was begun in a unit of the strategy's writer.
  static func raise(_ key: Int64, _ actor: KeyedParticipant, through writer: any StrategyWriter) throws {
    var version: Int64 = 0
    try writer.write { context in
      let row = try KeyedRow.fetch("Counter", key: key, in: context)
      row.value += 1
      version = row.value
    } reached: { _ in
    }
    actor.endUpdate(key, .ok, version: version)
  }
}
