import RowStore

/// A fetch as a context carries it out: the answer of the store, or of the parent, and unsaved changes of this context.
struct FetchExecution {
  private let fetch: ResolvedFetch
  private let context: NSManagedObjectContext

  init(_ fetch: ResolvedFetch, in context: NSManagedObjectContext) { (self.fetch, self.context) = (fetch, context) }

  /// The objects of this context that have unsaved changes the fetch has to consider.
  private func changedObjects() -> ContiguousArray<NSManagedObject> {
    guard !context.changes.isEmpty else { return [] }
    context.held.returnAll()
    context.changes.clean()
    var objects: ContiguousArray<NSManagedObject> = []
    for list in context.changes.lists {
      for object in list where fetch.concerns(object.layout) { objects.append(object) }
    }
    objects.removeAll { !fetch.asksStore(of: $0, in: context) }
    return objects
  }

  /// The objects among them that are part of the answer.
  private func matching(among changed: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<NSManagedObject> {
    try changed.filter { try $0.state.isDisjoint(with: [.deleted, .gone]) && fetch.matches($0) }
  }

  /// Whether the store can answer for all objects but those changed: the predicate can be said in SQL, and reaches no
  /// object with unsaved changes that are to be seen.
  private var isForStore: Bool { fetch.isTranslatable && !reachesChanges }

  private var reachesChanges: Bool {
    guard fetch.includesPendingChanges, !context.changes.isEmpty else { return false }
    let related = fetch.relatedEntities
    guard !related.isEmpty else { return false }
    context.changes.clean()
    var layouts: [ObjectIdentifier: EntityLayout] = [:]
    for list in context.changes.lists {
      for object in list { layouts[ObjectIdentifier(object.layout)] = object.layout }
    }
    return layouts.values.contains { layout in related.contains { layout.isKind(of: $0) } }
  }

  /// The objects with unsaved changes, and those that they lead to or led to, as the entities that a predicate knows.
  ///
  /// Complexity: O(*n*) for *n* unsaved objects and their ends; each entity that is asked for goes through them once.
  private func changedObjectsByEntity() -> ObjectsOfEntity {
    var references: ContiguousArray<RowReference> = []
    for list in context.changes.lists {
      for object in list {
        references.append(object.reference)
        object.collectEnds(&references)
      }
    }
    let layout = context.registry?.layout
    return { [references] entity in
      let objects = references.filter { layout?.entity(number: Int($0.entity))?.isKind(of: entity) ?? false }
      return objects.isEmpty ? nil : ConstantSet(objects.map(Slot.reference))
    }
  }

  /// The objects that the fetch asks for, with their rows at hand.
  func objects() throws -> ContiguousArray<NSManagedObject> {
    let changed = changedObjects()
    guard isForStore else { return try objectsInMemory(changed) }
    if changed.isEmpty || !fetch.includesPendingChanges { return try sourceObjects(fetch) }
    let stored = try sourceObjects(fetch.prefix(beside: changed.count))
    return try Evaluation.run(in: context) {
      var additions = try matching(among: changed)
      fetch.sort.sort(&additions)
      return fetch.overlay.page(
        stored, without: \.state.isDirty,
        with: ContiguousArray(additions.map { (object: $0, slots: fetch.sort.slots(of: $0)) }), item: \.object,
        isBehind: { fetch.sort.order(fetch.sort.slots(of: $0), $1.slots) > 0 })
    }
  }

  /// The objects, in the shape that the request asks for.
  func objects(as request: some FetchRequesting) throws -> ContiguousArray<NSManagedObject> {
    let prefetched = try (request.relationshipKeyPathsForPrefetching ?? []).map { path in
      try PropertyLayout.relationships(path, of: fetch.entity)
    }
    let batchSize = request.fetchBatchSize
    let readsRows =
      !request.returnsObjectsAsFaults || fetch.refreshes
      || (batchSize > 0 ? (1...batchSize).contains(fetch.limit) : request.includesPropertyValues)
    guard !readsRows else {
      let objects = try objects()
      for path in prefetched { try Prefetching(in: context).read(path[...], from: objects) }
      if !request.returnsObjectsAsFaults {
        // Objects that were evaluated in another context have no row here yet.
        if !isForStore { try Prefetching(in: context).readRows(of: objects) }
        for object in objects where object.values == nil { object.snapshot.map(object.fill) }
      }
      return objects
    }
    let references = try references()
    let objects = FoundObjects(in: context).objects(for: references, in: fetch.entity)
    if batchSize > 0 {
      forgetRows(of: objects)
      context.reading.batches.add(FetchBatch(references: references, size: batchSize, prefetched: prefetched))
    } else {
      for path in prefetched { try Prefetching(in: context).read(path[...], from: objects) }
    }
    return objects
  }

  /// Has faults read the rows of their batch, and not those that they have from before; one that a save is to compare keeps its row.
  private func forgetRows(of objects: ContiguousArray<NSManagedObject>) {
    let locked = context.held.locked
    objects.forEachBorrowed { object in
      guard object.values == nil, object.state.isEmpty, !locked.contains(where: { $0 === object }) else { return }
      object.snapshot = nil
    }
  }

  /// The rows that may meet the predicate, then the predicate in memory.
  private func objectsInMemory(_ changed: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<NSManagedObject> {
    if !fetch.includesPendingChanges, context.parentContext != nil {
      return FoundObjects(in: context).objects(for: try sourceReferences(fetch), in: fetch.entity)
    }
    if !fetch.includesPendingChanges, !context.changes.isEmpty, let coordinator = try context.reader {
      // The objects here hold changes not to be seen: those of another context hold the store's values.
      let other = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
      other.persistentStoreCoordinator = coordinator
      return objects(of: try FetchExecution(fetch, in: other).objects().compactMap(\.snapshot), fetch)
    }
    let changedOnes: ObjectsOfEntity = reachesChanges ? changedObjectsByEntity() : { _ in nil }
    var objects = try sourceObjects(fetch.candidates(beside: changedOnes))
    objects.removeAll { $0.state.isDirty }
    let held = objects.filter { $0.values != nil }
    // The predicate is evaluated on the rows that were read, whatever others delete meanwhile.
    for object in objects where object.values == nil { object.snapshot.map(object.fill) }
    objects += changed.filter { !$0.state.contains(.deleted) }
    return try Evaluation.run(in: context) {
      var failing = Set(try objects.filter { try !fetch.matches($0) }.map(ObjectIdentifier.init))
      let mayBeOld = held.filter { failing.contains(ObjectIdentifier($0)) }
      for object in try undisputed(mayBeOld, beside: changedOnes) { failing.remove(ObjectIdentifier(object)) }
      objects.removeAll { failing.contains(ObjectIdentifier($0)) }
      fetch.sort.sort(&objects)
      return fetch.cut(objects)
    }
  }

  /// The objects among those, clean ones with values that may be older than the store's, that the store has in the answer.
  private func undisputed(
    _ objects: [NSManagedObject], beside changed: ObjectsOfEntity
  ) throws -> [NSManagedObject] {
    guard !objects.isEmpty, let fetch = fetch.undisputed(beside: changed) else { return [] }
    let aliases = context.tree.aliases
    let keys = Set(try sourceReferences(fetch).map { aliases.canonical($0).key })
    return objects.filter { keys.contains(aliases.canonical($0.reference).key) }
  }

  /// The objects found by the store or the parent, as this context's objects.
  private func sourceObjects(_ fetch: ResolvedFetch) throws -> ContiguousArray<NSManagedObject> {
    if let parentContext = context.parentContext {
      // The predicate's constants are values and IDs, and its opaque parts the caller's own.
      nonisolated(unsafe) let fetch = fetch
      let found = try ParentAnswers(of: parentContext).serve(context) { answers in
        try answers.rows(FetchExecution(fetch, in: parentContext).objects())
      }
      let objects = ContiguousArray(found.map { context.object(key: $0.key, layout: $0.layout, row: $0.row) })
      if fetch.refreshes { refetch(objects, found.map(\.row)) }
      return objects
    }
    guard let reader = try context.reader else { return [] }
    let isDivided = try reader.stores(for: fetch.entity, among: fetch.affectedStores).count > 1
    // Each store answers for itself; the results are among the first so many rows of each.
    let rows = try reader.rows(
      (isDivided ? fetch.prefix(beside: 0) : fetch).query(context.tree.aliases), among: fetch.affectedStores)
    return objects(of: isDivided ? page(of: rows, fetch, reader) : rows, fetch)
  }

  /// The objects of rows that were found.
  private func objects(of rows: [Row], _ fetch: ResolvedFetch) -> ContiguousArray<NSManagedObject> {
    let objects = FoundObjects(in: context).objects(of: rows)
    if fetch.refreshes { refetch(objects, rows) }
    return objects
  }

  /// The rows of several stores that the fetch asks for: sorted in another context, since the objects here may have other values.
  private func page(of rows: [Row], _ fetch: ResolvedFetch, _ reader: NSPersistentStoreCoordinator) -> [Row] {
    guard !fetch.sort.isEmpty else { return Array(fetch.cut(ContiguousArray(rows))) }
    let other = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    other.persistentStoreCoordinator = reader
    var found = FoundObjects(in: other).objects(of: rows)
    for object in found { object.snapshot.map(object.fill) }
    fetch.sort.sort(&found)
    return fetch.cut(found).compactMap(\.snapshot)
  }

  /// Gives realised objects newer rows, as `refresh(_:mergeChanges: true)` does.
  private func refetch(_ objects: ContiguousArray<NSManagedObject>, _ rows: [Row]) {
    precondition(objects.count == rows.count, "each object has its newer row")
    var reported = ObjectChanges()
    for (object, row) in zip(objects, rows)
    where object.values != nil && !object.hasStored(row)
      && object.state.isDisjoint(with: [.inserted, .deleted, .gone])
    {
      object.take(row)
      object.withoutTracking { object.awake(fromSnapshotEvents: .refresh) }
      reported.refreshed.append(object)
    }
    SideSettling(in: context).settleMovedPartners()
    if !reported.refreshed.isEmpty { reported.sets.postChange(of: context) }
  }

  /// Where the rows are of the objects that the fetch asks for; unsaved ones are among them.
  ///
  /// Rows are read only where unsaved changes have to be sorted among them, or the predicate needs them.
  func references() throws -> ContiguousArray<RowReference> {
    let changed = changedObjects()
    guard isForStore else { return references(of: try objectsInMemory(changed)) }
    if changed.isEmpty || !fetch.includesPendingChanges { return try sourceReferences(fetch) }
    guard fetch.sort.isEmpty else { return references(of: try objects()) }
    let stored = try sourceReferences(fetch.prefix(beside: changed.count))
    let dirty = Set(changed.map { context.tree.aliases.canonical($0.reference).key })
    return fetch.overlay.page(
      stored, without: { dirty.contains(context.tree.aliases.canonical($0).key) },
      with: references(of: try Evaluation.run(in: context) { try matching(among: changed) }), item: { $0 },
      isBehind: { _, _ in false })
  }

  private func sourceReferences(_ fetch: ResolvedFetch) throws -> ContiguousArray<RowReference> {
    if let parentContext = context.parentContext {
      // As for objects.
      nonisolated(unsafe) let fetch = fetch
      return try ParentAnswers(of: parentContext).serve(context) { answers in
        var found = try FetchExecution(fetch, in: parentContext).references()
        if !fetch.includesPendingChanges { found.removeAll(where: answers.isDeleted) }
        for reference in found { answers.recordTaken(reference.key, nil) }
        return found
      }
    }
    guard let reader = try context.reader else { return [] }
    guard try reader.stores(for: fetch.entity, among: fetch.affectedStores).count > 1 else {
      return try reader.references(fetch.query(context.tree.aliases), among: fetch.affectedStores)
    }
    guard fetch.sort.isEmpty else { return references(of: try sourceObjects(fetch)) }
    return fetch.cut(
      try reader.references(fetch.prefix(beside: 0).query(context.tree.aliases), among: fetch.affectedStores))
  }

  private func references(of objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<RowReference> {
    ContiguousArray(objects.map(\.reference))
  }

  /// How many objects the fetch asks for.
  func count() throws -> Int { fetch.asksNoStore ? 0 : try FetchExecution(fetch.unsorted, in: context).countUnsorted() }

  private func countUnsorted() throws -> Int {
    // Past the changes of a parent, those that it has deleted are left out one by one.
    guard isForStore, fetch.includesPendingChanges ? changedObjects().isEmpty : context.parentContext == nil else {
      return try references().count
    }
    if let parentContext = context.parentContext {
      // As for objects.
      nonisolated(unsafe) let fetch = fetch
      return try ParentAnswers(of: parentContext).serve(context) { _ in
        try FetchExecution(fetch, in: parentContext).countUnsorted()
      }
    }
    return try context.reader?.count(fetch.query(context.tree.aliases), among: fetch.affectedStores) ?? 0
  }
}

extension ResolvedFetch {
  /// Whether the object's store, or the one that it is to be saved to, is among those that are asked.
  func asksStore(of object: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
    guard let affectedStores, let coordinator = context.persistentStoreCoordinator else { return true }
    let key = object.key
    let store = try? key > 0 ? coordinator.store(of: key) : coordinator.home(of: object.layout, key: key, in: context)
    return affectedStores.contains { $0.sqlite === store }
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
