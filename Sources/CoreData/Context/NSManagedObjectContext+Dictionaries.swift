import RowStore

extension NSManagedObjectContext {
  /// The dictionaries that a request asks for, as the store has them: without unsaved changes of this context and its
  /// ancestors.
  final func dictionaries<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    let (coordinator, fetch) = try dictionaryFetch(request)
    let rows = try coordinator.dictionaries(fetch)
    if Result.self == NSDictionary.self || Result.self == (any NSFetchRequestResult).self {
      return rows.compactMap { NSDictionary(dictionary: $0) as? Result }
    }
    return rows.compactMap { $0 as? Result }
  }

  /// How many dictionaries a request asks for.
  final func countDictionaries<Result>(_ request: NSFetchRequest<Result>) throws -> Int {
    let (coordinator, fetch) = try dictionaryFetch(request)
    return try coordinator.countDictionaries(fetch)
  }

  /// - Throws: the error of the request.
  final func checkDictionaries<Result>(_ request: NSFetchRequest<Result>) throws { _ = try dictionaryFetch(request) }

  private final func dictionaryFetch<Result>(
    _ request: NSFetchRequest<Result>
  ) throws -> (NSPersistentStoreCoordinator, DictionaryFetch) {
    let coordinator = try reader ?? batchCoordinator()
    try requireLimits(request)
    let entity = try entity(of: request, in: coordinator.layout)
    do {
      var fetch = try DictionaryFetch(request, entity, aliases)
      if let predicate = fetch.query.predicate, !predicate.isTranslatable {
        // A predicate that SQL cannot express is evaluated in memory; then the rows are fetched by their keys.
        let objects = NSFetchRequest<NSManagedObjectID>()
        objects.entity = entity.entity
        objects.affectedStores = request.affectedStores
        objects.includesSubentities = request.includesSubentities
        objects.predicate = request.predicate
        let keys = try idsInStore(objects, coordinator).map { id in
          Slot.reference(id.reference)
        }
        fetch.query.predicate = .membership(.object(0), ConstantSet(keys), [])
      }
      return (coordinator, fetch)
    } catch let error as PredicateFailure {
      throw NSError.coreData(
        NSCoreDataError, "The fetch of \(entity.name) cannot be carried out: \(error).")
    }
  }

  /// The objects of the store that a request finds, without this context's unsaved changes.
  final func idsInStore<Result>(
    _ request: NSFetchRequest<Result>, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSManagedObjectID] {
    request.resultType = .managedObjectIDResultType
    let reader = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    return try reader.fetch(request).compactMap { $0 as? NSManagedObjectID }
  }
}

extension NSPersistentStoreCoordinator {
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
