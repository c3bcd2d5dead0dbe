/// The kind of a request to a store; raw values are Apple's.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// To read objects.
  case fetchRequestType = 1
  /// To write the changes of a context.
  case saveRequestType = 2
  /// To insert rows without objects.
  case batchInsertRequestType = 5
  /// To change rows without objects.
  case batchUpdateRequestType = 6
  /// To delete rows without objects.
  case batchDeleteRequestType = 7
}

/// Something that is asked of the stores of a coordinator.
///
/// - SeeAlso: Apple, "NSPersistentStoreRequest".
open nonisolated class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores that are asked; every store of the coordinator with nil.
  open var affectedStores: [NSPersistentStore]?

  /// The kind of this request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Makes a request for every store.
  public override init() { super.init() }

  /// A request that asks the same.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreRequest()
    copy.affectedStores = affectedStores
    return copy
  }
}
