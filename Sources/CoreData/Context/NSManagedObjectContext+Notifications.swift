import RowStore

extension NSManagedObjectContext {
  /// `Notification.Name.NSManagedObjectContextWillSave` under Apple's newer name.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// `Notification.Name.NSManagedObjectContextDidSave` under Apple's newer name.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// `Notification.Name.NSManagedObjectContextObjectsDidChange` under Apple's newer name.
  public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange

  /// `Notification.Name.NSManagedObjectContextDidSaveObjectIDs` under Apple's newer name.
  public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
  /// `Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs` under Apple's newer name.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    .NSManagedObjectContextDidMergeChangesObjectIDs
  }
}

extension ObjectSets {
  /// Tells a context's fetched results controllers, and posts `ObjectsDidChange`; nothing when there is nothing to tell.
  ///
  /// - Parameter unseen: only for the controllers: objects that changed in the store and are not in use here.
  /// - Parameter isMerge: whether another context has changed the objects.
  func postChange(
    of context: NSManagedObjectContext, unseen: ContiguousArray<NSManagedObject> = [], isMerge: Bool = false
  ) {
    if !context.trackers.isEmpty { context.trackers.tell(self, unseen: unseen) }
    guard !isEmpty else { return }
    var info = userInfo
    // Not documented, and read by libraries that tell a merged deletion from the context's own.
    if isMerge { info["NSObjectsChangedByMergeChangesKey"] = all }
    NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: context, userInfo: info)
  }
}

extension ObjectIDNotifications {
  /// Posts a save's notification with the IDs of the objects in `sets`, where it has observers.
  static func post(_ sets: ObjectSets, _ record: SaveRecord, from context: NSManagedObjectContext) {
    guard areWanted else { return }
    func ids(_ objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> { Set(objects.map(\.objectID)) }
    post(didSave, context, record, ids(sets.inserted), ids(sets.updated), ids(sets.deleted))
  }

  /// Posts a merge's notification with the IDs in `record` and those of refreshed objects, where it has observers.
  static func postMerged(
    _ record: SaveRecord, refreshed: ContiguousArray<NSManagedObject>, from context: NSManagedObjectContext
  ) {
    guard areWanted, let registry = context.registry else { return }
    func ids(_ entries: ContiguousArray<SavedRow>) -> Set<NSManagedObjectID> {
      Set(
        entries.map { entry in
          NSManagedObjectID(
            key: entry.key, layout: entry.layout, store: registry.identities.identity(of: entry.key),
            model: registry.model)
        })
    }
    post(
      didMerge, context, record, ids(record.inserted), ids(record.updated), ids(record.deleted),
      refreshed: Set(refreshed.map(\.objectID)))
  }

  private static func post(
    _ name: Notification.Name, _ context: NSManagedObjectContext, _ record: SaveRecord,
    _ inserted: Set<NSManagedObjectID>,
    _ updated: Set<NSManagedObjectID>, _ deleted: Set<NSManagedObjectID>, refreshed: Set<NSManagedObjectID> = []
  ) {
    var info: [AnyHashable: Any] = [SaveRecord.userInfoKey: record]
    if !inserted.isEmpty { info[NSInsertedObjectIDsKey] = inserted }
    if !updated.isEmpty { info[NSUpdatedObjectIDsKey] = updated }
    if !deleted.isEmpty { info[NSDeletedObjectIDsKey] = deleted }
    if !refreshed.isEmpty { info[NSRefreshedObjectIDsKey] = refreshed }
    NotificationCenter.default.post(name: name, object: context, userInfo: info)
  }
}
