/// Counts of the child process, by which a check without findings is "held" or "not exercised".
package struct CheckCounters: Codable, Sendable, Hashable {
  /// Touches of contexts and objects that concurrency debugging checked.
  package var guardedTouches = 0
  /// Faults that fired.
  package var faultsFired = 0
  /// Waits that the wait-for graph saw.
  package var waitsSeen = 0
  /// Nested entries into queues, checked for their order.
  package var nestedEntries = 0
  /// Objects with relationships that were compared with the other side.
  package var inversesChecked = 0
  /// Objects compared with their saved values.
  package var valuesCompared = 0
  /// Ticks of the main queue's heartbeat that came, late or not.
  package var heartbeats = 0
  /// IDs that were handed from one context to another, and resolved there.
  package var idsHandedOver = 0
  /// Relationships that were set to an object which came from another context by its ID.
  package var objectsJoined = 0
  /// Changes and saves of contexts that were inspected because main is read-only.
  package var writesLookedAt = 0
  /// Contexts that were checked for their release.
  package var contextsReleased = 0
  /// Observers that were checked for their removal.
  package var observersRemoved = 0
  /// Changes that a fetched results controller reported and that were replayed.
  package var controllerChanges = 0
  /// Views of a reader that were compared with their first state.
  package var viewsCompared = 0
  /// Looks at the write-ahead log, where the scenario has a budget for it.
  package var logSamples = 0
  /// Processes killed while they saved, with the store checked afterwards.
  package var kills = 0
  /// Kills between the beginning of a save and its acknowledgement.
  package var killsInSaves = 0
  /// Copies of stores that were read.
  package var copiesRead = 0
  /// Saves that were tried on a store after another one had replaced it.
  package var savesToReplacedStores = 0
  /// Saves of a new row with a unique key that a concurrent save had taken.
  package var collisions = 0

  /// Nothing was counted.
  package init() {}

  /// One thing was counted.
  package init(_ counter: WritableKeyPath<CheckCounters, Int>, _ number: Int) {
    precondition(number >= 0, "a counter counts up")
    self.init()
    self[keyPath: counter] = number
  }

  /// Adds the counts of another process of the cell.
  package mutating func add(_ other: CheckCounters) {
    guardedTouches += other.guardedTouches
    faultsFired += other.faultsFired
    waitsSeen += other.waitsSeen
    nestedEntries += other.nestedEntries
    inversesChecked += other.inversesChecked
    valuesCompared += other.valuesCompared
    heartbeats += other.heartbeats
    idsHandedOver += other.idsHandedOver
    objectsJoined += other.objectsJoined
    writesLookedAt += other.writesLookedAt
    contextsReleased += other.contextsReleased
    observersRemoved += other.observersRemoved
    controllerChanges += other.controllerChanges
    viewsCompared += other.viewsCompared
    logSamples += other.logSamples
    kills += other.kills
    killsInSaves += other.killsInSaves
    copiesRead += other.copiesRead
    savesToReplacedStores += other.savesToReplacedStores
    collisions += other.collisions
  }
}
