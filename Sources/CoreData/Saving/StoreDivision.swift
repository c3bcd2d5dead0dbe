import RowStore

/// How a context's changes are dealt out among the stores of its coordinator.
struct StoreDivision {
  /// Stores that get changes, or have objects that only must have their rows as they were read.
  private(set) var written: [SQLiteStore] = []
  /// Read-only stores that have objects of the latter kind.
  private(set) var checked: [SQLiteStore] = []
  private var changes: [StoreTag: ChangeLists] = [:]

  /// - Throws: 134070 when the store of an object is not open, 134030 when no store takes an object, 134080 when none is
  ///   open.
  init(of context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    typealias Objects = ContiguousArray<NSManagedObject>
    var parts: [StoreTag: (Objects, Objects, Objects)] = [:]
    var homes = NewObjectHomes(of: context, coordinator)
    var written: [SQLiteStore] = []
    func home(_ object: NSManagedObject) throws -> StoreTag {
      let key = object.key
      let store = try key > 0 ? coordinator.store(of: key) : homes.store(of: object.layout, key: key)
      if !written.contains(where: { $0 === store }) { written.append(store) }
      return store.tag
    }
    for object in context.changes.inserted { parts[try home(object), default: ([], [], [])].0.append(object) }
    for object in context.changes.updated { parts[try home(object), default: ([], [], [])].1.append(object) }
    for object in context.changes.deleted { parts[try home(object), default: ([], [], [])].2.append(object) }
    for object in context.held.locked where object.key > 0 {
      let store = try coordinator.store(of: object.key)
      guard !written.contains(where: { $0 === store }), !checked.contains(where: { $0 === store }) else { continue }
      if store.options.isReadOnly { checked.append(store) } else { written.append(store) }
    }
    self.written = written
    changes = parts.mapValues { ChangeLists(inserted: $0.0, updated: $0.1, deleted: $0.2) }
  }

  /// The changes for one of the stores.
  func changes(of store: SQLiteStore) -> ChangeLists { changes[store.tag] ?? ChangeLists() }
}
