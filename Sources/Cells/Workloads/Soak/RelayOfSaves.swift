import CoreData

/// Merges the saves of contexts into others by their notifications, until it is ended; on the main thread.
final class RelayOfSaves {
  /// A notification on its way to another context, which only takes the IDs from it.
  private struct Sent: @unchecked Sendable {
    // Sendable: its objects are not touched but for their IDs.
    let notification: Notification
  }

  private var observers: [any NSObjectProtocol] = []
  private let environment: StrategyEnvironment

  init(_ environment: StrategyEnvironment) { self.environment = environment }

  func relay(from source: NSManagedObjectContext, to next: NSManagedObjectContext) {
    observers.append(
      environment.addObserver(forName: .NSManagedObjectContextDidSave, object: source) { [environment] notification in
        let sent = Sent(notification: notification)
        environment.deliver { next.perform { next.mergeChanges(fromContextDidSave: sent.notification) } }
      })
  }

  func end() {
    for observer in observers { environment.removeObserver(observer) }
    observers = []
  }
}
