import CoreData

extension Hazard {
  /// Main shows values that a child pushed to it, and then they are rolled back.
  static let dirtyRead = Hazard(
    "dirty-read", "Main shows values that a child pushed, and then rolls back instead of saving.",
    schema: KeyedSchema.counter,
    careless: { try push($0, saves: false) },
    careful: { try push($0, saves: true) })

  /// The same, and main keeps showing the row.
  static let nonMonotonicRead = Hazard(
    "non-monotonic-read", "Main goes back to an older version, since it rolls back what a child pushed.",
    schema: KeyedSchema.counter,
    careless: { try push($0, saves: false) },
    careful: { try push($0, saves: true) })

  private static func push(_ stage: HazardStage, saves: Bool) throws {
    let key = Int64(stage.round + 1)
    let main = try KeyedParticipant("main", "Counter", stage, context: stage.main)
    let child = try KeyedParticipant("child", "Counter", stage)
    try child.insert(key..<key + 1, value: 1)
    try main.readVersion(key)
    child.beginUpdate(key)
    let version = try child.context.performAndWait {
      let row = try child.freshRow(key)
      row.value += 1
      try child.context.save()
      return row.value
    }
    // The right way shows only the file's values.
    if saves { try main.context.performAndWait { try main.context.save() } }
    if saves { child.endUpdate(key, .ok, version: version) }
    try main.readVersion(key)
    guard !saves else { return }
    main.context.performAndWait { main.context.rollback() }
    child.endUpdate(key, .fail, version: version)
    try main.readVersion(key)
  }
}
