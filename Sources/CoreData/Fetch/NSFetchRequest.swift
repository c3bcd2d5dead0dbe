import Scheduling
import RowStore

/// Describes a fetch: an entity, a condition, an order, a page, and the kind of results.
///
/// A request may be used again, and for other contexts. `ResultType` is a class of objects, `NSManagedObjectID`,
/// `NSNumber`, `NSDictionary`, or `NSFetchRequestResult` for any of them.
/// - SeeAlso: Apple, "NSFetchRequest".
open nonisolated class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The entity as it was set, or found for the name.
  private let entities = Locked(RequestedEntity())

  /// Makes a request without an entity; set ``entity``.
  public override init() { super.init() }

  /// Makes a request for an entity, which is looked up in the fetching context's model.
  public convenience init(entityName: String) {
    self.init()
    entities.withLock { $0.name = entityName }
  }

  /// Makes a request for the entity that has a class.
  init(objectsOf type: NSManagedObject.Type) {
    super.init()
    entities.withLock { $0.type = type }
  }

  // MARK: What

  /// The entity, of the fetching context's model; of a request made otherwise, nil until it was first carried out.
  open var entity: NSEntityDescription? {
    get { entities.withLock { $0.set ?? $0.found } }
    set {
      entities.withLock { entities in
        entities.set = newValue
        entities.found = nil
      }
    }
  }

  /// The entity's name.
  open var entityName: String? { entities.withLock { $0.set?.name ?? $0.name ?? $0.found?.name } }

  /// The condition on objects; all with nil.
  open var predicate: NSPredicate?
  /// In which order; in no particular one with nil.
  open var sortDescriptors: [NSSortDescriptor]?
  /// How many at most; 0 is no limit.
  open var fetchLimit = 0
  /// How many to leave out at the start.
  open var fetchOffset = 0
  /// Whether objects of sub-entities count; true by default.
  open var includesSubentities = true
  /// Whether unsaved changes of the context, and of its ancestors, count; true by default.
  open var includesPendingChanges = true

  // MARK: In which shape

  /// The kind of results; objects by default.
  open var resultType: NSFetchRequestResultType = .managedObjectResultType
  /// How many rows are read at a time: the objects come as faults, and firing one reads the rows of its batch in one
  /// statement; 0, the default, reads all rows at once.
  open var fetchBatchSize = 0
  /// Whether objects come as faults; true by default. Their rows are at hand unless ``includesPropertyValues`` is off.
  open var returnsObjectsAsFaults = true
  /// Whether rows are read, and not only the IDs; true by default.
  open var includesPropertyValues = true
  /// Whether objects that the context has already, and that have no unsaved changes, take the values of the store; false
  /// by default.
  open var shouldRefreshRefetchedObjects = false
  /// Key paths of relationships that are read along, in a statement for each key path and some hundred objects.
  open var relationshipKeyPathsForPrefetching: [String]?

  // MARK: Dictionaries

  /// The properties to fetch into dictionaries: names, `NSPropertyDescription`s or `NSExpressionDescription`s.
  open var propertiesToFetch: [Any]?
  /// Whether equal dictionaries come once; false by default.
  open var returnsDistinctResults = false
  /// The properties that group rows of equal values, for dictionaries.
  open var propertiesToGroupBy: [Any]?
  /// The condition on groups; all with nil.
  open var havingPredicate: NSPredicate?

  // MARK: Use

  /// To read objects.
  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Carries the request out in the context that runs a block on this thread, `perform` or `performAndWait`.
  ///
  /// - Throws: 134070 outside of such a block; else as `NSManagedObjectContext.fetch(_:)`.
  open func execute() throws -> [ResultType] {
    try fetchInPerformingContext()
  }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any { copied(of: ResultType.self) }

  /// A request that asks the same, with results of another type.
  final func copied<Other>(of type: Other.Type) -> NSFetchRequest<Other> {
    let copy = NSFetchRequest<Other>()
    let requested = entities.withLock { $0 }
    copy.entities.withLock { $0 = requested }
    copy.affectedStores = affectedStores
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    copy.fetchLimit = fetchLimit
    copy.fetchOffset = fetchOffset
    copy.includesSubentities = includesSubentities
    copy.includesPendingChanges = includesPendingChanges
    copy.resultType = resultType
    copy.fetchBatchSize = fetchBatchSize
    copy.returnsObjectsAsFaults = returnsObjectsAsFaults
    copy.includesPropertyValues = includesPropertyValues
    copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    copy.propertiesToFetch = propertiesToFetch
    copy.returnsDistinctResults = returnsDistinctResults
    copy.propertiesToGroupBy = propertiesToGroupBy
    copy.havingPredicate = havingPredicate
    return copy
  }

  /// Whether the other one asks for the same of an entity of the same name, in the same shape; its stores do not count.
  final func asksTheSame<Other>(as other: NSFetchRequest<Other>) -> Bool {
    let isOfTheSame =
      entityName == other.entityName && predicate == other.predicate && sortDescriptors == other.sortDescriptors
      && (fetchLimit, fetchOffset) == (other.fetchLimit, other.fetchOffset)
      && (includesSubentities, includesPendingChanges) == (other.includesSubentities, other.includesPendingChanges)
    let isInTheSameShape =
      (resultType, fetchBatchSize) == (other.resultType, other.fetchBatchSize)
      && (returnsObjectsAsFaults, includesPropertyValues) == (
        other.returnsObjectsAsFaults, other.includesPropertyValues
      )
      && shouldRefreshRefetchedObjects == other.shouldRefreshRefetchedObjects
      && relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
    return isOfTheSame && isInTheSameShape && returnsDistinctResults == other.returnsDistinctResults
      && DescriptionComparison.isEqual(propertiesToFetch, other.propertiesToFetch)
      && DescriptionComparison.isEqual(propertiesToGroupBy, other.propertiesToGroupBy)
      && havingPredicate == other.havingPredicate
  }
}

/// The entity that a request names.
struct RequestedEntity: @unchecked Sendable {
  // Sendable: entities do not change once a context can fetch them.

  /// As `entity` was set.
  var set: NSEntityDescription?
  /// As given to `init(entityName:)`.
  var name: String?
  /// As `fetchRequest()` of a class was asked.
  var type: NSManagedObject.Type?
  /// The entity found under the name, or for the class.
  var found: NSEntityDescription?
}

/// A fetch request whatever its result type.
protocol FetchRequesting: NSPersistentStoreRequest {
  var requestedEntity: RequestedEntity { get }
  var predicate: NSPredicate? { get }
  var sortDescriptors: [NSSortDescriptor]? { get }
  var fetchLimit: Int { get }
  var fetchOffset: Int { get }
  var includesSubentities: Bool { get }
  var includesPendingChanges: Bool { get }
  var resultType: NSFetchRequestResultType { get }
  var fetchBatchSize: Int { get }
  var returnsObjectsAsFaults: Bool { get }
  var includesPropertyValues: Bool { get }
  var shouldRefreshRefetchedObjects: Bool { get }
  var relationshipKeyPathsForPrefetching: [String]? { get }
  var propertiesToFetch: [Any]? { get }
  var returnsDistinctResults: Bool { get }
  var propertiesToGroupBy: [Any]? { get }
  var havingPredicate: NSPredicate? { get }

  /// Keeps the entity that was found for the request's name.
  func recordFound(_ entity: NSEntityDescription)
}

extension NSFetchRequest: FetchRequesting {
  final var requestedEntity: RequestedEntity { entities.withLock { $0 } }

  final func recordFound(_ entity: NSEntityDescription) { entities.withLock { $0.found = entity } }
}
