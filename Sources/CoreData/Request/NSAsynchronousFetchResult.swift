import Scheduling

/// What a fetch in the background gives.
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

  /// What was fetched; nil while the fetch runs, and when it failed.
  open var finalResult: [ResultType]? { found.withLock { $0.results } }

  /// On the context's queue.
  final func finish(_ outcome: Swift.Result<[ResultType], any Error>) {
    switch outcome {
    case .success(let results): finish(nil, count: results.count) { found.withLock { $0.results = results } }
    case .failure(let error): finish(error) {}
    }
  }

  override func didFinish() {
    guard let block = fetchRequest.completionBlock else { return }
    // Sendable: called once, on the context's queue.
    nonisolated(unsafe) let completion = block
    managedObjectContext.perform { completion(self) }
  }
}
