import RowStore

/// Finds the stores of many new objects; asks the coordinator once for each entity.
struct NewObjectHomes {
  /// The stores found, in the order in which they were.
  private(set) var stores: [SQLiteStore] = []

  private let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  /// Of objects that were assigned to no store; by the entity's number.
  private var byEntity: [SQLiteStore?] = []

  init(of context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) {
    self.context = context
    self.coordinator = coordinator
  }

  /// - Throws: as ``NSPersistentStoreCoordinator/home(of:key:in:)``.
  mutating func store(of entity: EntityLayout, key: Int64) throws -> SQLiteStore {
    let isAssigned = context.tree.assignments.store(of: key) != nil
    if !isAssigned, entity.number < byEntity.count, let store = byEntity[entity.number] { return store }
    let store = try coordinator.home(of: entity, key: key, in: context)
    if !stores.contains(where: { $0 === store }) { stores.append(store) }
    if !isAssigned {
      while byEntity.count <= entity.number { byEntity.append(nil) }
      byEntity[entity.number] = store
    }
    return store
  }
}
