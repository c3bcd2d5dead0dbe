import RowStore

/// A request for dictionaries as a context carries it out: the dictionaries are as the store has them, without unsaved changes
/// of the context and its ancestors.
struct DictionaryExecution {
  private let coordinator: NSPersistentStoreCoordinator
  private let fetch: DictionaryFetch

  /// - Throws: the error of the request.
  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) throws {
    coordinator = try context.reader ?? request.coordinator(of: context)
    try request.requireLimits()
    let entity = try request.entity(in: coordinator.layout, of: context)
    do {
      var fetch = try DictionaryFetch(request, entity, context.tree.aliases)
      if let predicate = fetch.query.predicate, !predicate.isTranslatable {
        // A predicate that SQL cannot express is evaluated in memory; then the rows are fetched by their keys.
        let objects = NSFetchRequest<NSManagedObjectID>()
        objects.entity = entity.entity
        objects.affectedStores = request.affectedStores
        objects.includesSubentities = request.includesSubentities
        objects.predicate = request.predicate
        let keys = try coordinator.ids(of: objects).map { Slot.reference($0.reference) }
        fetch.query.predicate = .membership(.object(0), ConstantSet(keys), [])
      }
      self.fetch = fetch
    } catch let error as PredicateFailure {
      throw NSError.coreData(NSCoreDataError, "The fetch of \(entity.name) cannot be carried out: \(error).")
    }
  }

  /// The dictionaries that the request asks for.
  func results<Result>() throws -> [Result] {
    let rows = try coordinator.dictionaries(fetch)
    if Result.self == NSDictionary.self || Result.self == (any NSFetchRequestResult).self {
      return rows.compactMap { NSDictionary(dictionary: $0) as? Result }
    }
    return rows.compactMap { $0 as? Result }
  }

  /// How many dictionaries the request asks for.
  func count() throws -> Int { try coordinator.countDictionaries(fetch) }
}

extension NSPersistentStoreCoordinator {
  /// The objects of the store that a request finds, without unsaved changes of any context.
  final func ids<Result>(of request: NSFetchRequest<Result>) throws -> [NSManagedObjectID] {
    request.resultType = .managedObjectIDResultType
    let reader = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    reader.persistentStoreCoordinator = self
    return try reader.fetch(request).compactMap { $0 as? NSManagedObjectID }
  }

  /// The dictionaries that a fetch gives.
  fileprivate final func dictionaries(_ fetch: DictionaryFetch) throws -> [[String: Any]] {
    try stores(for: fetch).flatMap { store in
      var rows: [[String: Any]] = []
      try store.forEachRow(of: fetch.query, selecting: fetch.columns.map(\.column)) { slots in
        rows.append(fetch.dictionary(slots, in: store.identity))
      }
      return rows
    }
  }

  /// How many dictionaries a fetch gives.
  fileprivate final func countDictionaries(_ fetch: DictionaryFetch) throws -> Int {
    try stores(for: fetch).reduce(0) { try $0 + $1.count(fetch.query, selecting: fetch.columns.map(\.column)) }
  }

  /// - Throws: 134070 where dictionaries of several stores would have to be brought together.
  private final func stores(for fetch: DictionaryFetch) throws -> [SQLiteStore] {
    let stores = try stores(for: fetch.query.entity, among: fetch.affectedStores)
    guard stores.count < 2 || fetch.isRowByRow else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "\(stores.count) stores have objects of \(fetch.query.entity.name), and their dictionaries cannot be sorted, grouped, "
          + "limited or made distinct together; set affectedStores to one of them.")
    }
    return stores
  }
}
