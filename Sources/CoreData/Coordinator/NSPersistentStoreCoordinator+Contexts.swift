import RowStore

// Requests of contexts to their coordinator: each goes to the store that has its objects.

extension NSPersistentStoreCoordinator {
  // MARK: Finding the store

  /// The store of an object that was saved, or has a permanent ID.
  ///
  /// - Throws: 134070 when the store is not open here, 134080 when none is.
  @inline(__always)
  final func store(of key: Int64) throws -> SQLiteStore {
    if let store = stores.store(of: key) { return store }
    throw isUnreachable(key)
  }

  @inline(never)
  private final func isUnreachable(_ key: Int64) -> NSError {
    guard !stores.all.isEmpty else { return hasNoStore }
    let uuid = stores.identities.identity(of: key)?.uuid
    return NSError.coreData(
      NSPersistentStoreOperationError,
      "Object's persistent store is not reachable from this NSManagedObjectContext's coordinator: the store \(uuid ?? "") "
        + "was removed or is another coordinator's; reset the context.",
      userInfo: uuid.map { [NSStoreUUIDKey: $0] } ?? [:])
  }

  final var hasNoStore: NSError {
    NSError.coreData(
      NSPersistentStoreOpenError,
      "The coordinator has no store; call addPersistentStore or loadPersistentStores first.")
  }

  /// The stores that can have objects of an entity, or of those that inherit from it.
  ///
  /// - Parameter affected: the only stores to ask; every store with nil.
  /// - Throws: 134080 when no store is open at all.
  final func stores(for entity: EntityLayout, among affected: [NSPersistentStore]? = nil) throws -> [SQLiteStore] {
    let all = stores.all
    guard !all.isEmpty else { throw hasNoStore }
    let wanted = affected.map { affected in all.filter { entry in affected.contains { $0 === entry.store } } } ?? all
    return wanted.map(\.sqlite).filter { store in entity.family.contains(where: store.takes) }
  }

  // MARK: Reading

  final func cachedRow(_ identity: RowIdentity) -> Row? { stores.store(of: identity.key)?.cache.row(identity) }

  final func wasReinserted(_ identity: RowIdentity) -> Bool {
    stores.store(of: identity.key)?.cache.wasReinserted(identity) ?? false
  }

  /// The row under that identity, from the cache or the store; nil when there is none.
  ///
  /// - Parameters:
  ///   - maxAge: seconds since a cached row was read after which the store is asked again; negative for never.
  ///   - isOneOfMany: whether more are asked for by the same thread, until ``releaseSnapshots()``.
  final func row(
    _ identity: RowIdentity, layout: EntityLayout, maxAge: TimeInterval = -1, isOneOfMany: Bool = false
  ) throws -> Row? {
    let store = try store(of: identity.key)
    guard maxAge < 0 else {
      return try store.cache.row(identity, youngerThan: maxAge)
        ?? store.readRow(key: identity.key, layout: layout, refreshing: true, isOneOfMany: isOneOfMany)
    }
    return try store.cache.row(identity)
      ?? store.readRow(key: identity.key, layout: layout, isOneOfMany: isOneOfMany)
  }

  /// Ends transactions that stores keep open for reads to come.
  final func releaseSnapshots() {
    for entry in stores.all { entry.sqlite.releaseSnapshots() }
  }

  /// The rows that the stores have now of these objects, nil where there is none; the row caches have them afterwards.
  ///
  /// Rows that cannot be read now are in no row cache either: a later read asks the store again, and gets its error.
  final func refreshRows(_ entries: ContiguousArray<SavedRow>) -> ContiguousArray<Row?> {
    var rows = ContiguousArray<Row?>(repeating: nil, count: entries.count)
    for store in stores.all.map(\.sqlite) {
      let own = entries.indices.filter { store.tag.owns(entries[$0].key) }
      for (_, indices) in Dictionary(grouping: own, by: { entries[$0].layout.rootNumber }) {
        let keys = indices.map { entries[$0].key }
        let root: EntityLayout = entries[indices[0]].layout.root
        guard let read = try? store.refreshRows(keys: keys, root: root) else {
          store.cache.drop(keys, root: root)
          continue
        }
        precondition(read.count == indices.count, "each key has its row, or none")
        for (index, row) in zip(indices, read) { rows[index] = row }
      }
    }
    return rows
  }

  /// The rows on the other side of a to-many relationship.
  final func members(of key: Int64, _ property: PropertyLayout) throws -> [Row] {
    try store(of: key).readMembers(of: key, property)
  }

  // MARK: Writing

  /// The store that a new object goes to: the one it was assigned to, else the first that can be written and has its
  /// entity.
  ///
  /// - Throws: 134030 when there is none, 134080 when no store is open at all.
  final func home(of entity: EntityLayout, key: Int64, in context: NSManagedObjectContext) throws -> SQLiteStore {
    if let tag = context.tree.assignments.store(of: key) {
      if let store = stores.store(tagged: tag) { return store }
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "A new \(entity.name) was assigned to a store that was removed from the coordinator; assign it to another.")
    }
    let candidates = try stores(for: entity).filter { $0.takes(entity) }
    if let store = candidates.first(where: { !$0.options.isReadOnly }) ?? candidates.first { return store }
    throw NSError.coreData(
      NSPersistentStoreSaveError,
      "No open store takes objects of \(entity.name): it is in the configuration of none of them.")
  }

  /// Unique permanent keys, one for each temporary key.
  final func allotKeys(
    _ wanted: ContiguousArray<WantedKey>, for context: NSManagedObjectContext
  ) throws -> ContiguousArray<Int64> {
    var homes = NewObjectHomes(of: context, self)
    let stores = try wanted.map { try homes.store(of: $0.layout, key: $0.key) }
    if homes.stores.count == 1 { return try homes.stores[0].allotKeys(wanted.map(\.layoutReference)) }
    var keys = ContiguousArray<Int64>(repeating: 0, count: wanted.count)
    for store in homes.stores {
      let group = stores.indices.filter { stores[$0] === store }
      let allotted = try store.allotKeys(group.map { wanted[$0].layoutReference })
      precondition(allotted.count == group.count, "each object has a key of its own")
      for (index, key) in zip(group, allotted) { keys[index] = key }
    }
    return keys
  }
}
