import RowStore

extension FetchRequesting {
  /// The request in the model of the context.
  /// - Throws: as ``NSManagedObjectContext/fetch(_:)->[Result]``.
  func resolved(in context: NSManagedObjectContext) throws -> ResolvedFetch {
    guard let layout = context.model?.layout else {
      throw NSError.coreData(
        NSPersistentStoreOpenError, "\(context.label) has neither a coordinator nor a parent; set one before fetching.")
    }
    try requireLimits()
    let entity = try self.entity(in: layout, of: context)
    let open = context.persistentStoreCoordinator?.persistentStores ?? []
    let asksNoStore = !(affectedStores?.contains { store in open.contains { $0 === store } } ?? true)
    do {
      var sort: [SortKey] = []
      for descriptor in sortDescriptors ?? [] {
        let keys = try descriptor.keys(in: entity)
        sort.append(SortKey(path: try PropertyLayout.path(keys, from: entity), isAscending: descriptor.ascending))
      }
      return ResolvedFetch(
        entity: entity, includesSubentities: includesSubentities,
        predicate: try predicate.map { try ResolvedPredicate($0, entity: entity) }, sort: sort,
        limit: fetchLimit, offset: fetchOffset, includesPendingChanges: includesPendingChanges,
        refreshes: shouldRefreshRefetchedObjects, asksNoStore: asksNoStore, affectedStores: affectedStores)
    } catch let error as PredicateFailure {
      throw NSError.coreData(NSCoreDataError, "The fetch of \(entity.name) cannot be carried out: \(error).")
    }
  }

  /// - Throws: when a limit is negative.
  func requireLimits() throws {
    for (name, value) in [
      ("fetchLimit", fetchLimit), ("fetchOffset", fetchOffset), ("fetchBatchSize", fetchBatchSize),
    ] where value < 0 {
      throw NSError.coreData(NSCoreDataError, "The \(name) of a fetch request is 0 or more, not \(value).")
    }
  }

  /// The entity that a request names, of the context's model.
  func entity(in layout: ModelLayout, of context: NSManagedObjectContext) throws -> EntityLayout {
    let requested = requestedEntity
    if let set = requested.set {
      if let entity = set.layoutReference?.takeUnretainedValue(), layout.entitiesByName[entity.name] === entity {
        return entity
      }
      throw NSError.coreData(
        NSCoreDataError,
        "The entity \(set.name ?? "") of the fetch request is of another model than \(context.label)'s; take it from that model."
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
    if requested.found !== candidates[0].entity { recordFound(candidates[0].entity) }
    return candidates[0]
  }
}

extension PropertyLayout {
  /// The relationships of a key path to prefetch.
  static func relationships(_ keyPath: String, of entity: EntityLayout) throws -> [PropertyLayout] {
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
}
