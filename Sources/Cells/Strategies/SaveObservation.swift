import CoreData

/// Hears of a context's saves, on the saving thread, for as long as it lives.
final class SaveObservation: Sendable {
  private let environment: StrategyEnvironment
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  init(
    of context: NSManagedObjectContext, _ environment: StrategyEnvironment,
    _ onSave: @escaping @Sendable (Notification) -> Void
  ) {
    self.environment = environment
    token = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: context, using: onSave)
  }

  deinit { environment.removeObserver(token) }
}
