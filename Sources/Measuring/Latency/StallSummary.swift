/// How late a thread was for the ticks of a heartbeat, each from the instant at which it was due.
package struct StallSummary: Codable, Sendable, Hashable {
  /// Ticks that were due, those included that were missed while the thread was held.
  package var ticks: UInt64
  /// Of these, later than the distance between two ticks.
  package var late: UInt64
  /// Lateness of all of them.
  package var lateness: LatencySummary

  /// Makes a summary of numbers measured elsewhere.
  package init(ticks: UInt64, late: UInt64, lateness: LatencySummary) {
    self.ticks = ticks
    self.late = late
    self.lateness = lateness
  }
}
