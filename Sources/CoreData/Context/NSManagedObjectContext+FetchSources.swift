import RowStore

extension NSManagedObjectContext {
  /// The objects of this context that have unsaved changes the fetch has to consider.
  private final func changedObjects(_ fetch: ResolvedFetch) -> ContiguousArray<NSManagedObject> {
    guard !changes.isEmpty else { return [] }
    held.returnAll()
    changes.clean()
    var objects: ContiguousArray<NSManagedObject> = []
    for object in changes.inserted where fetch.concerns(object.layout) { objects.append(object) }
    for object in changes.updated where fetch.concerns(object.layout) { objects.append(object) }
    for object in changes.deleted where fetch.concerns(object.layout) { objects.append(object) }
    if let affected = fetch.affectedStores, let coordinator = persistentStoreCoordinator {
      objects.removeAll { object in
        let key = object.key
        let store = try? key > 0 ? coordinator.store(of: key) : coordinator.home(of: object.layout, key: key, in: self)
        return !affected.contains { $0.sqlite === store }
      }
    }
    return objects
  }

  /// The objects among them that are part of the answer.
  private final func matching(
    _ fetch: ResolvedFetch, among changed: ContiguousArray<NSManagedObject>
  ) throws -> ContiguousArray<NSManagedObject> {
    try changed.filter { try $0.state.isDisjoint(with: [.deleted, .gone]) && fetch.matches($0) }
  }

  /// Whether the store can answer for all objects but those changed: the predicate can be said in SQL, and reaches no
  /// object with unsaved changes that are to be seen.
  private final func isForStore(_ fetch: ResolvedFetch) -> Bool { fetch.isTranslatable && !reachesChanges(fetch) }

  private final func reachesChanges(_ fetch: ResolvedFetch) -> Bool {
    guard fetch.includesPendingChanges, !changes.isEmpty else { return false }
    let related = fetch.relatedEntities
    guard !related.isEmpty else { return false }
    changes.clean()
    var layouts: [ObjectIdentifier: EntityLayout] = [:]
    for list in [changes.inserted, changes.updated, changes.deleted] {
      for object in list { layouts[ObjectIdentifier(object.layout)] = object.layout }
    }
    return layouts.values.contains { layout in related.contains { layout.isKind(of: $0) } }
  }

  /// The objects with unsaved changes, and those that they lead to or led to, as the entities that a predicate knows.
  ///
  /// Complexity: O(*n*) for *n* unsaved objects and their ends; each entity that is asked for goes through them once.
  private final func changedObjectsByEntity() -> ObjectsOfEntity {
    var references: ContiguousArray<RowReference> = []
    for list in [changes.inserted, changes.updated, changes.deleted] {
      for object in list {
        references.append(object.reference)
        object.collectEnds(&references)
      }
    }
    let layout = registry?.layout
    return { [references] entity in
      let objects = references.filter { layout?.entity(number: Int($0.entity))?.isKind(of: entity) ?? false }
      return objects.isEmpty ? nil : ConstantSet(objects.map(Slot.reference))
    }
  }

  // MARK: Objects

  /// The objects that the fetch asks for, with their rows at hand.
  final func fetchObjects(_ fetch: ResolvedFetch) throws -> ContiguousArray<NSManagedObject> {
    let changed = changedObjects(fetch)
    guard isForStore(fetch) else { return try fetchInMemory(fetch, changed) }
    if changed.isEmpty || !fetch.includesPendingChanges { return try sourceObjects(fetch) }
    let stored = try sourceObjects(fetch.prefix(beside: changed.count))
    return try evaluating {
      var additions = try matching(fetch, among: changed)
      fetch.sort.sort(&additions)
      return fetch.overlay.page(
        stored, without: \.state.isDirty,
        with: ContiguousArray(additions.map { (object: $0, slots: fetch.sort.slots(of: $0)) }), item: \.object,
        isBehind: { fetch.sort.order(fetch.sort.slots(of: $0), $1.slots) > 0 })
    }
  }

  /// The rows that may meet the predicate, then the predicate in memory.
  private final func fetchInMemory(
    _ fetch: ResolvedFetch, _ changed: ContiguousArray<NSManagedObject>
  ) throws -> ContiguousArray<NSManagedObject> {
    if !fetch.includesPendingChanges, !changed.isEmpty || parentContext != nil,
      let coordinator = persistentStoreCoordinator
    {
      // The objects here hold changes not to be seen: those of another context hold the store's values.
      let other = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
      other.persistentStoreCoordinator = coordinator
      return objects(for: try other.fetchReferences(fetch), in: fetch.entity)
    }
    let changedOnes: ObjectsOfEntity = reachesChanges(fetch) ? changedObjectsByEntity() : { _ in nil }
    var objects = try sourceObjects(fetch.candidates(beside: changedOnes))
    objects.removeAll { $0.state.isDirty }
    // The predicate is evaluated on the rows that were read, whatever others delete meanwhile.
    for object in objects where object.values == nil { object.snapshot.map(object.fill) }
    objects += changed.filter { !$0.state.contains(.deleted) }
    return try evaluating {
      try objects.removeAll { try !fetch.matches($0) }
      fetch.sort.sort(&objects)
      return fetch.cut(objects)
    }
  }

  /// Evaluates objects for a fetch, or a controller. A row that is found gone on the way, as another context deletes it, holds
  /// nothing: the program has not read it.
  final func evaluating<Result>(_ body: () throws -> Result) rethrows -> Result {
    evaluations += 1
    defer {
      evaluations -= 1
      foundGone = nil
    }
    return try body()
  }

  /// The objects found by the store or the parent, as this context's objects.
  private final func sourceObjects(_ fetch: ResolvedFetch) throws -> ContiguousArray<NSManagedObject> {
    var reported = ObjectChanges()
    var objects: ContiguousArray<NSManagedObject>
    if let parentContext {
      // The predicate's constants are values and IDs, and its opaque parts the caller's own.
      nonisolated(unsafe) let fetch = fetch
      let found = try parentContext.serve(self) {
        try parentContext.childRows(parentContext.fetchObjects(fetch))
      }
      objects = ContiguousArray(found.map { object(key: $0.key, layout: $0.layout, row: $0.row) })
      if fetch.refreshes {
        for (object, source) in zip(objects, found) { refetch(object, source.row, &reported) }
      }
    } else {
      guard let reader = try reader else { return [] }
      let isDivided = try reader.stores(for: fetch.entity, among: fetch.affectedStores).count > 1
      // Each store answers for itself; the results are among the first so many rows of each.
      let rows = try reader.rows(
        (isDivided ? fetch.prefix(beside: 0) : fetch).query(aliases), among: fetch.affectedStores)
      objects = self.objects(of: rows)
      if fetch.refreshes {
        for (object, row) in zip(objects, rows) { refetch(object, row, &reported) }
      }
      if isDivided {
        fetch.sort.sort(&objects)
        objects = fetch.cut(objects)
      }
    }
    if !reported.refreshed.isEmpty { post(.NSManagedObjectContextObjectsDidChange, reported.sets) }
    return objects
  }

  /// Gives a realised object a newer row, as `refresh(_:mergeChanges: true)` does.
  private final func refetch(_ object: NSManagedObject, _ row: Row, _ reported: inout ObjectChanges) {
    guard object.values != nil, object.snapshot !== row, object.state.isDisjoint(with: [.inserted, .deleted, .gone])
    else { return }
    object.take(row)
    object.withoutTracking { object.awake(fromSnapshotEvents: .refresh) }
    reported.refreshed.append(object)
  }

  // MARK: References

  /// Where the rows are of the objects that the fetch asks for; unsaved ones are among them.
  ///
  /// Rows are read only where unsaved changes have to be sorted among them, or the predicate needs them.
  final func fetchReferences(_ fetch: ResolvedFetch) throws -> ContiguousArray<RowReference> {
    let changed = changedObjects(fetch)
    guard isForStore(fetch) else { return references(of: try fetchInMemory(fetch, changed)) }
    if changed.isEmpty || !fetch.includesPendingChanges { return try sourceReferences(fetch) }
    guard fetch.sort.isEmpty else { return references(of: try fetchObjects(fetch)) }
    let stored = try sourceReferences(fetch.prefix(beside: changed.count))
    let dirty = Set(changed.map { aliases.canonical($0.reference).key })
    return fetch.overlay.page(
      stored, without: { dirty.contains(aliases.canonical($0).key) },
      with: references(of: try evaluating { try matching(fetch, among: changed) }), item: { $0 },
      isBehind: { _, _ in false })
  }

  private final func sourceReferences(_ fetch: ResolvedFetch) throws -> ContiguousArray<RowReference> {
    if let parentContext {
      // As for objects.
      nonisolated(unsafe) let fetch = fetch
      return try parentContext.serve(self) {
        let found = try parentContext.fetchReferences(fetch)
        for reference in found { parentContext.recordTaken(reference.key, nil) }
        return found
      }
    }
    guard let reader = try reader else { return [] }
    guard try reader.stores(for: fetch.entity, among: fetch.affectedStores).count > 1 else {
      return try reader.references(fetch.query(aliases), among: fetch.affectedStores)
    }
    guard fetch.sort.isEmpty else { return references(of: try sourceObjects(fetch)) }
    return fetch.cut(
      try reader.references(fetch.prefix(beside: 0).query(aliases), among: fetch.affectedStores))
  }

  private final func references(of objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<RowReference> {
    ContiguousArray(objects.map(\.reference))
  }

  /// How many objects the fetch asks for.
  final func count(_ fetch: ResolvedFetch) throws -> Int {
    if fetch.asksNoStore { return 0 }
    let fetch = fetch.unsorted
    guard isForStore(fetch), !fetch.includesPendingChanges || changedObjects(fetch).isEmpty else {
      return try fetchReferences(fetch).count
    }
    if let parentContext {
      // As for objects.
      nonisolated(unsafe) let fetch = fetch
      return try parentContext.serve(self) { try parentContext.count(fetch) }
    }
    return try reader?.count(fetch.query(aliases), among: fetch.affectedStores) ?? 0
  }

  // MARK: Shapes

  /// The IDs of rows that were found: an object's own where it is registered.
  final func objectIDs(of references: ContiguousArray<RowReference>) -> [NSManagedObjectID] {
    guard let registry, let layout = registry.layout else { return [] }
    return references.compactMap { reference in
      guard let entity = layout.entity(number: Int(reference.entity)) else { return nil }
      if let object = registered(key: reference.key, layout: entity) { return object.objectID }
      return NSManagedObjectID(
        key: reference.key, layout: entity, store: registry.identities.identity(of: reference.key),
        model: registry.model)
    }
  }
}

extension NSManagedObject {
  /// Adds the ends of to-one relationships, before and after changes, and added and removed members; nothing is read.
  fileprivate final func collectEnds(_ references: inout ContiguousArray<RowReference>) {
    for property in layout.relationships {
      if property.relation.isToMany {
        guard let known = knownToMany(property) else { continue }
        for member in known.additions + known.removed.objects { references.append(member.reference) }
      } else {
        for row in [values, snapshot] {
          if case .reference(let reference)? = row?[property.index] { references.append(reference) }
        }
      }
    }
  }
}
