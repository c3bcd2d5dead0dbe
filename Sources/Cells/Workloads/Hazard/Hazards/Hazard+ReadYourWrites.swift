import CoreData
import Scheduling

extension Hazard {
  /// A client saves through its writer, and does not find it on main, since nothing is merged there.
  ///
  /// Whether main merges is the scenario's.
  static let readYourWrites = Hazard(
    "read-your-writes", "A client saves in the background and reads it back on main, which never merges.",
    schema: KeyedSchema.counter, careless: raiseAndReadOnMain, careful: raiseAndReadOnMain)

  private static let raiseAndReadOnMain: Script = { stage in
    let key = Int64(stage.round + 1)
    let client = try KeyedParticipant("client", "Counter", stage, context: stage.main)
    try client.insert(key..<key + 1, value: 1)
    try client.readVersion(key)
    client.beginUpdate(key)
    try raise(key, client, through: try stage.session.strategy.makeWriter(named: "client"))
    client.history.record(.invoke, .drained)
    let current = Latch(label: "main is current")
    stage.session.strategy.whenMainIsCurrent { current.open() }
    current.wait()
    client.history.record(.ok, .drained)
    try client.readVersion(key)
  }
}
