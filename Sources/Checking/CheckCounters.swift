/// What the child process counted, so that a check without findings can tell "held" from "not exercised".
package struct CheckCounters: Codable, Sendable, Hashable {
  /// Touches of contexts and objects that concurrency debugging looked at.
  package var guardedTouches: Int
  /// Faults that fired.
  package var faultsFired: Int
  /// Waits that the wait-for graph saw.
  package var waitsSeen: Int
  /// Entries into a queue inside another, whose order was looked at.
  package var nestedEntries: Int
  /// Objects whose relationships were compared with the other side.
  package var inversesChecked: Int
  /// Ticks of the main queue's heartbeat that came, late or not.
  package var heartbeats: Int
  /// IDs that were handed from one context to another, and resolved there.
  package var idsHandedOver: Int
  /// Relationships that were set to an object which came from another context by its ID.
  package var objectsJoined: Int
  /// Changes and saves of contexts that were looked at because main is read-only.
  package var writesLookedAt: Int
  /// Contexts of which it was looked at whether they live on.
  package var contextsReleased: Int
  /// Observers of which it was looked at whether they were removed.
  package var observersRemoved: Int
  /// Changes that a fetched results controller told of and that were replayed.
  package var controllerChanges: Int
  /// Processes that were killed while they saved, and whose store was looked at.
  package var kills: Int
  /// Kills between the beginning of a save and its acknowledgement.
  package var killsInSaves: Int

  package init(
    guardedTouches: Int = 0, faultsFired: Int = 0, waitsSeen: Int = 0, nestedEntries: Int = 0, inversesChecked: Int = 0,
    heartbeats: Int = 0, idsHandedOver: Int = 0, objectsJoined: Int = 0, writesLookedAt: Int = 0,
    contextsReleased: Int = 0, observersRemoved: Int = 0, controllerChanges: Int = 0, kills: Int = 0,
    killsInSaves: Int = 0
  ) {
    self.guardedTouches = guardedTouches
    self.faultsFired = faultsFired
    self.waitsSeen = waitsSeen
    self.nestedEntries = nestedEntries
    self.inversesChecked = inversesChecked
    self.heartbeats = heartbeats
    self.idsHandedOver = idsHandedOver
    self.objectsJoined = objectsJoined
    self.writesLookedAt = writesLookedAt
    self.contextsReleased = contextsReleased
    self.observersRemoved = observersRemoved
    self.controllerChanges = controllerChanges
    self.kills = kills
    self.killsInSaves = killsInSaves
  }
}
