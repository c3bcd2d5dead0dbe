/// A fetch request as the stack carries it out.
struct ResolvedFetch {
  let entity: EntityLayout
  let includesSubentities: Bool
  let predicate: ResolvedPredicate?
  let sort: [SortKey]
  let limit: Int
  let offset: Int
  let includesPendingChanges: Bool

  /// Whether an object of that entity is asked for at all.
  func concerns(_ layout: EntityLayout) -> Bool {
    includesSubentities ? layout.isKind(of: entity) : layout === entity
  }

  func query(_ aliases: KeyAliases) -> StoreQuery {
    StoreQuery(
      entity: entity, includesSubentities: includesSubentities, predicate: predicate, sort: sort, limit: limit,
      offset: offset, aliases: aliases)
  }

  /// The same fetch, of so many rows from the start.
  func prefix(_ count: Int) -> ResolvedFetch {
    ResolvedFetch(
      entity: entity, includesSubentities: includesSubentities, predicate: predicate, sort: sort, limit: count,
      offset: 0, includesPendingChanges: includesPendingChanges)
  }

  /// Every object of the entity, to be looked at in memory.
  var everything: ResolvedFetch {
    ResolvedFetch(
      entity: entity, includesSubentities: includesSubentities, predicate: nil, sort: [], limit: 0, offset: 0,
      includesPendingChanges: includesPendingChanges)
  }

  /// The objects that match, in order, without those before the offset and after the limit.
  func arrange(_ objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
    var objects = objects
    if !sort.isEmpty { sort.sort(&objects) }
    let page = objects.dropFirst(offset)
    return ContiguousArray(limit > 0 ? page.prefix(limit) : page)
  }
}

extension NSManagedObjectContext {
  /// The objects, or IDs, that a request asks for; unsaved changes of this context are part of the answer.
  ///
  /// On the context's queue. What SQL can say is done by SQLite; a predicate with `[c]`, `[d]`, `MATCHES` or a block is
  /// evaluated in memory over all objects of the entity.
  /// - Throws: an error that names an unknown entity or key; 134080 when the store cannot be read.
  public final func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    touch("fetch")
    if request.resultType.contains(.countResultType) {
      return [NSNumber(value: try count(for: request))].compactMap { $0 as? Result }
    }
    if request.resultType.contains(.dictionaryResultType) {
      throw NSError.coreData(
        NSPersistentStoreOpenError, "Fetches of dictionaries are not supported; fetch objects, and take their values.")
    }
    let fetch = try resolve(request)
    let objects = try fetchObjects(fetch)
    if request.resultType.contains(.managedObjectIDResultType) {
      return objects.compactMap { $0.objectID as? Result }
    }
    if !request.returnsObjectsAsFaults { for object in objects where object.values == nil { fillFromRow(object) } }
    if Result.self == (any NSFetchRequestResult).self {
      // Both types are one: nothing is left to convert.
      return unsafeBitCast(objects.map { $0 as any NSFetchRequestResult }, to: [Result].self)
    }
    guard Result.self is AnyClass, fetch.entity.family.allSatisfy({ $0.objectClass is Result.Type }) else {
      return objects.compactMap { $0 as? Result }
    }
    // Every object's class is `Result` or a subclass: looked up once for the entity rather than for each object.
    return unsafeBitCast(Array(objects), to: [Result].self)
  }

  /// How many objects a request would give.
  ///
  /// On the context's queue.
  /// - Throws: as ``fetch(_:)``.
  public final func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    touch("count(for:)")
    let fetch = try resolve(request)
    guard let coordinator, fetch.predicate?.isTranslatable ?? true, changedObjects(fetch).isEmpty else {
      return try fetchObjects(fetch).count
    }
    return try coordinator.count(fetch.query(aliases), for: self)
  }

  private final func fillFromRow(_ object: NSManagedObject) {
    if let row = object.snapshot { object.fill(row) }
  }

  // MARK: Resolving

  /// - Throws: as ``fetch(_:)``.
  final func resolve(_ request: some FetchRequesting) throws -> ResolvedFetch {
    guard let layout = model?.layout else {
      throw NSError.coreData(
        NSPersistentStoreOpenError, "\(label) has neither a coordinator nor a parent; set one before fetching.")
    }
    let entity = try self.entity(of: request, in: layout)
    let name = entity.name
    do {
      var sort: [SortKey] = []
      for descriptor in request.sortDescriptors ?? [] {
        guard let keys = descriptor.keys else {
          throw PredicateError(position: nil, message: "the sort descriptor \(descriptor) has no key")
        }
        sort.append(SortKey(path: try PropertyLayout.path(keys, from: entity), isAscending: descriptor.ascending))
      }
      return ResolvedFetch(
        entity: entity, includesSubentities: request.includesSubentities,
        predicate: try request.predicate.map { try ResolvedPredicate($0, entity: entity) }, sort: sort,
        limit: max(0, request.fetchLimit), offset: max(0, request.fetchOffset),
        includesPendingChanges: request.includesPendingChanges)
    } catch let error as PredicateError {
      throw NSError.coreData(
        CocoaError.Code.keyValueValidation.rawValue, "The fetch of \(name) cannot be carried out: \(error).")
    }
  }

  /// The entity that a request names, of this context's model.
  private final func entity(of request: some FetchRequesting, in layout: ModelLayout) throws -> EntityLayout {
    let requested = request.requestedEntity
    if let set = requested.set {
      if let entity = set.layoutReference?.takeUnretainedValue(), layout.entitiesByName[entity.name] === entity {
        return entity
      }
      throw NSError.coreData(
        NSPersistentStoreOpenError,
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
          "The fetch request names no entity"
        }
      throw NSError.coreData(NSPersistentStoreOpenError, "\(problem); it has \(names).")
    }
    if requested.found !== candidates[0].entity { request.noteFound(candidates[0].entity) }
    return candidates[0]
  }

  // MARK: Carrying out

  /// The objects of this context that have unsaved changes the fetch has to consider.
  private final func changedObjects(_ fetch: ResolvedFetch) -> ContiguousArray<NSManagedObject> {
    guard fetch.includesPendingChanges, !changes.isEmpty else { return [] }
    changes.clean()
    var objects: ContiguousArray<NSManagedObject> = []
    for object in changes.inserted where fetch.concerns(object.layout) { objects.append(object) }
    for object in changes.updated where fetch.concerns(object.layout) { objects.append(object) }
    for object in changes.deleted where fetch.concerns(object.layout) { objects.append(object) }
    return objects
  }

  private final func fetchObjects(_ fetch: ResolvedFetch) throws -> ContiguousArray<NSManagedObject> {
    let changed = changedObjects(fetch)
    guard fetch.predicate?.isTranslatable ?? true else {
      // All rows, then the predicate in memory.
      var objects = try sourceObjects(fetch.everything)
      objects.removeAll { $0.state.isDirty && fetch.includesPendingChanges }
      let matching = (objects + changed.filter { !$0.state.contains(.deleted) }).filter {
        fetch.predicate?.matches($0) ?? true
      }
      return fetch.arrange(ContiguousArray(matching))
    }
    if changed.isEmpty { return try sourceObjects(fetch) }
    // At most as many rows as there are changed objects can leave the answer, so so many more are read.
    let wanted = fetch.limit > 0 ? fetch.offset + fetch.limit + changed.count : 0
    var objects = try sourceObjects(fetch.prefix(wanted))
    objects.removeAll { $0.state.isDirty }
    for object in changed where !object.state.contains(.deleted) && fetch.predicate?.matches(object) ?? true {
      objects.append(object)
    }
    return fetch.arrange(objects)
  }

  /// What the store or the parent answers, as this context's objects.
  private final func sourceObjects(_ fetch: ResolvedFetch) throws -> ContiguousArray<NSManagedObject> {
    if let parentContext {
      // The predicate's constants are values and IDs, and its opaque parts the caller's own.
      nonisolated(unsafe) let fetch = fetch
      let found = try parentContext.serve(.fetch) {
        try parentContext.childRows(parentContext.fetchObjects(fetch))
      }
      return ContiguousArray(found.map { object(key: $0.key, layout: $0.layout, row: $0.row) })
    }
    guard let coordinator else { return [] }
    return ContiguousArray(try coordinator.rows(fetch.query(aliases), for: self).map(object(of:)))
  }
}

extension [SortKey] {
  /// Sorts as SQLite would: nulls first when ascending, texts by code points; equal objects keep their order.
  fileprivate func sort(_ objects: inout ContiguousArray<NSManagedObject>) {
    let keyed = objects.map { object in (object: object, slots: map { $0.path.slot(of: object) }) }
    let sorted = keyed.enumerated().sorted { left, right in
      for (position, key) in enumerated() {
        let order = left.element.slots[position].sortOrder(right.element.slots[position])
        if order != 0 { return key.isAscending ? order < 0 : order > 0 }
      }
      return left.offset < right.offset
    }
    objects = ContiguousArray(sorted.map(\.element.object))
  }
}

extension Slot {
  fileprivate func sortOrder(_ other: Slot) -> Int {
    if isNull || other.isNull { return isNull ? (other.isNull ? 0 : -1) : 1 }
    return order(other) ?? 0
  }
}
