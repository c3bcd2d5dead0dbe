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

  package init(
    guardedTouches: Int = 0, faultsFired: Int = 0, waitsSeen: Int = 0, nestedEntries: Int = 0, inversesChecked: Int = 0,
    heartbeats: Int = 0
  ) {
    self.guardedTouches = guardedTouches
    self.faultsFired = faultsFired
    self.waitsSeen = waitsSeen
    self.nestedEntries = nestedEntries
    self.inversesChecked = inversesChecked
    self.heartbeats = heartbeats
  }
}
