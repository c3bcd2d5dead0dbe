import CoreData

/// Edits and saves main itself, on the main thread.
final class MainWriter: StrategyWriter {
  private let context: NSManagedObjectContext
  private let environment: StrategyEnvironment

  init(context: NSManagedObjectContext, environment: StrategyEnvironment) {
    precondition(context.concurrencyType == .mainQueueConcurrencyType, "a writer on main has main's context")
    self.context = context
    self.environment = environment
  }

  func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
    try context.performAndWait {
      do {
        try environment.measure(.edit) { try edit(context) }
        reached(.edited)
        try environment.measure(.save) { try context.save() }
      } catch {
        context.rollback()
        throw error
      }
      reached(.durable)
    }
  }
}
