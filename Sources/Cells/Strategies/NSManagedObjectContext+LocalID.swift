import CoreData

extension NSManagedObjectContext {
  /// The ID by which this context's coordinator knows the object that `id` names; `id` itself where it is temporary, or
  /// names nothing that this coordinator has.
  ///
  /// A strategy may give its contexts coordinators of their own, to which an ID of another one means nothing: Apple's
  /// raise an exception. A workload that hands IDs to writers and readers asks for this in their blocks.
  public func localID(of id: NSManagedObjectID) -> NSManagedObjectID {
    guard !id.isTemporaryID, let coordinator = persistentStoreCoordinator,
      id.persistentStore?.persistentStoreCoordinator !== coordinator
    else { return id }
    return coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) ?? id
  }
}
