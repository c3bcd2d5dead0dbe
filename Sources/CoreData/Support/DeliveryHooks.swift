import Scheduling

/// How a save reaches the contexts that merge by themselves; for the harness.
package enum DeliveryHooks {
  /// Delivers now, later or more than once, by calling its argument; on any thread.
  package typealias Handler = @Sendable (_ deliver: @escaping @Sendable () -> Void) -> Void

  private static let handler = Locked<Handler?>(nil)

  /// Sets the handler of every delivery; with nil each is made at once.
  package static func onDelivery(_ new: Handler?) { handler.withLock { $0 = new } }

  static func deliver(_ delivery: @escaping @Sendable () -> Void) {
    if let handler = handler.current { handler(delivery) } else { delivery() }
  }
}
