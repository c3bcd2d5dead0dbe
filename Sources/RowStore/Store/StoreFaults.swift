import SQLite
import Scheduling

/// Faults of stores' connections, as a full disk or another process may bring about; for the harness.
package enum StoreFaults {
  /// Makes a plan; each connection gets one of its own.
  package typealias Maker = @Sendable () -> FaultPlan

  private static let maker = Locked<Maker?>(nil)

  /// Gives the writing connection of every store opened from now on a plan; with nil none.
  package static func install(_ new: Maker?) { maker.withLock { $0 = new } }

  package static func attach(to connection: Connection) {
    if let make = maker.current { connection.faults = make() }
  }
}
