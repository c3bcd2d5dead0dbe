import CoreData

/// A context that edits and saves in one block of its own queue.
final class DirectWriter: StrategyWriter {
  private let unit: UnitOfWork

  /// A writer whose saves reach `stage`: the file, or for a child context its parent.
  init(context: NSManagedObjectContext, resetsAfterSave: Bool, reaching stage: WriteStage = .durable) {
    unit = UnitOfWork(context: context, stage: stage, resetsAfterSave: resetsAfterSave)
  }

  func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
    try unit.context.performAndWait { try unit.run(edit, reached: reached) }
  }
}
