import RowStore

extension NSBatchDeleteRequest {
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let wantsIDs = resultType == .resultTypeObjectIDs || ContextWatch.isOn
    let coordinator = try self.coordinator(of: context)
    let fetch = fetchRequest
    if let affectedStores { fetch.affectedStores = affectedStores }
    let (entity, selection): (EntityLayout, BatchSelection) =
      if let objectIDs {
        (try rootEntity(objectIDs), .keys { objectIDs.map(\.key) })
      } else {
        try fetch.batchSelection(in: context)
      }
    func delete(_ store: SQLiteStore) throws -> OpenBatch {
      try store.batchDelete(entity, selection, wantsRows: wantsIDs, by: HistoryStamp(of: context))
    }
    let outcome =
      if let objectIDs {
        try coordinator.batch(objectIDs, among: fetch.affectedStores, delete)
      } else {
        try coordinator.batch(among: fetch.affectedStores, of: entity, delete)
      }
    if ContextWatch.isOn { ContextWatch.tellBatch(outcome.objectIDs, isDeletion: true) }
    return NSBatchDeleteResult(outcome, resultType)
  }

  private final func rootEntity(_ objectIDs: [NSManagedObjectID]) throws -> EntityLayout {
    let root = objectIDs[0].layout.root!
    for id in objectIDs {
      guard id.layout.root === root else {
        throw NSError.coreData(
          NSCoreDataError,
          "A batch delete takes objects of one entity; \(id) is no \(root.name). Nothing was deleted.")
      }
      guard !id.isTemporaryID else {
        throw NSError.coreData(NSCoreDataError, "\(id) was never saved, and is in no store. Nothing was deleted.")
      }
    }
    return root
  }
}
