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
    nonisolated(unsafe) let plan = try BackgroundFetch(fetchRequest, context, among: affectedStores)
    SerialQueue(label: "asynchronous fetch").async {
      guard !result.isFinished else { return }
      // Sendable: rows that were read are frozen.
      nonisolated(unsafe) let answer = Swift.Result { try plan.read() }
      context.perform {
        guard !result.isFinished else { return }
        result.finish(Swift.Result { try plan.take(answer.get(), in: context) })
      }
    }
    return result
  }
}

/// One fetch in two steps: the store is read anywhere, and the context takes the rows.
struct BackgroundFetch<ResultType> {
  /// The rows of the stores, and their ``NSPersistentStoreCoordinator/commits`` before these rows were read.
  typealias Answer = (rows: [Row], commits: Int)

  private let request: NSFetchRequest<ResultType>
  private let coordinator: NSPersistentStoreCoordinator?
  /// The query in SQL; nil where the context has to be asked.
  private let query: StoreQuery?
  /// The saves and reads that the context had made before the store was asked.
  private let known: KnownState

  /// On the context's queue.
  ///
  /// - Parameter affected: the stores that are asked; nil for those that the request names.
  /// - Throws: the error of the request.
  init(
    _ original: NSFetchRequest<ResultType>, _ context: NSManagedObjectContext, among affected: [NSPersistentStore]?
  ) throws {
    guard let request = original.copy() as? NSFetchRequest<ResultType> else {
      preconditionFailure("\(type(of: original)).copy(with:) gives no fetch request; give one of its own class")
    }
    if let affected { request.affectedStores = affected }
    // The completion block might read a later state of a fault than the predicate was evaluated on.
    if request.fetchBatchSize == 0, request.includesPropertyValues { request.returnsObjectsAsFaults = false }
    self.request = request
    coordinator = try context.reader
    known = KnownState(of: context)
    guard !request.resultType.contains(.dictionaryResultType) else {
      _ = try DictionaryExecution(request, in: context)
      query = nil
      return
    }
    let fetch = try request.resolved(in: context)
    // Results of several stores are brought into one order, and cut, by the context.
    let stores = try? coordinator?.stores(for: fetch.entity, among: fetch.affectedStores)
    let isPlain =
      stores?.count ?? 0 < 2 && request.fetchBatchSize == 0
      && request.relationshipKeyPathsForPrefetching?.isEmpty ?? true && !request.resultType.contains(.countResultType)
      && fetch.isTranslatable && !fetch.asksNoStore
    query = isPlain ? fetch.query(context.tree.aliases) : nil
  }

  /// The rows that the store has; nil where the context has to be asked. Any thread.
  func read() throws -> Answer? {
    guard let coordinator, let query else { return nil }
    let commits = coordinator.commits
    return (rows: try coordinator.rows(query, among: request.affectedStores), commits: commits)
  }

  /// The results of the request, with the rows that the store gave for it a while ago, where it was asked; on the context's
  /// queue.
  ///
  /// The answer is of one state: those rows and nothing newer. Where the context has unsaved changes that count, or knows
  /// something newer than the rows, the store is asked again.
  func take(_ answer: Answer?, in context: NSManagedObjectContext) throws -> [ResultType] {
    guard let answer, !request.shouldRefreshRefetchedObjects,
      context.changes.isEmpty || !request.includesPendingChanges, isNewest(answer, for: context)
    else { return try context.fetch(request) }
    let objects = answer.rows.map(context.object(of:))
    if request.resultType.contains(.managedObjectIDResultType) { return try objects.map(\.objectID).results() }
    if !request.returnsObjectsAsFaults {
      for object in objects where object.values == nil { object.snapshot.map(object.fill) }
    }
    return try objects.results()
  }

  /// Whether the context has met no newer state than that of the answer.
  private func isNewest(_ answer: Answer, for context: NSManagedObjectContext) -> Bool {
    let state = KnownState(of: context)
    // Rows that others inserted are in no row of the answer.
    let mayHaveReadMore = state.reads != known.reads && coordinator?.commits != answer.commits
    return state.saves == known.saves && !mayHaveReadMore && !answer.rows.contains { isBehind($0, context) }
  }

  /// Whether the context has met a newer row, or the object's end.
  private func isBehind(_ row: Row, _ context: NSManagedObjectContext) -> Bool {
    guard let object = context.registered(key: row.key, layout: row.layout) else { return false }
    if object.state.contains(.gone) { return true }
    return object.snapshotReference?._withUnsafeGuaranteedRef { $0.version > row.version } ?? false
  }
}

/// The saves that a context has made or merged, and how often it has read.
private struct KnownState {
  let saves: [UInt32]
  let reads: Int

  init(of context: NSManagedObjectContext) {
    saves = [context.saves.begun, context.registry?.mergedSaves ?? 0]
    reads = context.reading.count &+ context.use.faults.value
  }
}

extension NSPersistentStoreCoordinator {
  /// A number that is another one once rows of a store may be newer: its row cache knows of a commit, or a connection has found
  /// the file changed. Any thread.
  fileprivate final var commits: Int {
    stores.all.reduce(0) { $0 &+ $1.sqlite.cache.commits &+ $1.sqlite.cache.sightings }
  }
}
