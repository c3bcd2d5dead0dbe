import RowStore

extension NSManagedObjectContext {
  /// Carries out a request other than a save: a batch request goes straight to the store and leaves this context's objects
  /// and unsaved changes as they are; a child's goes to the store of the root of its parents.
  ///
  /// On the context's queue. A fetch request gives an ``NSAsynchronousFetchResult`` that is finished; no notification is
  /// posted, and no context merges the writes of a batch request by itself.
  /// - Throws: 134091 for a request that no context carries out, `NSSaveChangesRequest` among them; 134030 for a batch
  ///   request to a read-only store; else errors of the request's class.
  @discardableResult
  public final func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    touch("execute")
    guard let executable = request as? any ExecutableRequest else {
      throw NSError.coreData(
        NSPersistentStoreUnsupportedRequestTypeError,
        "A context does not carry out \(type(of: request)); call save() to save changes.")
    }
    return try executable.execute(in: self)
  }
}

/// A request that contexts carry out.
protocol ExecutableRequest: NSPersistentStoreRequest {
  /// On the context's queue.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

// Here, where they are asked for: of an archive a linker takes only files that something refers to, and nothing refers to those
// of the methods.
extension NSAsynchronousFetchRequest: ExecutableRequest {}
extension NSBatchDeleteRequest: ExecutableRequest {}
extension NSBatchInsertRequest: ExecutableRequest {}
extension NSBatchUpdateRequest: ExecutableRequest {}
extension NSFetchRequest: ExecutableRequest {}

extension NSPersistentStoreRequest {
  /// The entity of that name in the context's model.
  final func entity(named name: String, in context: NSManagedObjectContext) throws -> EntityLayout {
    guard let layout = context.model?.layout else { throw withoutStores(context) }
    guard let entity = layout.entitiesByName[name] else {
      throw NSError.coreData(
        NSCoreDataError,
        "The model has no entity \"\(name)\"; it has \(layout.entitiesByName.keys.sorted().joined(separator: ", ")).")
    }
    return entity
  }

  /// The coordinator of the stores that a batch request goes to.
  final func coordinator(of context: NSManagedObjectContext) throws -> NSPersistentStoreCoordinator {
    guard let coordinator = context.persistentStoreCoordinator else { throw withoutStores(context) }
    return coordinator
  }

  private final func withoutStores(_ context: NSManagedObjectContext) -> NSError {
    NSError.coreData(
      NSPersistentStoreOpenError,
      "\(context.label) has neither a coordinator nor a parent; set one before executing requests.")
  }
}

extension NSFetchRequest {
  /// The rows of a batch request, as the store has them.
  final func batchSelection(
    in context: NSManagedObjectContext
  ) throws -> (entity: EntityLayout, selection: BatchSelection) {
    let fetch = try resolved(in: context)
    let coordinator = try coordinator(of: context)
    // A page is one of all stores together.
    let isPage = fetch.limit > 0 || fetch.offset > 0
    let isForStores = try !isPage || coordinator.stores(for: fetch.entity, among: affectedStores).count < 2
    if isForStores, fetch.predicate?.isTranslatable ?? true {
      return (fetch.entity, .query(fetch.query(context.tree.aliases)))
    }
    var keys: [Int64]?
    return (
      fetch.entity,
      .keys {
        // Of several stores the first has changed by the time that the next one asks.
        if keys == nil { keys = try coordinator.ids(of: self).map(\.key) }
        return keys ?? []
      }
    )
  }
}
