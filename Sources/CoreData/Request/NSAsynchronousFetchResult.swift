import Scheduling

/// The result of a fetch in the background.
///
/// - SeeAlso: Apple, "NSAsynchronousFetchResult".
open nonisolated class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
  // Sendable: as its superclass; the results belong to the context's queue.

  private struct Found {
    var results: [ResultType]?
  }

  private let found = Locked(Found())
  /// The request.
  public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>

  init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(context, expected: request.estimatedResultCount)
  }

  /// The found results; nil while the fetch runs, and when it failed.
  open var finalResult: [ResultType]? { found.withLock { $0.results } }

  /// The request ends with the results that the context has just taken; in a block of it. The completion block is called in the
  /// same one: another block, in which the context may merge saves of others, must not come between.
  final func finish(_ outcome: Swift.Result<[ResultType], any Error>) {
    let isFirst =
      switch outcome {
      case .success(let results): finish(nil, count: results.count) { found.withLock { $0.results = results } }
      case .failure(let error): finish(error) {}
      }
    if isFirst { fetchRequest.completionBlock?(self) }
  }

  override func wasCancelled() {
    guard let block = fetchRequest.completionBlock else { return }
    // Sendable: called once, on the context's queue.
    nonisolated(unsafe) let completion = block
    managedObjectContext.perform { completion(self) }
  }
}
