/// Where a context's blocks run; raw values are Apple's.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// Only on the thread that made the context; deprecated by Apple, kept for code that predates queues.
  case confinementConcurrencyType = 0
  /// On a serial queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// On the main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// Where a context's blocks run, under Apple's newer names.
  public enum ConcurrencyType: Sendable {
    /// On a serial queue of the context's own.
    case privateQueue
    /// On the main queue.
    case mainQueue

    var concurrencyType: NSManagedObjectContextConcurrencyType {
      switch self {
      case .privateQueue: .privateQueueConcurrencyType
      case .mainQueue: .mainQueueConcurrencyType
      }
    }
  }

  /// When the block of the asynchronous ``perform(schedule:_:)`` runs.
  public enum ScheduledTaskType: Sendable {
    /// At once if the calling thread holds the context's queue, else enqueued.
    case immediate
    /// Always enqueued.
    case enqueued
  }

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
