/// To change properties of many objects in the store, without objects in memory.
///
/// Contexts learn nothing of it: give the IDs to `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`. Values
/// are converted to the attributes' types; validation rules are not looked at.
/// - SeeAlso: Apple, "NSBatchUpdateRequest".
open nonisolated class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private let givenEntity: NSEntityDescription?
  /// Found in the model of the context that carries the request out.
  final var foundEntity: NSEntityDescription?
  /// The entity's name.
  public final let entityName: String

  /// Makes a request for an entity, which is looked up in the model of the context that carries it out.
  public init(entityName: String) {
    self.entityName = entityName
    givenEntity = nil
    super.init()
  }

  /// Makes a request for an entity.
  public init(entity: NSEntityDescription) {
    entityName = entity.name ?? ""
    givenEntity = entity
    super.init()
  }

  /// The entity; of a request made with a name, known once it was carried out.
  ///
  /// - Precondition: the request has an entity, or was carried out.
  open var entity: NSEntityDescription {
    guard let entity = givenEntity ?? foundEntity else {
      preconditionFailure("the request names \(entityName); its entity is known once a context has carried it out")
    }
    return entity
  }

  /// The condition on objects; all with nil. As the store has them, without unsaved changes.
  open var predicate: NSPredicate?
  /// Whether objects of sub-entities count; true by default.
  open var includesSubentities = true
  /// The contents of ``NSBatchUpdateResult``; only that it was carried out by default.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
  /// New values by property, each the property's name or description: constants, `NSNull` for nil, or an `NSExpression`
  /// over the row as it was before.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// The kind of this request.
  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = givenEntity.map(NSBatchUpdateRequest.init(entity:)) ?? NSBatchUpdateRequest(entityName: entityName)
    copy.affectedStores = affectedStores
    copy.foundEntity = foundEntity
    copy.predicate = predicate
    copy.includesSubentities = includesSubentities
    copy.resultType = resultType
    copy.propertiesToUpdate = propertiesToUpdate
    return copy
  }
}
