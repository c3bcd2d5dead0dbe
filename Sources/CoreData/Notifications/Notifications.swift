extension Notification.Name {
  /// A context is about to save; the object is the context. Posted on its queue, in the thread of the save.
  public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
  /// A context saved; the user info has the objects inserted, updated and deleted. Posted on its queue, in the thread of
  /// the save, after the store has them.
  public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
  /// Objects of a context changed; the user info has the objects inserted, updated, deleted and refreshed. Posted on
  /// its queue when changes are processed.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
}

/// User-info key: the `Set<NSManagedObject>` that was inserted.
public let NSInsertedObjectsKey = "inserted"
/// User-info key: the `Set<NSManagedObject>` that was changed.
public let NSUpdatedObjectsKey = "updated"
/// User-info key: the `Set<NSManagedObject>` that was deleted.
public let NSDeletedObjectsKey = "deleted"
/// User-info key: the `Set<NSManagedObject>` of objects brought up to the store's values.
public let NSRefreshedObjectsKey = "refreshed"
/// User-info key: the `Set<NSManagedObject>` that is valid no more.
public let NSInvalidatedObjectsKey = "invalidated"
/// User-info key after a reset: the `NSManagedObjectID`s of all objects, none of which is in the context any more, as an array.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

/// The changes that one notification reports.
struct ObjectChanges {
  var inserted: ContiguousArray<NSManagedObject> = []
  var updated: ContiguousArray<NSManagedObject> = []
  var deleted: ContiguousArray<NSManagedObject> = []
  var refreshed: ContiguousArray<NSManagedObject> = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

  /// Adds objects to those that were refreshed, where no list has them already.
  mutating func addRefreshed(_ objects: ContiguousArray<NSManagedObject>) {
    guard !objects.isEmpty else { return }
    var known = Set((inserted + updated + deleted + refreshed).map(ObjectIdentifier.init))
    for object in objects where object.state.isDisjoint(with: .gone) && known.insert(ObjectIdentifier(object)).inserted
    {
      refreshed.append(object)
    }
  }

  var sets: ObjectSets {
    ObjectSets(
      inserted: Set(distinct: inserted), updated: Set(distinct: updated), deleted: Set(distinct: deleted),
      refreshed: Set(distinct: refreshed))
  }
}

/// The same as a notification has it.
struct ObjectSets {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  var refreshed: Set<NSManagedObject> = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

  var all: Set<NSManagedObject> { inserted.union(updated).union(deleted).union(refreshed) }

  init(
    inserted: Set<NSManagedObject> = [], updated: Set<NSManagedObject> = [], deleted: Set<NSManagedObject> = [],
    refreshed: Set<NSManagedObject> = []
  ) {
    (self.inserted, self.updated, self.deleted, self.refreshed) = (inserted, updated, deleted, refreshed)
  }

  /// Objects that were all inserted, updated or deleted.
  init(_ objects: Set<NSManagedObject>, _ state: ChangeState) {
    if state.contains(.deleted) {
      deleted = objects
    } else if state.contains(.inserted) {
      inserted = objects
    } else {
      updated = objects
    }
  }

  var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
    if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
    if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
    if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
    return info
  }
}
