import SQLite
import Scheduling

/// What goes wrong with the connections of stores, as a full disk or another process may bring about; for the harness.
package enum StoreFaults {
  /// Makes a plan; each connection gets one of its own.
  package typealias Maker = @Sendable () -> FaultPlan

  private static let maker = Locked<Maker?>(nil)

  /// Gives the writing connection of every store opened from now on a plan; with nil none.
  package static func install(_ new: Maker?) { maker.withLock { $0 = new } }

  static func attach(to connection: Connection) {
    if let make = maker.current { connection.faults = make() }
  }
}

/// How a save reaches the contexts that merge by themselves; for the harness.
package enum DeliveryHooks {
  /// Delivers now, later or more than once, by calling what it is given; on any thread.
  package typealias Handler = @Sendable (_ deliver: @escaping @Sendable () -> Void) -> Void

  private static let handler = Locked<Handler?>(nil)

  /// Sets what is called with every delivery; with nil each is made at once.
  package static func onDelivery(_ new: Handler?) { handler.withLock { $0 = new } }

  static func deliver(_ delivery: @escaping @Sendable () -> Void) {
    if let handler = handler.current { handler(delivery) } else { delivery() }
  }
}
