import CoreData

/// A context that edits and saves in one block of its own queue.
final class DirectWriter: StrategyWriter {
  private let context: NSManagedObjectContext
  private let resetsAfterSave: Bool
  private let stage: WriteStage

  /// A writer whose saves reach `stage`: the file, or for a child context its parent.
  init(context: NSManagedObjectContext, resetsAfterSave: Bool, reaching stage: WriteStage = .durable) {
    self.context = context
    self.resetsAfterSave = resetsAfterSave
    self.stage = stage
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
      reached(stage)
      if resetsAfterSave { context.reset() }
    }
  }
}
