/// What contexts read of many objects at a time.
extension NSPersistentStoreCoordinator {
  /// The rows that a query selects, in its order.
  final func rows(_ query: StoreQuery, for context: NSManagedObjectContext) throws -> [Row] {
    try store(for: context).readRows(query)
  }

  /// Where the rows are that a query selects, in its order.
  final func references(
    _ query: StoreQuery, for context: NSManagedObjectContext
  ) throws -> ContiguousArray<RowReference> {
    try store(for: context).references(query)
  }

  /// How many rows a query selects.
  final func count(_ query: StoreQuery, for context: NSManagedObjectContext) throws -> Int {
    try store(for: context).count(query)
  }

  /// The rows of objects of one hierarchy of entities: those that the cache lists, the others from the store, some hundred
  /// in one statement; what is not there is left out.
  final func rows(
    keys: [Int64], root: EntityLayout, for context: NSManagedObjectContext
  ) throws -> [Row] {
    let store = try store(for: context)
    var rows: [Row] = []
    var missing: [Int64] = []
    for key in keys {
      if let row = store.cache.row(RowIdentity(key: key, layout: root)) {
        rows.append(row)
      } else {
        missing.append(key)
      }
    }
    if !missing.isEmpty { rows += try store.readRows(keys: missing, root: root) }
    return rows
  }

  /// The rows on the other side of a to-many relationship of objects with these keys; see `SQLiteStore`.
  final func members(
    of keys: [Int64], _ property: PropertyLayout, for context: NSManagedObjectContext
  ) throws -> [SQLiteStore.Member] {
    try store(for: context).readMembers(of: keys, property)
  }
}
