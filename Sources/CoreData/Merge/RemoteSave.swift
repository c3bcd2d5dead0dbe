import RowStore

/// A save as a notification reports it that was built by hand, or comes from another process.
struct RemoteSave {
  private enum Change: CaseIterable {
    case inserted, updated, deleted

    /// Keys of the user info, of objects and of IDs.
    var keys: [String] {
      switch self {
      case .inserted: [NSInsertedObjectsKey, NSInsertedObjectIDsKey]
      case .updated:
        [
          NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
          NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey,
        ]
      case .deleted: [NSDeletedObjectsKey, NSDeletedObjectIDsKey]
      }
    }
  }

  private let userInfo: [AnyHashable: Any]

  init(_ userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }

  /// Merges it into contexts on their queues, and into their ancestors before them. Any thread.
  func merge(into contexts: [NSManagedObjectContext]) {
    var roots: [(coordinator: NSPersistentStoreCoordinator, contexts: [NSManagedObjectContext])] = []
    for context in contexts {
      guard let coordinator = context.persistentStoreCoordinator else { continue }
      let position = roots.firstIndex { $0.coordinator === coordinator } ?? roots.count
      if position == roots.count { roots.append((coordinator, [])) }
      for ancestor in lineage(of: context) where !roots[position].contexts.contains(where: { $0 === ancestor }) {
        roots[position].contexts.append(ancestor)
      }
    }
    for (coordinator, contexts) in roots {
      let record = record(coordinator, contexts: contexts)
      for context in contexts {
        if context.queue.acceptsBlocks {
          context.performAndWait { SaveMerge.merge(record, into: context) }
        } else {
          context.touch("mergeChanges(fromRemoteContextSave:into:)")
          SaveMerge.merge(record, into: context)
        }
      }
    }
  }

  /// A context's ancestors from the root down, and itself.
  private func lineage(of context: NSManagedObjectContext) -> [NSManagedObjectContext] {
    (context.parentContext.map(lineage) ?? []) + [context]
  }

  /// The same as a coordinator's contexts merge it, with the rows that the store has now.
  ///
  /// - Parameter contexts: those that read all objects again where the user info says that all are invalid.
  func record(_ coordinator: NSPersistentStoreCoordinator, contexts: [NSManagedObjectContext]) -> SaveRecord {
    var own = OwnEntries(coordinator)
    func entries(_ change: Change) -> ContiguousArray<SavedRow> {
      for key in change.keys { own.addAll(userInfo[key]) }
      return own.take()
    }
    let inserted = entries(.inserted)
    var updated = entries(.updated)
    let deleted = entries(.deleted)
    if userInfo[NSInvalidatedAllObjectsKey] != nil {
      for object in contexts.flatMap({ $0.registry?.objects.objects ?? [] }) {
        updated.append(SavedRow(key: object.key, layout: object.layout, row: nil))
      }
    }
    return coordinator.reread(
      SaveRecord(
        source: nil, family: nil, model: coordinator.managedObjectModel, inserted: inserted, updated: updated,
        deleted: deleted))
  }
}

extension NSPersistentStoreCoordinator {
  /// A save of another coordinator or process, with the rows that the store has now; the row cache has them afterwards.
  ///
  /// Without its changes of stores that are not open here. A deleted row that exists again counts as updated.
  final func reread(_ record: SaveRecord) -> SaveRecord {
    var own = OwnEntries(self)
    own.add(record.inserted)
    let insertedCount = own.entries.count
    own.add(record.updated)
    let updatedCount = own.entries.count
    own.add(record.deleted)
    let deletedCount = own.entries.count
    own.add(record.derived)
    var entries = own.take()
    let rows = refreshRows(entries)
    precondition(rows.count == entries.count, "each entry was read again, or is gone")
    for (index, row) in rows.enumerated() {
      if let row { entries[index] = SavedRow(row) }
    }
    // An entry that was called deleted has a row only when it is there again.
    let deleted = entries[updatedCount..<deletedCount]
    return SaveRecord(
      source: record.source, family: family, model: managedObjectModel,
      inserted: ContiguousArray(entries[..<insertedCount]),
      updated: ContiguousArray(entries[insertedCount..<updatedCount] + deleted.lazy.filter { $0.row != nil }),
      deleted: ContiguousArray(deleted.filter { $0.row == nil }), derived: ContiguousArray(entries[deletedCount...]))
  }
}
