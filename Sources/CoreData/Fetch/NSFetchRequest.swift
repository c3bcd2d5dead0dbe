/// What a fetch can give: managed objects, their IDs, or a number.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// What a fetch gives; raw values are Apple's.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// Apple's raw value.
  public let rawValue: UInt

  /// Makes a type from Apple's raw value.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// Object IDs.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1 << 0)
  /// One number: how many objects there are.
  public static let countResultType = NSFetchRequestResultType(rawValue: 1 << 2)
}

/// What to fetch: an entity, a condition, an order, a limit.
///
/// - SeeAlso: Apple, "NSFetchRequest".
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
  /// The entity; of the fetching context's model.
  open var entity: NSEntityDescription?
  /// The entity's name.
  public final let entityName: String?

  /// Makes a request without an entity; set ``entity``.
  public override init() {
    entityName = nil
    super.init()
  }

  /// Makes a request for an entity, which is looked up in the fetching context's model.
  public init(entityName: String) {
    self.entityName = entityName
    super.init()
  }

  /// Which objects; all with nil.
  open var predicate: NSPredicate?
  /// In which order; in no particular one with nil.
  open var sortDescriptors: [NSSortDescriptor]?
  /// How many at most; 0 is no limit.
  open var fetchLimit = 0
  /// How many to leave out at the start.
  open var fetchOffset = 0
  /// What the fetch gives.
  open var resultType: NSFetchRequestResultType = .managedObjectResultType
  /// Whether unsaved changes of the context, and of its ancestors, count; true by default.
  open var includesPendingChanges = true
  /// Whether objects of sub-entities count; true by default.
  open var includesSubentities = true
  /// Whether objects come as faults whose rows are at hand; true by default.
  open var returnsObjectsAsFaults = true
}
