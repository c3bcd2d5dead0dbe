import Scheduling
import RowStore

extension NSPersistentStoreCoordinator {
  /// Carries out a request for a context, on the context's queue.
  ///
  /// - Returns: of a fetch request the array of its results, else the result of `NSManagedObjectContext.execute(_:)`.
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
  /// them that are wanted, each in a transaction of its own; all are written before the first is committed.
  ///
  /// - Throws: 134030 before anything is written when one of the stores is read-only; 134040 with those that were not
  ///   changed under `NSAffectedStoresErrorKey` when only some could be committed.
  final func batch(
    among affected: [NSPersistentStore]?, of entity: EntityLayout, _ body: (SQLiteStore) throws -> OpenBatch
  ) throws -> BatchOutcome {
    try turn.sync {
      let stores = try stores(for: entity, among: affected)
      for store in stores { try store.requireWritable() }
      return try write(to: stores, body)
    }
  }

  /// Writes new rows past all contexts: to the first store that can be written.
  final func batchInsert(
    _ request: NSPersistentStoreRequest, of entity: EntityLayout, _ body: (SQLiteStore) throws -> OpenBatch
  ) throws -> BatchOutcome {
    try turn.sync {
      let stores = try stores(for: entity, among: request.affectedStores).filter { $0.takes(entity) }
      return try write(to: (stores.first { !$0.options.isReadOnly } ?? stores.first).map { [$0] } ?? [], body)
    }
  }

  /// Writes past all contexts to the stores of these objects, or to those among them that are wanted.
  final func batch(
    _ objectIDs: [NSManagedObjectID], among affected: [NSPersistentStore]?, _ body: (SQLiteStore) throws -> OpenBatch
  ) throws -> BatchOutcome {
    try turn.sync {
      var stores: [SQLiteStore] = []
      for id in objectIDs {
        let store = try store(of: id.key)
        if !stores.contains(where: { $0 === store }) { stores.append(store) }
      }
      if let affected {
        let wanted = self.stores.all.filter { entry in affected.contains { $0 === entry.store } }.map(\.sqlite)
        stores.removeAll { store in !wanted.contains { $0 === store } }
      }
      for store in stores { try store.requireWritable() }
      return try write(to: stores, body)
    }
  }

  private final func write(to stores: [SQLiteStore], _ body: (SQLiteStore) throws -> OpenBatch) throws -> BatchOutcome {
    guard let first = stores.first else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "No open store has objects of the request's entity, or affectedStores leaves none of them.")
    }
    guard stores.count > 1 else {
      let batch = try body(first)
      try first.commit(batch)
      return BatchOutcome([batch], layout)
    }
    // Begun in one order whatever the coordinator, so that two of them never wait for each other's files.
    var batches: [StoreTag: OpenBatch] = [:]
    do {
      for store in stores.sorted(by: { $0.identity.uuid < $1.identity.uuid }) { batches[store.tag] = try body(store) }
    } catch {
      for batch in batches.values { batch.store.rollBack() }
      throw error
    }
    let written = stores.compactMap { batches[$0.tag] }
    for (position, batch) in written.enumerated() {
      do {
        try batch.store.commit(batch)
      } catch {
        for later in written[(position + 1)...] { later.store.rollBack() }
        throw position == 0 ? error : partialBatch(error, lacking: written[position...].map(\.store))
      }
    }
    return BatchOutcome(written, layout)
  }

  private final func partialBatch(_ error: any Error, lacking stores: [SQLiteStore]) -> NSError {
    let names = stores.map(\.place.label).joined(separator: ", ")
    return NSError.coreData(
      NSPersistentStoreIncompleteSaveError,
      "The batch request was carried out in only some of its stores, and not in \(names): "
        + (error as NSError).localizedDescription,
      underlying: error,
      userInfo: [
        NSAffectedStoresErrorKey: self.stores.all.filter { entry in stores.contains { $0 === entry.sqlite } }
          .map(\.store)
      ])
  }
}
