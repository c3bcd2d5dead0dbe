/// What a notification that somebody built, or another process sent, says was saved.
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

  /// The same as a coordinator's contexts merge it, with the rows that the store has now.
  ///
  /// - Parameter contexts: whose objects are all to be read again where the user info says that all are invalid.
  func record(_ coordinator: NSPersistentStoreCoordinator, contexts: [NSManagedObjectContext]) -> SaveRecord {
    func entries(_ change: Change) -> ContiguousArray<SaveRecord.Entry> {
      ContiguousArray(
        change.keys.flatMap { Self.elements(userInfo[$0]) }.compactMap { Self.entry($0, coordinator) })
    }
    var updated = entries(.updated)
    if userInfo[NSInvalidatedAllObjectsKey] != nil {
      for object in contexts.flatMap({ $0.registry?.objects.objects ?? [] }) {
        updated.append(SaveRecord.Entry(key: object.key, layout: object.layout, row: nil))
      }
    }
    return coordinator.reread(
      SaveRecord(
        source: nil, family: nil, model: coordinator.managedObjectModel, inserted: entries(.inserted),
        updated: updated,
        deleted: entries(.deleted)))
  }

  /// Objects, IDs or URIs, however they were put together.
  private static func elements(_ value: Any?) -> [Any] {
    switch value {
    case let array as [Any]: array
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<NSManagedObjectID>: Array(set)
    case let set as Set<URL>: Array(set)
    case let set as NSSet: set.allObjects
    case let set as Set<AnyHashable>: set.map(\.base)
    default: []
    }
  }

  /// Nil for what is in another store, or was never saved.
  private static func entry(_ element: Any, _ coordinator: NSPersistentStoreCoordinator) -> SaveRecord.Entry? {
    let id: NSManagedObjectID? =
      switch element {
      case let object as NSManagedObject: object.objectID
      case let id as NSManagedObjectID: id
      case let url as URL: coordinator.managedObjectID(forURIRepresentation: url)
      default: nil
      }
    guard let id else { return nil }
    if id.key > 0, coordinator.stores.store(of: id.key) == nil { return nil }
    return coordinator.layout.entitiesByName[id.layout.name].map {
      SaveRecord.Entry(key: id.key, layout: $0, row: nil)
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// A save of another coordinator or process, with the rows that the store has now; the row cache has them afterwards.
  ///
  /// Nothing of what it did to stores that are not open here. What was deleted and is there again counts as updated.
  final func reread(_ record: SaveRecord) -> SaveRecord {
    func own(_ entries: ContiguousArray<SaveRecord.Entry>) -> [(key: Int64, layout: EntityLayout)] {
      entries.compactMap { entry in
        guard entry.key < 0 || stores.store(of: entry.key) != nil else { return nil }
        return layout.entitiesByName[entry.layout.name].map { (entry.key, $0) }
      }
    }
    let (inserted, updated, deleted) = (own(record.inserted), own(record.updated), own(record.deleted))
    // A store that cannot be read now has nothing to tell; the next fetch reports its error.
    let rows = (try? refreshRows(inserted + updated + deleted)) ?? [:]
    func entries(_ objects: [(key: Int64, layout: EntityLayout)], areThere: Bool? = nil) -> ContiguousArray<
      SaveRecord.Entry
    > {
      ContiguousArray(
        objects.compactMap { key, layout in
          let row = rows[RowIdentity(key: key, layout: layout)]
          if let areThere, (row != nil) != areThere { return nil }
          return SaveRecord.Entry(key: key, layout: row?.layout ?? layout, row: row)
        })
    }
    return SaveRecord(
      source: record.source, family: family, model: managedObjectModel, inserted: entries(inserted),
      updated: entries(updated) + entries(deleted, areThere: true), deleted: entries(deleted, areThere: false))
  }
}
