/// To insert many objects into the store, without objects in memory.
///
/// Attributes that are not given have the entity's default values; values are converted to the attributes' types,
/// validation rules are not looked at, and relationships cannot be set. Where a uniqueness constraint is violated, the
/// context's merge policy decides: the error policy fails the request, store trump and rollback leave the store's row,
/// object trump gives it the values that were given, overwrite those of all attributes. Contexts learn nothing of it: give
/// the IDs to `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`.
/// - SeeAlso: Apple, "NSBatchInsertRequest".
open nonisolated class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The entity's name.
  public final let entityName: String
  /// The entity; of a request made with a name, nil until it was carried out.
  open internal(set) var entity: NSEntityDescription?

  /// The objects' values by the attributes' names.
  open var objectsToInsert: [[String: Any]]?
  /// Fills an empty dictionary with the next object's values; true when there is none any more.
  ///
  /// Called inside the store's transaction: it may read, and cannot save.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
  /// Sets attributes of a placeholder for the next object, which is in no context; true when there is none any more.
  ///
  /// Called inside the store's transaction: it may read, and cannot save. The same object comes each time.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?
  /// The contents of ``NSBatchInsertResult``; only that it was carried out by default.
  open var resultType: NSBatchInsertRequestResultType = .statusOnly

  private init(name: String?, entity: NSEntityDescription?) {
    entityName = name ?? entity?.name ?? ""
    self.entity = entity
    super.init()
  }

  /// Makes a request for objects of an entity, which is looked up in the model of the context that carries it out.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(name: entityName, entity: nil)
    objectsToInsert = dictionaries
  }

  /// Makes a request for objects of an entity.
  public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(name: nil, entity: entity)
    objectsToInsert = dictionaries
  }

  /// Makes a request for as many objects as `handler` fills dictionaries for.
  public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    self.init(name: entityName, entity: nil)
    dictionaryHandler = handler
  }

  /// Makes a request for as many objects as `handler` fills dictionaries for.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(name: nil, entity: entity)
    dictionaryHandler = handler
  }

  /// Makes a request for as many objects as `handler` sets attributes of.
  public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    self.init(name: entityName, entity: nil)
    managedObjectHandler = handler
  }

  /// Makes a request for as many objects as `handler` sets attributes of.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(name: nil, entity: entity)
    managedObjectHandler = handler
  }

  /// The kind of this request.
  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSBatchInsertRequest(name: entityName, entity: entity)
    copy.affectedStores = affectedStores
    copy.objectsToInsert = objectsToInsert
    copy.dictionaryHandler = dictionaryHandler
    copy.managedObjectHandler = managedObjectHandler
    copy.resultType = resultType
    return copy
  }
}
