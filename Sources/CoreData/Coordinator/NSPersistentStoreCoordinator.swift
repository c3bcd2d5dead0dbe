import Scheduling

/// Stands between contexts and a store: one writer at a time, readers in parallel, and a cache of rows.
///
/// Thread-safe.
/// - SeeAlso: Apple, "NSPersistentStoreCoordinator".
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  // Sendable: the store is behind a lock; everything else does not change.

  /// A store, and what reads and writes it at the moment.
  private struct Opened: @unchecked Sendable {
    // Sendable: both are.
    let store: NSPersistentStore
    let sqlite: SQLiteStore
  }

  /// The model; frozen by the first coordinator that gets it. Any thread.
  public final let managedObjectModel: NSManagedObjectModel
  final let layout: ModelLayout
  private let opened = Locked<Opened?>(nil)
  /// What the IDs of the store opened last share; they stay as they are when it is closed.
  private let lastIdentity = Locked<StoreIdentity?>(nil)
  /// The turn to write, and to change the stores.
  final let turn = SerialQueue(label: "coordinator")
  private let observers = ContextObservers()
  private let names = Locked<String?>(nil)

  /// Makes a coordinator without a store, and freezes `model`.
  ///
  /// - Precondition: the model is sound; the message lists every problem it has.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    do {
      layout = try model.freeze()
    } catch {
      preconditionFailure("\(error)")
    }
    super.init()
  }

  /// The coordinator's name, for messages. Any thread.
  open var name: String? {
    get { names.withLock { $0 } }
    set {
      names.withLock { $0 = newValue }
      turn.rename(newValue ?? "coordinator")
    }
  }

  // MARK: Stores

  /// The stores that are open; at most one so far.
  open var persistentStores: [NSPersistentStore] { opened.withLock { $0.map { [$0.store] } } ?? [] }

  /// Opens the store of that type in the file `storeURL`, or makes it; a store in memory needs no URL.
  ///
  /// A SQLite store at `/dev/null` is in memory too. `NSPersistentStoreCoordinatorStoresDidChange` tells of it.
  /// - Throws: 134000 for an unknown type, 134080 when the file cannot be opened, 259 when it is no store,
  ///   134100 when its entities are not the model's, 134030 when another store is open already.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    guard configuration == nil else {
      throw NSError.coreData(
        NSPersistentStoreInvalidTypeError, "The model has no configuration \(configuration ?? ""); use nil.")
    }
    let store = try turn.sync {
      guard opened.withLock({ $0 == nil }) else {
        throw NSError.coreData(
          NSPersistentStoreSaveError, "A coordinator has one store here; give the second file a coordinator of its own."
        )
      }
      let sqlite = try openDatabase(type: storeType, url: storeURL, StoreOptions(options))
      let store = NSPersistentStore(sqlite: sqlite, url: storeURL, coordinator: self)
      post(.NSPersistentStoreCoordinatorStoresWillChange, NSAddedPersistentStoresKey, store)
      lastIdentity.withLock { $0 = sqlite.identity }
      opened.withLock { $0 = Opened(store: store, sqlite: sqlite) }
      return store
    }
    store.didAdd(to: self)
    post(.NSPersistentStoreCoordinatorStoresDidChange, NSAddedPersistentStoresKey, store)
    return store
  }

  private final func openDatabase(
    type: String, url: URL?, _ options: StoreOptions, known: RowCache? = nil
  ) throws -> SQLiteStore {
    try SQLiteStore(
      type: type, url: url, model: managedObjectModel, layout: layout, options: options, writer: turn, known: known)
  }

  /// Closes a store, after the save that is under way: contexts can no longer read or save its objects; what was read stays
  /// readable. `NSPersistentStoreCoordinatorWillRemoveStore` and `StoresDidChange` tell of it.
  ///
  /// - Throws: 134070 for a store that is not open here.
  open func remove(_ store: NSPersistentStore) throws {
    try turn.sync {
      guard opened.withLock({ $0?.store === store }) else {
        throw NSError.coreData(NSPersistentStoreOperationError, "The store to remove is not open in this coordinator.")
      }
      store.willRemove(from: self)
      post(.NSPersistentStoreCoordinatorStoresWillChange, NSRemovedPersistentStoresKey, store)
      NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: self)
      opened.withLock { $0 = nil }
      store.leaveCoordinator()
    }
    post(.NSPersistentStoreCoordinatorStoresDidChange, NSRemovedPersistentStoresKey, store)
  }

  private final func post(_ name: Notification.Name, _ key: String, _ store: NSPersistentStore) {
    NotificationCenter.default.post(name: name, object: self, userInfo: [key: [store]])
  }

  /// The store open at that URL; nil when there is none.
  open func persistentStore(for URL: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == URL.standardizedFileURL }
  }

  /// Where an open store is.
  open func url(for store: NSPersistentStore) -> URL {
    guard let url = store.url else { preconditionFailure("a store that was opened has a URL") }
    return url
  }

  /// Goes on with a store at another place: a file there must have the same store already, moved or copied.
  ///
  /// - Returns: false, and nothing is changed, when the store is not open here, or no file there has its UUID.
  @discardableResult
  open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    turn.sync {
      guard let old = opened.withLock({ $0?.store === store ? $0?.sqlite : nil }) else { return false }
      guard case .file = old.place else {
        store.move(to: old, url)
        return true
      }
      guard FileManager.default.fileExists(atPath: url.path),
        let new = try? openDatabase(type: old.type, url: url, old.options, known: old.cache),
        new.identity === old.identity
      else { return false }
      opened.withLock { $0 = Opened(store: store, sqlite: new) }
      store.move(to: new, url)
      return true
    }
  }

  /// The ID that a URI names; nil when its store is not open here, or the model has no such entity.
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard url.scheme == "x-coredata", let identity = opened.withLock({ $0?.sqlite.identity }),
      url.host?.uppercased() == identity.uuid
    else { return nil }
    let parts = url.path.split(separator: "/")
    guard parts.count == 2, let layout = layout.entitiesByName[String(parts[0])], parts[1].first == "p",
      let key = Int64(parts[1].dropFirst()), key > 0
    else { return nil }
    return NSManagedObjectID(key: key, layout: layout, store: identity, model: managedObjectModel)
  }

  final var storeIdentity: StoreIdentity? { lastIdentity.withLock { $0 } }

  /// What reads and writes the objects of `context`.
  final func store(for context: NSManagedObjectContext) throws -> SQLiteStore {
    guard let sqlite = opened.withLock({ $0?.sqlite }) else {
      throw NSError.coreData(
        NSPersistentStoreOpenError,
        "The coordinator has no store; call addPersistentStore or loadPersistentStores first.")
    }
    try context.bind(to: sqlite.identity)
    return sqlite
  }

  // MARK: Observers

  final func addObserver(_ context: NSManagedObjectContext) { observers.add(context) }

  final func removeObserver(_ context: NSManagedObjectContext) { observers.remove(context) }

  // MARK: For contexts

  final func cachedRow(_ identity: RowIdentity, for context: NSManagedObjectContext) -> Row? {
    (try? store(for: context))?.cache.row(identity)
  }

  final func wasReinserted(_ identity: RowIdentity) -> Bool {
    opened.withLock { $0?.sqlite }?.cache.wasReinserted(identity) ?? false
  }

  /// The row under that identity, from the cache or the store; nil when there is none.
  ///
  /// - Parameter maxAge: seconds since a cached row was read after which the store is asked again; negative for never.
  final func row(
    _ identity: RowIdentity, layout: EntityLayout, for context: NSManagedObjectContext, maxAge: TimeInterval = -1
  ) throws -> Row? {
    let store = try store(for: context)
    guard maxAge < 0 else {
      return try store.cache.row(identity, youngerThan: maxAge)
        ?? store.readRow(key: identity.key, layout: layout, refreshing: true)
    }
    return try store.cache.row(identity) ?? store.readRow(key: identity.key, layout: layout)
  }

  /// The rows that the store has now under these identities; the row cache has them afterwards.
  final func refreshRows(_ identities: [(key: Int64, layout: EntityLayout)]) throws -> [RowIdentity: Row] {
    guard let store = opened.withLock({ $0?.sqlite }) else { return [:] }
    var rows: [RowIdentity: Row] = [:]
    for (_, group) in Dictionary(grouping: identities.filter { $0.key > 0 }, by: \.layout.rootNumber) {
      for row in try store.refreshRows(keys: group.map(\.key), root: group[0].layout.root) { rows[row.identity] = row }
    }
    return rows
  }

  /// The rows on the other side of a to-many relationship.
  final func members(
    of key: Int64, _ property: PropertyLayout, for context: NSManagedObjectContext
  ) throws -> [Row] {
    try store(for: context).readMembers(of: key, property)
  }

  /// Permanent keys that nobody else gets, one for each layout.
  final func allotKeys(_ layouts: [EntityLayout], for context: NSManagedObjectContext) throws -> [Int64] {
    try store(for: context).allotKeys(layouts)
  }

  /// Writes a context's changes, in the writer's turn; other contexts learn of it in commit order.
  final func save(_ context: NSManagedObjectContext) throws -> SaveRecord {
    try turn.sync {
      let store = try store(for: context)
      let record = try store.save(context)
      observers.tell(record, except: context)
      return record
    }
  }
}
