import RowStore

/// Collects a reported save as entries of a coordinator: of its stores and in its model's layouts.
///
/// Objects in no store or in one that is not open here, or of an entity that the model lacks, are left out.
struct OwnEntries {
  private let coordinator: NSPersistentStoreCoordinator
  private let tags: [StoreTag]
  private var uris: ObjectURIs
  /// The layout looked up last and its counterpart here: entries of one entity come together, or those of few.
  private var last: (theirs: EntityLayout, own: EntityLayout?)?

  /// The entries collected since ``take()``; without rows.
  private(set) var entries: ContiguousArray<SavedRow> = []

  init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    tags = coordinator.stores.all.map(\.sqlite.tag)
    uris = ObjectURIs(coordinator)
  }

  /// Returns the collected entries; the next list begins.
  mutating func take() -> ContiguousArray<SavedRow> {
    defer { entries = [] }
    return entries
  }

  // MARK: Adding

  mutating func add(_ others: ContiguousArray<SavedRow>) {
    entries.reserveCapacity(entries.count + others.count)
    for entry in others { add(entry.key, entry.layout) }
  }

  /// Adds objects, IDs or URIs, however they were put together; nothing else counts.
  ///
  /// Lists of one type are recognised as a whole, URIs first: asking each element of an `Any` for several types would
  /// bridge every URL to an `NSURL`, which costs more than all the rest of a merge.
  mutating func addAll(_ value: Any?) {
    switch value {
    case nil: break
    case let list as [URL]: for element in list { add(element) }
    case let list as [NSManagedObjectID]: for element in list { add(element) }
    case let list as [NSManagedObject]: for element in list { add(element.objectID) }
    case let list as [Any]: for element in list { add(element) }
    case let set as Set<NSManagedObject>: for element in set { add(element.objectID) }
    case let set as Set<NSManagedObjectID>: for element in set { add(element) }
    case let set as Set<URL>: for element in set { add(element) }
    case let set as NSSet: for element in set { add(element) }
    case let set as Set<AnyHashable>: for element in set { add(element.base) }
    default: break
    }
  }

  private mutating func add(_ element: Any) {
    // Before the others, since asking a URL for a class would bridge it.
    if !(type(of: element) is AnyClass), let url = element as? URL { return add(url) }
    switch element {
    case let object as NSManagedObject: add(object.objectID)
    case let id as NSManagedObjectID: add(id)
    default: if let url = element as? URL { add(url) }
    }
  }

  private mutating func add(_ id: NSManagedObjectID) { add(id.key, id.layout) }

  private mutating func add(_ url: URL) {
    guard let (key, layout) = uris.object(url) else { return }
    entries.append(SavedRow(key: key, layout: layout, row: nil))
  }

  private mutating func add(_ key: Int64, _ theirs: EntityLayout) {
    // A temporary key is in no store, though an unsaved object here may have it.
    guard key > 0, tags.contains(where: { $0.owns(key) }), let layout = own(theirs) else { return }
    entries.append(SavedRow(key: key, layout: layout, row: nil))
  }

  /// The layout of the same name in the coordinator's model.
  private mutating func own(_ theirs: EntityLayout) -> EntityLayout? {
    if let last, last.theirs === theirs { return last.own }
    let own = coordinator.layout.entitiesByName[theirs.name]
    last = (theirs, own)
    return own
  }
}
