import RowStore

/// Option: whether each save and batch request is recorded in the store's persistent history. A store that has a history and
/// is opened without the option is only read, until all of its history is deleted.
public let NSPersistentHistoryTrackingKey = StoreOptions.Key.history

/// The result that a request for persistent history asks for; raw values are Apple's.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Only that it was carried out.
  case statusOnly = 0
  /// The IDs of the objects that were changed, each once.
  case objectIDs = 1
  /// How many transactions there are or were deleted, or for a fetch request of changes how many of these.
  case count = 2
  /// Transactions without their changes.
  case transactionsOnly = 3
  /// Changes without their transactions.
  case changesOnly = 4
  /// Transactions with their changes.
  case transactionsAndChanges = 5
}

/// Reads the history since some point, or deletes the history before it.
///
/// Executed by a context, it goes to the stores and leaves the context's objects as they are.
/// - SeeAlso: Apple, "NSPersistentHistoryChangeRequest".
open nonisolated class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  enum Point {
    case date(Date)
    /// Nil for the beginning.
    case token(NSPersistentHistoryToken?)
  }

  private(set) final var point = Point.token(nil)
  private(set) final var isDeletion = false

  /// The kind of result: transactions with changes, or of a deletion only that it was carried out.
  open var resultType = NSPersistentHistoryResultType.transactionsAndChanges

  /// Selects and sorts transactions or changes, with a limit: a request made by ``NSPersistentHistoryTransaction/fetchRequest``
  /// or ``NSPersistentHistoryChange/fetchRequest``; all with nil.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  /// The point that the request was made with; nil for a date, and for the beginning.
  open var token: NSPersistentHistoryToken? {
    if case .token(let token) = point { token } else { nil }
  }

  /// Makes a request for all of the history.
  public required override init() { super.init() }

  private class func make(_ point: Point, isDeletion: Bool = false) -> Self {
    let request = Self()
    (request.point, request.isDeletion) = (point, isDeletion)
    if isDeletion { request.resultType = .statusOnly }
    return request
  }

  /// A request for the transactions after a time.
  open class func fetchHistory(after date: Date) -> Self { make(.date(date)) }

  /// A request for the transactions after a point; all with nil.
  ///
  /// Executed it throws 134301 when some of them were deleted, or the point is of another history.
  open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { make(.token(token)) }

  /// A request for the transactions after one; all with nil.
  open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
    make(.token(transaction?.token))
  }

  /// A request for the transactions, or the changes, that a fetch request finds.
  open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
    let request = make(.token(nil))
    request.fetchRequest = fetchRequest
    return request
  }

  /// A request to delete the transactions before a time.
  open class func deleteHistory(before date: Date) -> Self { make(.date(date), isDeletion: true) }

  /// A request to delete the transactions before that of a token, which stays; none with nil.
  open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
    make(.token(token), isDeletion: true)
  }

  /// A request to delete the transactions before one, which stays; none with nil.
  open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
    make(.token(transaction?.token), isDeletion: true)
  }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = Self.make(point, isDeletion: isDeletion)
    copy.affectedStores = affectedStores
    copy.resultType = resultType
    copy.fetchRequest = fetchRequest
    return copy
  }
}

/// The result of a request for persistent history.
///
/// - SeeAlso: Apple, "NSPersistentHistoryResult".
open nonisolated class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// As ``resultType`` says: `true`, IDs, a number, transactions or changes.
  public final let result: Any?
  /// As the request asked.
  public final let resultType: NSPersistentHistoryResultType

  init(_ result: Any, _ resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}

extension NSPersistentStoreCoordinator {
  /// The point after the last transaction of stores; nil where none of them has a history. Any thread.
  ///
  /// - Parameter stores: open stores; all that are with nil.
  public final func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    var transactions: [String: Int64] = [:]
    for entry in self.stores.all {
      guard stores?.contains(where: { $0 as AnyObject === entry.store }) ?? true,
        let last = try? entry.sqlite.lastTransaction()
      else { continue }
      transactions[entry.sqlite.identity.uuid] = last
    }
    return transactions.isEmpty ? nil : NSPersistentHistoryToken(transactions)
  }
}

// Beside the class, so that a linker takes it from an archive together with that: nothing refers to the file of the method.
extension NSPersistentHistoryChangeRequest: ExecutableRequest {}
