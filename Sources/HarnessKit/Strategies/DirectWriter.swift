import CoreData

/// A context on the coordinator that edits and saves in one block of its own queue.
final class DirectWriter: StrategyWriter {
  private let context: NSManagedObjectContext
  private let resetsAfterSave: Bool

  init(context: NSManagedObjectContext, resetsAfterSave: Bool) {
    self.context = context
    self.resetsAfterSave = resetsAfterSave
  }

  func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
    try context.performAndWait {
      do {
        try edit(context)
        reached(.edited)
        try context.save()
      } catch {
        context.rollback()
        throw error
      }
      reached(.durable)
      if resetsAfterSave { context.reset() }
    }
  }
}
