import CoreData

/// Main context and private worker contexts, one an operation, share a coordinator; each worker's save is merged into
/// main on the main queue.
package final class NotificationMergeStrategy: Strategy {
  package static let name = "notification-merge"
  package static let summary = "One private context an operation beside main; each save is merged into main."

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let merging: Merging
  private let resetsAfterSave: Bool

  /// How a save reaches main: the option `merge`.
  enum Merging: String {
    /// The merge is enqueued on main.
    case async
    /// The worker waits until main has merged.
    case sync
    /// Main never hears of it.
    case none
  }

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    merging = Merging(rawValue: environment.settings.text("merge")) ?? .async
    resetsAfterSave = environment.settings.boolean("reset_after_save")
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    ObservedWriter(
      context: makeReader(named: name), main: mainContext, merging: merging, resetsAfterSave: resetsAfterSave,
      environment: environment)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = environment.container.persistentStoreCoordinator
    environment.adopt(context, name: name)
    return context
  }

  /// A worker's context whose saves are watched for as long as the writer lives.
  private final class ObservedWriter: StrategyWriter {
    private let writer: DirectWriter
    private let environment: StrategyEnvironment
    // The token is only kept to be handed back; the notification centre locks itself.
    nonisolated(unsafe) private let token: (any NSObjectProtocol)?

    init(
      context: NSManagedObjectContext, main: NSManagedObjectContext, merging: Merging, resetsAfterSave: Bool,
      environment: StrategyEnvironment
    ) {
      writer = DirectWriter(context: context, resetsAfterSave: resetsAfterSave)
      self.environment = environment
      guard merging != .none else {
        token = nil
        return
      }
      token = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: context) { notification in
        let save = SaveNotification(notification)
        let merge: @Sendable () -> Void = {
          environment.measure(.merge) { main.mergeChanges(fromContextDidSave: save.notification) }
        }
        if merging == .sync { main.performAndWait(merge) } else { environment.deliver { main.perform(merge) } }
      }
    }

    deinit { if let token { environment.removeObserver(token) } }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try writer.write(edit, reached: reached)
    }
  }

  /// A DidSave notification on its way to main.
  // `@unchecked`: merging reads its objects' IDs only, which any thread may.
  private struct SaveNotification: @unchecked Sendable {
    let notification: Notification

    init(_ notification: Notification) { self.notification = notification }
  }
}
