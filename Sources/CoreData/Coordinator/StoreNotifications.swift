extension Notification.Name {
  /// A coordinator is about to exchange a store of iCloud for another; there is no iCloud here, and it is never posted.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// A coordinator opened or closed a store; the object is the coordinator, the user info has the stores. Posted in the
  /// thread that asked for it.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// A coordinator is about to close a store, which is the object. Posted in the thread that asked for it.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

/// User-info key: the `NSPersistentStore`s that are opened, as an array.
public let NSAddedPersistentStoresKey = "added"
/// User-info key: the `NSPersistentStore`s that are closed, as an array.
public let NSRemovedPersistentStoresKey = "removed"
/// User-info key of a store that was migrated: the old store, the new one, and the IDs of its objects, as an array.
public let NSUUIDChangedPersistentStoresKey = "changed"
