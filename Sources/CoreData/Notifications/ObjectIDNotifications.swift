import Synchronization

extension Notification.Name {
  /// A context saved; the user info has the IDs of the objects inserted, updated and deleted. Posted on its queue, in the
  /// thread of the save, after `NSManagedObjectContextDidSave`; from the first time that this name is asked for.
  public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
    ObjectIDNotifications.want()
    return ObjectIDNotifications.didSave
  }

  /// A context merged another one's save; the user info has the IDs of the objects that were inserted, updated and
  /// deleted there. Posted on its queue, after `NSManagedObjectContextObjectsDidChange`; from the first time that this
  /// name is asked for.
  public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
    ObjectIDNotifications.want()
    return ObjectIDNotifications.didMerge
  }
}

/// User-info key: the `Set<NSManagedObjectID>` of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// User-info key: the `Set<NSManagedObjectID>` of changed objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// User-info key: the `Set<NSManagedObjectID>` of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// User-info key: the `Set<NSManagedObjectID>` of objects brought up to the store's values.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// User-info key: the `Set<NSManagedObjectID>` of objects that are valid no more.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

/// The notifications that carry object IDs: a save of many objects would pay for sets of IDs that are not used, and a
/// notification centre does not tell whether it has observers. So none is made before one of their names is read.
enum ObjectIDNotifications {
  static let didSave = Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
  static let didMerge = Notification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  private static let wanted = Atomic<Bool>(false)

  static var areWanted: Bool { wanted.load(ordering: .relaxed) }

  static func want() { wanted.store(true, ordering: .relaxed) }
}
