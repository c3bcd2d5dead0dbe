import CoreData

/// One edit and its save in a context; on the context's queue or thread.
struct UnitOfWork {
  let context: NSManagedObjectContext
  /// What the save reaches: the file, or for a child context its parent.
  var stage = WriteStage.durable
  var resetsAfterSave = false

  /// Edits and saves; rolls back what an error leaves.
  func run(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
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
