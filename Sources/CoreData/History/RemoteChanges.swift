import RowStore

/// Option: whether `NSPersistentStoreRemoteChange` is posted after commits to the store.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = StoreOptions.Key.remoteChange
/// User-info key: the URL of the store that was changed.
public let NSPersistentStoreURLKey = "storeURL"
/// User-info key: the `NSPersistentHistoryToken` of the point after the last transaction; only of a store with history.
public let NSPersistentHistoryTokenKey = "historyToken"

extension Notification.Name {
  /// A store was changed: by this coordinator, another one, or another process. The object is the coordinator; the user info
  /// has the store's UUID and URL, and the token of its history.
  ///
  /// Posted on a queue of its own, soon after the commit. Commits that follow each other closely may be one notification; after
  /// the last one there is one.
  public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}

extension NSPersistentStore {
  /// Begins to post the store's changes, where its options want that.
  final func watchChanges(of sqlite: SQLiteStore) {
    guard sqlite.options.isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey) else { return }
    do {
      try sqlite.watch { [weak self] in self?.postRemoteChange() }
    } catch {
      Warning.write("the changes of \(sqlite.place.label) cannot be watched: \(error)")
    }
  }

  private final func postRemoteChange() {
    guard let coordinator = persistentStoreCoordinator, let url else { return }
    var info: [AnyHashable: Any] = [NSStoreUUIDKey: sqlite.identity.uuid, NSPersistentStoreURLKey: url]
    info[NSPersistentHistoryTokenKey] = coordinator.currentPersistentHistoryToken(fromStores: [self])
    // Reading the token takes a while, in which the store may be removed.
    guard persistentStoreCoordinator === coordinator else { return }
    NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
  }
}
