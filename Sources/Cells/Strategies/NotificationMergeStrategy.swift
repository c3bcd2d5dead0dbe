import CoreData
import Scenarios

/// Main context and private worker contexts, one per operation, share a coordinator; each worker's save is merged into
/// main on the main queue.
package final class NotificationMergeStrategy: Strategy {
  package static let name = "notification-merge"
  package static let summary = "A private context per operation beside main; each save is merged into main."
  package static let options = ["merge": "async", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let merging: MainMerging
  private let resetsAfterSave: Bool

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    resetsAfterSave = environment.settings[Keys.resetAfterSave]
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    merging = MainMerging(into: mainContext, environment)
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    ObservedWriter(context: makeReader(named: name), merging: merging, resetsAfterSave: resetsAfterSave)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = environment.container.persistentStoreCoordinator
    environment.adopt(context, name: name)
    return context
  }

  /// A worker's context, with its saves observed as long as the writer lives.
  private final class ObservedWriter: StrategyWriter {
    private let writer: DirectWriter
    private let observation: SaveObservation?

    init(context: NSManagedObjectContext, merging: MainMerging, resetsAfterSave: Bool) {
      writer = DirectWriter(context: context, resetsAfterSave: resetsAfterSave)
      observation = merging.observe(context)
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try writer.write(edit, reached: reached)
    }
  }
}
