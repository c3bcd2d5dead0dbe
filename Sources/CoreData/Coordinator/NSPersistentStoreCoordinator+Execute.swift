import Scheduling

extension NSPersistentStoreCoordinator {
  /// Carries out a request for a context, on the context's queue.
  ///
  /// - Returns: of a fetch request the array of what it fetched, else what `NSManagedObjectContext.execute(_:)` gives.
  /// - Throws: as that does; 134070 where the context is of another coordinator.
  public final func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw NSError.coreData(
        NSPersistentStoreOperationError, "\(context.label) is a context of another coordinator; use its own.")
    }
    return try context.execute(request)
  }

  /// Writes past all contexts, in the writer's turn.
  final func batch(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext,
    _ body: (SQLiteStore) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    try turn.sync { try body(try store(for: context)) }
  }
}
