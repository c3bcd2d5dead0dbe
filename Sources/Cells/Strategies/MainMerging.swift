import CoreData
import Scenarios

/// How saves of contexts on main's coordinator reach main: the option `merge`.
struct MainMerging: Sendable {
  let mode: Keys.Merge
  private let main: NSManagedObjectContext
  private let environment: StrategyEnvironment

  /// Reads the option, and sets main up for it.
  init(into main: NSManagedObjectContext, _ environment: StrategyEnvironment) {
    precondition(main.concurrencyType == .mainQueueConcurrencyType, "main merges on its own queue")
    mode = environment.settings[Keys.merge]
    self.main = main
    self.environment = environment
    if mode == .automatic { main.automaticallyMergesChangesFromParent = true }
  }

  /// Has main merge the context's saves for as long as the observation lives.
  func observe(_ context: NSManagedObjectContext) -> SaveObservation? {
    guard mode == .async || mode == .sync else { return nil }
    return SaveObservation(of: context, environment) { [self] notification in
      let save = SaveNotification(notification)
      onMain { main.mergeChanges(fromContextDidSave: save.notification) }
    }
  }

  /// Merges on main, as the mode says: enqueued, or waited for.
  func onMain(_ merge: @escaping @Sendable () -> Void) {
    let measured: @Sendable () -> Void = { [environment] in environment.measure(.merge, merge) }
    if mode == .sync { main.performAndWait(measured) } else { environment.deliver { [main] in main.perform(measured) } }
  }

  /// A DidSave notification on its way to main.
  // `@unchecked`: merging reads its objects' IDs only, which any thread may.
  private struct SaveNotification: @unchecked Sendable {
    let notification: Notification

    init(_ notification: Notification) { self.notification = notification }
  }
}
