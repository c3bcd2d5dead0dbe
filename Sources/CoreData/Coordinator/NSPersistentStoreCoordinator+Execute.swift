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
    let result = try context.execute(request)
    guard let fetched = (result as? any FinishedFetch)?.fetched else { return result }
    return fetched
  }

  /// Writes past all contexts, in the writer's turn: to every store that can have objects of an entity, or to those among
  /// them that the request names, each in a transaction of its own.
  ///
  /// - Throws: 134030 before anything is written when one of the stores is read-only.
  final func batch(
    _ request: NSPersistentStoreRequest, of entity: EntityLayout, _ body: (SQLiteStore) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    try turn.sync {
      let stores = try stores(for: entity, among: request.affectedStores)
      for store in stores { try store.requireWritable() }
      return try write(to: stores, body)
    }
  }

  /// Writes new rows past all contexts: to the first store that can be written.
  final func batchInsert(
    _ request: NSPersistentStoreRequest, of entity: EntityLayout, _ body: (SQLiteStore) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    try turn.sync {
      let stores = try stores(for: entity, among: request.affectedStores).filter { $0.takes(entity) }
      return try write(to: (stores.first { !$0.options.isReadOnly } ?? stores.first).map { [$0] } ?? [], body)
    }
  }

  /// Writes past all contexts to the stores of these objects.
  final func batch(
    _ objectIDs: [NSManagedObjectID], _ body: (SQLiteStore) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    try turn.sync {
      var stores: [SQLiteStore] = []
      for id in objectIDs {
        let store = try store(of: id.key)
        if !stores.contains(where: { $0 === store }) { stores.append(store) }
      }
      for store in stores { try store.requireWritable() }
      return try write(to: stores, body)
    }
  }

  private final func write(
    to stores: [SQLiteStore], _ body: (SQLiteStore) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    guard let first = stores.first else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "No open store has objects of the request's entity, or affectedStores leaves none of them.")
    }
    guard stores.count > 1 else { return try body(first) }
    return try stores.reduce(into: BatchOutcome()) { sum, store in
      let outcome = try body(store)
      sum.count += outcome.count
      sum.objectIDs += outcome.objectIDs
    }
  }
}
