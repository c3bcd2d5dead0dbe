import RowStore

/// Reads of many objects at a time, for contexts.
extension NSPersistentStoreCoordinator {
  /// The rows that a query selects, in its order: of one store after the other where several have its entity.
  final func rows(_ query: StoreQuery, among affected: [NSPersistentStore]?) throws -> [Row] {
    let stores = try stores(for: query.entity, among: affected)
    if stores.count == 1 { return try stores[0].readRows(query) }
    return try stores.flatMap { try $0.readRows(query) }
  }

  /// Where the rows are that a query selects, in its order: of one store after the other where several have its entity.
  final func references(
    _ query: StoreQuery, among affected: [NSPersistentStore]?
  ) throws -> ContiguousArray<RowReference> {
    let stores = try stores(for: query.entity, among: affected)
    if stores.count == 1 { return try stores[0].references(query) }
    return try stores.reduce(into: []) { $0 += try $1.references(query) }
  }

  /// How many rows a query selects.
  final func count(_ query: StoreQuery, among affected: [NSPersistentStore]?) throws -> Int {
    let stores = try stores(for: query.entity, among: affected)
    if stores.count == 1 { return try stores[0].count(query) }
    var page = query
    page.offset = 0
    page.limit = PendingOverlay(offset: query.offset, limit: query.limit).storeLimit(beside: 0)
    let count = max(0, try stores.reduce(0) { try $0 + $1.count(page) } - query.offset)
    return query.limit > 0 ? min(count, query.limit) : count
  }

  /// The rows of objects of one hierarchy of entities: those that the caches list, unless the rows are those of a fetch, the
  /// others from the stores, some hundred in one statement; missing ones are left out.
  final func rows(keys: [Int64], root: EntityLayout, isFetch: Bool) throws -> [Row] {
    var rows: [Row] = []
    var missing: [StoreTag: [Int64]] = [:]
    for key in keys {
      if !isFetch, let row = cachedRow(RowIdentity(key: key, layout: root)) {
        rows.append(row)
      } else {
        missing[StoreTag.of(key), default: []].append(key)
      }
    }
    for (_, keys) in missing { rows += try store(of: keys[0]).readRows(keys: keys, root: root) }
    return rows
  }

  /// The rows on the other side of a to-many relationship of objects with these keys; see `SQLiteStore`.
  final func members(
    of keys: [Int64], _ property: PropertyLayout, areLast: Bool
  ) throws -> SQLiteStore.Members {
    let groups = Dictionary(grouping: keys, by: StoreTag.of)
    // As a rule all are of one store.
    if let (_, keys) = groups.first, groups.count == 1 {
      return try store(of: keys[0]).readMembers(of: keys, property, areLast: areLast)
    }
    return try groups.values.reduce(into: SQLiteStore.Members()) { members, keys in
      members += try store(of: keys[0]).readMembers(of: keys, property, areLast: areLast)
    }
  }
}
