import RowStore

/// One save, or one batch request, as a store's persistent history has it.
///
/// - SeeAlso: Apple, "NSPersistentHistoryTransaction".
open nonisolated class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes once a request has given it.

  /// When it was saved. No later transaction has an earlier time.
  public final let timestamp: Date
  /// Its changes; nil where only transactions were asked for.
  public final private(set) var changes: [NSPersistentHistoryChange]?
  /// From 1 in the order of the commits, for each store.
  public final let transactionNumber: Int64
  /// The UUID of the store.
  public final let storeID: String
  /// The bundle identifier of the program that saved, or the name of its process.
  public final let bundleID: String
  /// The name of the process that saved.
  public final let processID: String
  /// The name of the context that saved.
  public final let contextName: String?
  /// The `transactionAuthor` of the context that saved.
  public final let author: String?
  /// The point after this transaction.
  public final let token: NSPersistentHistoryToken

  init(_ recorded: RecordedTransaction, _ store: StoreIdentity) {
    timestamp = Date(timeIntervalSinceReferenceDate: recorded.timestamp)
    transactionNumber = recorded.number
    storeID = store.uuid
    bundleID = recorded.bundle
    processID = recorded.process
    contextName = recorded.contextName
    author = recorded.author
    token = NSPersistentHistoryToken([store.uuid: recorded.number])
    super.init()
  }

  private init(_ other: NSPersistentHistoryTransaction) {
    timestamp = other.timestamp
    changes = other.changes
    transactionNumber = other.transactionNumber
    storeID = other.storeID
    bundleID = other.bundleID
    processID = other.processID
    contextName = other.contextName
    author = other.author
    token = other.token
    super.init()
  }

  final func set(_ changes: [NSPersistentHistoryChange]) {
    precondition(self.changes == nil, "a transaction gets its changes once")
    self.changes = changes
  }

  /// The same transaction with some of its changes.
  final func with(_ changes: [NSPersistentHistoryChange]?) -> NSPersistentHistoryTransaction {
    let copy = NSPersistentHistoryTransaction(self)
    copy.changes = changes
    return copy
  }

  /// The transaction as a notification that contexts merge.
  ///
  /// It has the IDs of the objects that were inserted, updated and deleted.
  open func objectIDNotification() -> Notification {
    var ids: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
    for change in changes ?? [] { ids[change.changeType, default: []].insert(change.changedObjectID) }
    var info: [AnyHashable: Any] = [:]
    for (type, key) in [
      (.insert, NSInsertedObjectIDsKey), (.update, NSUpdatedObjectIDsKey), (.delete, NSDeletedObjectIDsKey),
    ] as [(NSPersistentHistoryChangeType, String)] {
      if let ids = ids[type] { info[key] = ids }
    }
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: info)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    "<NSPersistentHistoryTransaction: \(transactionNumber) of \(storeID), \(author ?? "no author"), \(timestamp)>"
  }

  // MARK: Fetching

  /// The entity of fetch requests for transactions, with the properties of this class.
  open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { entityDescription }

  /// The entity of fetch requests for transactions, with the properties of this class.
  open class var entityDescription: NSEntityDescription? {
    .ofHistory(
      "TRANSACTION",
      [
        ("author", .stringAttributeType), ("bundleID", .stringAttributeType), ("contextName", .stringAttributeType),
        ("processID", .stringAttributeType), ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
        ("token", .transformableAttributeType), ("transactionNumber", .integer64AttributeType),
      ])
  }

  /// A request for transactions: give it a predicate about properties of this class, and put it into an
  /// ``NSPersistentHistoryChangeRequest``.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entityDescription
    return request
  }
}

extension NSEntityDescription {
  /// An entity of the history, in no model; nothing of it is looked up but its name and its attributes.
  static func ofHistory(_ name: String, _ attributes: [(name: String, type: NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      return attribute
    }
    return entity
  }
}
