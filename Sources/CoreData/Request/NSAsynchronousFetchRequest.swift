/// To fetch in the background: the store is read on another thread, and the objects come to the context's queue.
///
/// - SeeAlso: Apple, "NSAsynchronousFetchRequest".
open nonisolated class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The fetch to carry out.
  public final let fetchRequest: NSFetchRequest<ResultType>
  /// Called once on the context's queue when the fetch has ended, failed or was cancelled.
  public final let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// How many results are expected, for the progress; 0, the default, when that is not known.
  open var estimatedResultCount = 0

  /// Makes a request.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completionBlock = blk
    super.init()
  }

  /// To read objects.
  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// A request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
    copy.affectedStores = affectedStores
    copy.estimatedResultCount = estimatedResultCount
    return copy
  }
}
