import RowStore

extension NSManagedObjectContext {
  /// The objects, or IDs, that a request asks for; unsaved changes of this context are part of the answer.
  ///
  /// On the context's queue. SQLite evaluates the part that SQL can express. The rest, and conditions that lead to unsaved
  /// changes by relationships, are evaluated in memory, over the rows that SQL selects and those that lead there.
  /// - Throws: 134060 that names the mistake in the request; 256 when the store cannot be read.
  public final func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] { try results(of: request) }

  final func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
    touch("fetch")
    if request.resultType.contains(.countResultType) {
      return try Self.results([NSNumber(value: try count(for: request))])
    }
    if request.resultType.contains(.dictionaryResultType) { return try dictionaries(request) }
    let fetch = try resolve(request)
    guard !fetch.asksNoStore else { return [] }
    if fetch.includesPendingChanges { reportBeforeFetch() }
    if request.resultType.contains(.managedObjectIDResultType) {
      return try Self.results(objectIDs(of: fetchReferences(fetch)))
    }
    let objects = try fetchObjects(fetch, as: request)
    // An ID that names a superentity makes an object of that one.
    let isSure =
      fetch.entity.family.allSatisfy { $0.objectClass is Result.Type }
      && objects.firstIndexBorrowed(from: 0) { object in
        !object.layoutReference._withUnsafeGuaranteedRef { $0.isKind(of: fetch.entity) }
      } == nil
    return try Self.results(Array(objects), isSure: isSure)
  }

  /// How many objects a request would give, its limit and offset included.
  ///
  /// On the context's queue.
  /// - Throws: as ``fetch(_:)->[Result]``.
  public final func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    touch("count(for:)")
    if request.resultType.contains(.dictionaryResultType) { return try countDictionaries(request) }
    return try count(resolve(request))
  }

  /// The found results, as an array of the request's type.
  ///
  /// - Parameter isSure: whether each is a `Result`.
  /// - Throws: when one is not.
  static func results<Found: NSFetchRequestResult, Result>(
    _ found: [Found], isSure: Bool = false
  ) throws -> [Result] {
    // Arrays of references to objects look the same whatever the class.
    if Result.self == Found.self || isSure && Result.self is AnyClass {
      return unsafeBitCast(found, to: [Result].self)
    }
    if Result.self == (any NSFetchRequestResult).self {
      return unsafeBitCast(found.map { $0 as any NSFetchRequestResult }, to: [Result].self)
    }
    return try found.map { element in
      guard let result = element as? Result else {
        throw NSError.coreData(
          NSCoreDataError, "The fetch request gives \(type(of: element)), and its results are to be \(Result.self).")
      }
      return result
    }
  }

  /// The objects, in the shape that the request asks for.
  private final func fetchObjects(
    _ fetch: ResolvedFetch, as request: some FetchRequesting
  ) throws -> ContiguousArray<NSManagedObject> {
    let prefetched = try (request.relationshipKeyPathsForPrefetching ?? []).map { path in
      try relationships(path, of: fetch.entity)
    }
    let batchSize = request.fetchBatchSize
    let readsRows =
      !request.returnsObjectsAsFaults || fetch.refreshes
      || (batchSize > 0 ? (1...batchSize).contains(fetch.limit) : request.includesPropertyValues)
    guard !readsRows else {
      let objects = try fetchObjects(fetch)
      for path in prefetched { try prefetch(path[...], from: objects) }
      if !request.returnsObjectsAsFaults {
        for object in objects where object.values == nil { object.snapshot.map(object.fill) }
      }
      return objects
    }
    let references = try fetchReferences(fetch)
    let objects = objects(for: references, in: fetch.entity)
    if batchSize > 0 {
      batches.add(FetchBatch(references: references, size: batchSize, prefetched: prefetched))
    } else {
      for path in prefetched { try prefetch(path[...], from: objects) }
    }
    return objects
  }

  // MARK: Resolving

  /// The request in this context's model.
  /// - Throws: as ``fetch(_:)->[Result]``.
  final func resolve(_ request: some FetchRequesting) throws -> ResolvedFetch {
    guard let layout = model?.layout else {
      throw NSError.coreData(
        NSPersistentStoreOpenError, "\(label) has neither a coordinator nor a parent; set one before fetching.")
    }
    try requireLimits(request)
    let entity = try self.entity(of: request, in: layout)
    let open = persistentStoreCoordinator?.persistentStores ?? []
    let asksNoStore = !(request.affectedStores?.contains { store in open.contains { $0 === store } } ?? true)
    do {
      var sort: [SortKey] = []
      for descriptor in request.sortDescriptors ?? [] {
        let keys = try descriptor.keys(in: entity)
        sort.append(SortKey(path: try PropertyLayout.path(keys, from: entity), isAscending: descriptor.ascending))
      }
      return ResolvedFetch(
        entity: entity, includesSubentities: request.includesSubentities,
        predicate: try request.predicate.map { try ResolvedPredicate($0, entity: entity) }, sort: sort,
        limit: request.fetchLimit, offset: request.fetchOffset,
        includesPendingChanges: request.includesPendingChanges, refreshes: request.shouldRefreshRefetchedObjects,
        asksNoStore: asksNoStore, affectedStores: request.affectedStores)
    } catch let error as PredicateFailure {
      throw NSError.coreData(
        NSCoreDataError, "The fetch of \(entity.name) cannot be carried out: \(error).")
    }
  }

  /// - Throws: when a limit is negative.
  final func requireLimits(_ request: some FetchRequesting) throws {
    for (name, value) in [
      ("fetchLimit", request.fetchLimit), ("fetchOffset", request.fetchOffset),
      ("fetchBatchSize", request.fetchBatchSize),
    ] where value < 0 {
      throw NSError.coreData(NSCoreDataError, "The \(name) of a fetch request is 0 or more, not \(value).")
    }
  }

  /// The relationships of a key path to prefetch.
  private final func relationships(_ keyPath: String, of entity: EntityLayout) throws -> [PropertyLayout] {
    var path: [PropertyLayout] = []
    for key in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
      let source = path.last?.relation.destination ?? entity
      guard let property = source.propertiesByName[String(key)], property.isRelationship else {
        throw NSError.coreData(
          NSCoreDataError,
          "The fetch of \(entity.name) cannot prefetch \"\(keyPath)\": \(source.name) has no relationship \"\(key)\".")
      }
      path.append(property)
    }
    return path
  }

  /// The entity that a request names, of this context's model.
  final func entity(of request: some FetchRequesting, in layout: ModelLayout) throws -> EntityLayout {
    let requested = request.requestedEntity
    if let set = requested.set {
      if let entity = set.layoutReference?.takeUnretainedValue(), layout.entitiesByName[entity.name] === entity {
        return entity
      }
      throw NSError.coreData(
        NSCoreDataError,
        "The entity \(set.name ?? "") of the fetch request is of another model than \(label)'s; take it from that model."
      )
    }
    var candidates: [EntityLayout] = []
    if let name = requested.name {
      candidates = layout.entitiesByName[name].map { [$0] } ?? []
    } else if let type = requested.type {
      candidates = layout.entities(of: type)
    }
    guard candidates.count == 1 else {
      let names = layout.entitiesByName.keys.sorted().joined(separator: ", ")
      let problem =
        if let name = requested.name {
          "The model has no entity \"\(name)\""
        } else if let type = requested.type {
          "\(candidates.count) entities of the model have the class \(type); name one"
        } else {
          "The fetch request names no entity of the model"
        }
      throw NSError.coreData(NSCoreDataError, "\(problem); it has \(names).")
    }
    if requested.found !== candidates[0].entity { request.recordFound(candidates[0].entity) }
    return candidates[0]
  }
}
