import SQLite
import Scheduling
import Synchronization
import RowStore

/// Connects contexts and stores: one writer at a time, readers in parallel, and a cache of rows.
///
/// Thread-safe.
/// - SeeAlso: Apple, "NSPersistentStoreCoordinator".
open nonisolated class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  // Sendable: the store is behind a lock; everything else does not change.

  /// The model; frozen by the first coordinator that gets it. Any thread.
  public final let managedObjectModel: NSManagedObjectModel
  final let layout: ModelLayout
  /// The stores that are open.
  final let stores = StoreList()
  /// Unique in the process, so that a save is known as one of this coordinator's.
  final let family = nextFamily.add(1, ordering: .relaxed).newValue
  private static let nextFamily = Atomic<UInt64>(0)
  /// The turn to write, and to change the stores.
  final let turn = SerialQueue(label: "coordinator")
  /// Opens stores that are added asynchronously, one after the other; not in the writer's turn, which their observers must
  /// not hold.
  final let openings = SerialQueue(label: "opening of stores")
  final let observers = ContextObservers()
  /// The states of the stores that contexts read.
  final let generations = Locked<[WeakGeneration]>([])
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

  deinit {
    // Stores are only used through their coordinator; an `NSPersistentStore` may outlive it.
    for entry in stores.all { try? entry.sqlite.close() }
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

  /// The stores that are open, in the order in which they were opened.
  open var persistentStores: [NSPersistentStore] { stores.persistentStores }

  /// Opens a store, or creates it.
  ///
  /// `NSPersistentStoreCoordinatorStoresDidChange` is posted afterwards.
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  ///   - configuration: the configuration with the store's entities; nil for every entity.
  ///   - storeURL: the store's file. A store in memory needs none; a SQLite store at `/dev/null` is in memory too.
  ///   - options: `NSReadOnlyPersistentStoreOption`, `NSPersistentStoreTimeoutOption`, `NSSQLitePragmasOption` and others.
  /// - Throws: 134000 for an unknown type or configuration, 256 when the file cannot be opened, 512 without its folder, 259 when it is no store,
  ///   134100 when its entities are not the model's, 134130 when it is to be migrated for that; 134080 for a store
  ///   that is open here already.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let sqlite = try turn.sync {
      let sqlite = try openDatabase(type: storeType, url: storeURL, configuration, StoreOptions(options))
      try requireNew(sqlite)
      return sqlite
    }
    let store = NSPersistentStore(sqlite: sqlite, url: storeURL, configuration: configuration, coordinator: self)
    if sqlite.options.isReadOnly, !StoreOptions(options).isReadOnly {
      Warning.write(
        "\(sqlite.place.label) has a persistent history and was opened without NSPersistentHistoryTrackingKey: it is only read"
      )
    }
    try turn.sync {
      try requireNew(sqlite)
      stores.add(store, sqlite)
    }
    store.didAdd(to: self)
    // Posted outside the turn: observers may wait for contexts that wait for it.
    post(.NSPersistentStoreCoordinatorStoresDidChange, NSAddedPersistentStoresKey, store)
    return store
  }

  /// - Throws: 134080 when a store with its UUID is open here.
  private final func requireNew(_ sqlite: SQLiteStore) throws {
    guard let other = stores.store(tagged: sqlite.tag) else { return }
    throw NSError.coreData(
      NSPersistentStoreOpenError,
      "Can't add the same store twice: \(sqlite.place.label) has the UUID of the open store \(other.place.label).",
      userInfo: [NSFilePathErrorKey: sqlite.place.path])
  }

  final func openDatabase(
    type: String, url: URL?, _ configuration: String?, _ options: StoreOptions, known: RowCache? = nil,
    copying source: Connection? = nil
  ) throws -> SQLiteStore {
    do {
      return try SQLiteStore(
        type: type, url: url, model: managedObjectModel, layout: layout, members: members(of: configuration),
        options: options, writer: turn, known: known, copying: source)
    } catch let error as NSError
      where error.code == NSPersistentStoreIncompatibleVersionHashError
      && options.isOn(NSMigratePersistentStoresAutomaticallyOption)
    {
      throw NSError.coreData(
        NSMigrationMissingSourceModelError,
        error.localizedDescription + "\nMigration is not available yet: open it with the model it was made with.",
        underlying: error, userInfo: error.userInfo)
    }
  }

  /// The entities of a configuration; nil for all of the model.
  ///
  /// - Throws: 134000 with the names of the configurations, when there is none of that name.
  private final func members(of configuration: String?) throws -> [EntityLayout]? {
    guard let configuration, configuration != NSManagedObjectModel.defaultConfiguration else { return nil }
    guard let entities = managedObjectModel.entities(forConfigurationName: configuration) else {
      let names = managedObjectModel.configurations.sorted()
      throw NSError.coreData(
        NSPersistentStoreInvalidTypeError,
        "The model has no configuration \"\(configuration)\"; "
          + (names.isEmpty ? "it has none: use nil." : "it has \(names.joined(separator: ", ")), and nil is all of it.")
      )
    }
    return entities.compactMap(\.layout)
  }

  /// Closes a store, after the save that is under way: contexts can no longer read or save its objects; values that were read
  /// stay readable. `NSPersistentStoreCoordinatorWillRemoveStore` and `StoresDidChange` are posted; observers of the former may
  /// still save.
  ///
  /// The file is closed when this returns, and whole without its WAL, whoever still holds the store; only a read that is
  /// under way on another thread ends first.
  /// - Throws: 134070 for a store that is not open here, 132001 inside a save.
  open func remove(_ store: NSPersistentStore) throws {
    try requireOpen(store, to: "remove")
    // Posted outside the turn: observers may save, or wait for contexts that do.
    store.willRemove(from: self)
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    try turn.sync {
      let sqlite = try requireOpen(store, to: "remove")
      try sqlite.close()
      stores.remove(store)
      store.leaveCoordinator()
    }
    closeStates(of: store)
    post(.NSPersistentStoreCoordinatorStoresDidChange, NSRemovedPersistentStoresKey, store)
  }

  /// Closes a store that was removed in the query generations, too.
  final func closeStates(of store: NSPersistentStore) {
    for generation in generations.withLock({ $0.compactMap(\.generation) }) { generation.remove(store) }
  }

  /// The SQLite store of a store that is open here.
  ///
  /// - Throws: 134070 when it is not, or no longer.
  @discardableResult
  final func requireOpen(_ store: NSPersistentStore, to purpose: String) throws -> SQLiteStore {
    guard let sqlite = stores.sqlite(of: store) else {
      throw NSError.coreData(
        NSPersistentStoreOperationError, "The store to \(purpose) is not open in this coordinator.")
    }
    return sqlite
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

  /// Continues with a store at another place: a file there must have the same store already, moved or copied.
  ///
  /// - Returns: false, and nothing is changed, when the store is not open here, or no file there has its UUID.
  @discardableResult
  open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    turn.sync {
      guard let old = stores.sqlite(of: store) else { return false }
      guard case .file = old.place else {
        store.move(to: old, url)
        return true
      }
      guard FileManager.default.fileExists(atPath: url.path),
        let new = try? openDatabase(
          type: old.type, url: url, store.configurationName, old.options, known: old.cache),
        new.identity === old.identity
      else { return false }
      new.copyUnsavedMetadata(of: old)
      old.continueReading(in: new)
      stores.replace(store, new)
      store.move(to: new, url)
      return true
    }
  }

  /// The ID that a URI names; nil when its store is not open here, or the model has no such entity.
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard url.scheme == "x-coredata", let uuid = url.host, let identity = stores.identity(uuid: uuid) else {
      return nil
    }
    let parts = url.path.split(separator: "/")
    guard parts.count == 2, let layout = layout.entitiesByName[String(parts[0])],
      stores.store(tagged: identity.tag)?.hasTable(layout) ?? false, parts[1].first == "p",
      let primaryKey = Int64(parts[1].dropFirst()), primaryKey > 0, let key = identity.tag.key(primaryKey)
    else { return nil }
    return NSManagedObjectID(key: key, layout: layout, store: identity, model: managedObjectModel)
  }

  // MARK: Observers

  final func addObserver(_ context: NSManagedObjectContext) { observers.add(context) }

  final func removeObserver(_ context: NSManagedObjectContext) { observers.remove(context) }
}
