/// To write the changes of a context.
///
/// Contexts save by themselves: neither `NSManagedObjectContext.execute(_:)` nor a coordinator carries one out.
/// - SeeAlso: Apple, "NSSaveChangesRequest".
open nonisolated class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  public final let insertedObjects: Set<NSManagedObject>?
  /// The objects to change.
  public final let updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  public final let deletedObjects: Set<NSManagedObject>?
  /// The unchanged objects to be checked for a newer version.
  public final let lockedObjects: Set<NSManagedObject>?

  /// Makes a request.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  /// The kind of this request.
  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSSaveChangesRequest(
      inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
    copy.affectedStores = affectedStores
    return copy
  }
}
