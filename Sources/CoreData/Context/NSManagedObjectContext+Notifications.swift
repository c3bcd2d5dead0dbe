import RowStore

extension NSManagedObjectContext {
  /// `Notification.Name.NSManagedObjectContextWillSave` under Apple's newer name.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// `Notification.Name.NSManagedObjectContextDidSave` under Apple's newer name.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// `Notification.Name.NSManagedObjectContextObjectsDidChange` under Apple's newer name.
  public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
}

extension NSManagedObjectContext {
  /// `Notification.Name.NSManagedObjectContextDidSaveObjectIDs` under Apple's newer name.
  public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
  /// `Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs` under Apple's newer name.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    .NSManagedObjectContextDidMergeChangesObjectIDs
  }
}

extension NSManagedObjectContext {
  /// Tells the context's fetched results controllers, and posts a notification; nothing when there is nothing to tell.
  ///
  /// - Parameter unseen: only for the controllers: objects that changed in the store and are not in use here.
  /// - Parameter isMerge: whether another context has changed the objects.
  final func post(
    _ name: Notification.Name, _ sets: ObjectSets, unseen: ContiguousArray<NSManagedObject> = [], isMerge: Bool = false
  ) {
    if !trackers.isEmpty { tellTrackers(sets, unseen: unseen) }
    guard !sets.isEmpty else { return }
    var info = sets.userInfo
    // Not documented, and read by libraries that tell a merged deletion from the context's own.
    if isMerge { info["NSObjectsChangedByMergeChangesKey"] = sets.all }
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }

  /// Posts a notification with the IDs in `record`, where they have observers.
  final func postObjectIDs(
    _ name: Notification.Name, _ record: SaveRecord, refreshed: ContiguousArray<NSManagedObject> = []
  ) {
    guard ObjectIDNotifications.areWanted, let registry else { return }
    var info: [AnyHashable: Any] = [SaveRecord.userInfoKey: record]
    func add(_ entries: ContiguousArray<SavedRow>, _ key: String) {
      guard !entries.isEmpty else { return }
      info[key] = Set(
        entries.map { entry in
          NSManagedObjectID(
            key: entry.key, layout: entry.layout, store: registry.identities.identity(of: entry.key),
            model: registry.model)
        })
    }
    add(record.inserted, NSInsertedObjectIDsKey)
    add(record.updated, NSUpdatedObjectIDsKey)
    add(record.deleted, NSDeletedObjectIDsKey)
    if !refreshed.isEmpty { info[NSRefreshedObjectIDsKey] = Set(refreshed.map(\.objectID)) }
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }
}
