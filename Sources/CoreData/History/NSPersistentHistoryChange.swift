import RowStore

/// How an object was changed; raw values are Apple's.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// Some of its properties got other values.
  case update = 1
  /// The object was deleted.
  case delete = 2
}

/// The part of a transaction of the persistent history that is about one object.
///
/// - SeeAlso: Apple, "NSPersistentHistoryChange".
open nonisolated class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes once a request has given it.

  /// From 1, in the order in which changes were recorded, for each store.
  public final let changeID: Int64
  /// The object; of one that was deleted, the ID that it had.
  public final let changedObjectID: NSManagedObjectID
  /// How it was changed.
  public final let changeType: NSPersistentHistoryChangeType
  /// The last values of the kept attributes of a deleted object, by name; nil where there is none.
  public final let tombstone: [AnyHashable: Any]?
  /// The transaction, without its changes; nil where only changes were asked for.
  public final let transaction: NSPersistentHistoryTransaction?
  /// The changed properties of an update.
  public final let updatedProperties: Set<NSPropertyDescription>?

  init(_ recorded: RecordedChange, _ store: StoreIdentity, _ transaction: NSPersistentHistoryTransaction?) {
    changeID = recorded.number
    changedObjectID = NSManagedObjectID(key: recorded.key, layout: recorded.layout, store: store)
    changeType =
      switch recorded.kind {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
    let entity = recorded.layout.entity
    updatedProperties =
      recorded.kind == .update ? Set(recorded.properties.compactMap { entity.propertiesByName[$0.name] }) : nil
    var tombstone: [AnyHashable: Any] = [:]
    for (property, value) in recorded.tombstone {
      guard case .attribute(let type) = property.kind else { continue }
      tombstone[property.name] = value.value(as: type)
    }
    self.tombstone = tombstone.isEmpty ? nil : tombstone
    self.transaction = transaction
    super.init()
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    "<NSPersistentHistoryChange: \(changeID), \(changeType), \(changedObjectID)>"
  }

  // MARK: Fetching

  /// The entity of fetch requests for changes, with the properties of this class.
  open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { entityDescription }

  /// The entity of fetch requests for changes, with the properties of this class.
  open class var entityDescription: NSEntityDescription? {
    .ofHistory(
      "CHANGE",
      [
        ("changeID", .integer64AttributeType), ("changeType", .integer16AttributeType),
        ("changedEntity", .integer64AttributeType), ("changedObjectID", .objectIDAttributeType),
      ])
  }

  /// A request for changes: give it a predicate about properties of this class, and put it into an
  /// ``NSPersistentHistoryChangeRequest``.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entityDescription
    return request
  }
}
