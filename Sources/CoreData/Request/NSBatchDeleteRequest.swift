import RowStore

/// To delete many objects from the store, without objects in memory.
///
/// Delete rules are followed in the store. Contexts learn nothing of it: give the IDs to
/// `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`.
/// - SeeAlso: Apple, "NSBatchDeleteRequest".
open nonisolated class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private let fetch: NSFetchRequest<any NSFetchRequestResult>
  /// The objects to delete, of a request made with their IDs.
  final let objectIDs: [NSManagedObjectID]?

  /// Makes a request for the objects that `fetch` finds in the store: its predicate, limit, offset and order count, its
  /// result type and unsaved changes do not.
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    self.fetch = Self.copy(of: fetch)
    objectIDs = nil
    super.init()
  }

  /// Makes a request for the objects that `fetch` finds in the store, of whatever type its results are.
  public convenience init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    self.init(fetchRequest: fetch.copied(of: (any NSFetchRequestResult).self))
  }

  /// Makes a request for objects of one entity; IDs of several hierarchies are refused when it is carried out.
  ///
  /// - Precondition: there is an ID.
  public init(objectIDs objects: [NSManagedObjectID]) {
    guard let first = objects.first else {
      preconditionFailure("a batch delete needs the ID of an object; leave it out when there is nothing to delete")
    }
    fetch = NSFetchRequest(entityName: first.layout.root.name)
    fetch.predicate = NSPredicate(format: "SELF IN %@", objects)
    fetch.resultType = .managedObjectIDResultType
    fetch.includesPendingChanges = false
    objectIDs = objects
    super.init()
  }

  /// The contents of ``NSBatchDeleteResult``; only that it was carried out by default.
  open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  /// A copy of the fetch request for the objects to delete.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { Self.copy(of: fetch) }

  /// The kind of this request.
  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = objectIDs.map(NSBatchDeleteRequest.init(objectIDs:)) ?? NSBatchDeleteRequest(fetchRequest: fetch)
    copy.affectedStores = affectedStores
    copy.resultType = resultType
    return copy
  }

  /// For object IDs, as the store has the objects.
  private static func copy(of request: NSFetchRequest<any NSFetchRequestResult>) -> NSFetchRequest<
    any NSFetchRequestResult
  > {
    guard let copy = request.copy() as? NSFetchRequest<any NSFetchRequestResult> else {
      preconditionFailure("\(type(of: request)).copy(with:) gives no fetch request; give one of its own class")
    }
    copy.resultType = .managedObjectIDResultType
    copy.includesPendingChanges = false
    return copy
  }
}
