import Scheduling
import RowStore

extension NSFetchRequest {
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(NSAsynchronousFetchRequest(fetchRequest: self), context)
    result.finish(.success(try context.fetch(self)))
    return result
  }
}

/// A fetch that has ended, whatever it gave.
protocol FinishedFetch {
  /// The array of the results; nil while the fetch runs.
  var fetched: Any? { get }
}

extension NSAsynchronousFetchResult: FinishedFetch {
  final var fetched: Any? { finalResult }
}

extension NSAsynchronousFetchRequest {
  /// Whatever is wrong with the request is thrown at once; the store is asked on another thread.
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    guard context.queue.acceptsBlocks else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "\(context.label) is confined to a thread, and has no queue for what is fetched in the background.")
    }
    let result = NSAsynchronousFetchResult(self, context)
    // Sendable: it has a copy of the request, and is used by one thread after the other.
    nonisolated(unsafe) let plan = try BackgroundFetch(fetchRequest, context)
    SerialQueue(label: "asynchronous fetch").async {
      // Sendable: rows that were read are frozen.
      nonisolated(unsafe) let rows = result.isFinished ? nil : Swift.Result { try plan.read() }
      context.perform {
        guard !result.isFinished else { return }
        result.finish(Swift.Result { try plan.take(rows, in: context) })
      }
    }
    return result
  }
}

/// One fetch in two steps: the store is read anywhere, and the context takes the rows.
struct BackgroundFetch<ResultType> {
  private let request: NSFetchRequest<ResultType>
  private let coordinator: NSPersistentStoreCoordinator?
  /// The query in SQL; nil where the context has to be asked.
  private let query: StoreQuery?
  /// The saves that the context knew before the store was asked.
  private let known: NSManagedObjectContext.KnownSaves

  /// On the context's queue.
  ///
  /// - Throws: the error of the request.
  init(_ original: NSFetchRequest<ResultType>, _ context: NSManagedObjectContext) throws {
    guard let request = original.copy() as? NSFetchRequest<ResultType> else {
      preconditionFailure("\(type(of: original)).copy(with:) gives no fetch request; give one of its own class")
    }
    // The completion block might read a later state of a fault than the predicate was evaluated on.
    if request.fetchBatchSize == 0, request.includesPropertyValues { request.returnsObjectsAsFaults = false }
    self.request = request
    known = context.knownSaves
    coordinator = try context.reader
    guard !request.resultType.contains(.dictionaryResultType) else {
      try context.checkDictionaries(request)
      query = nil
      return
    }
    let fetch = try context.resolve(request)
    // Results of several stores are brought into one order, and cut, by the context.
    let stores = try? coordinator?.stores(for: fetch.entity, among: fetch.affectedStores)
    let isPlain =
      stores?.count ?? 0 < 2 && request.fetchBatchSize == 0
      && request.relationshipKeyPathsForPrefetching?.isEmpty ?? true && !request.resultType.contains(.countResultType)
      && fetch.isTranslatable && !fetch.asksNoStore
    query = isPlain ? fetch.query(context.aliases) : nil
  }

  /// The rows that the store has; nil where the context has to be asked. Any thread.
  func read() throws -> [Row]? {
    guard let coordinator, let query else { return nil }
    return try coordinator.rows(query, among: request.affectedStores)
  }

  /// The results of the request; on the context's queue.
  func take(_ rows: Swift.Result<[Row]?, any Error>?, in context: NSManagedObjectContext) throws -> [ResultType] {
    try context.fetch(request, havingRead: rows?.get() ?? nil, since: known)
  }
}
