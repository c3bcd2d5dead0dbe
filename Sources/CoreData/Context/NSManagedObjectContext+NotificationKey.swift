extension NSManagedObjectContext {
  /// Keys of the user info of this class's notifications, under Apple's newer names.
  public enum NotificationKey: String, Sendable {
    /// The context that saved or changed.
    case sourceContext = "managedObjectContext"
    /// The query generation of the save; not filled so far.
    case queryGeneration = "newQueryGeneration"
    /// `NSInvalidatedAllObjectsKey`.
    case invalidatedAllObjects = "invalidatedAll"
    /// `NSInsertedObjectsKey`.
    case insertedObjects = "inserted"
    /// `NSUpdatedObjectsKey`.
    case updatedObjects = "updated"
    /// `NSDeletedObjectsKey`.
    case deletedObjects = "deleted"
    /// `NSRefreshedObjectsKey`.
    case refreshedObjects = "refreshed"
    /// `NSInvalidatedObjectsKey`.
    case invalidatedObjects = "invalidated"
    /// `NSInsertedObjectIDsKey`.
    case insertedObjectIDs = "inserted_objectIDs"
    /// `NSUpdatedObjectIDsKey`.
    case updatedObjectIDs = "updated_objectIDs"
    /// `NSDeletedObjectIDsKey`.
    case deletedObjectIDs = "deleted_objectIDs"
    /// `NSRefreshedObjectIDsKey`.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// `NSInvalidatedObjectIDsKey`.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}
