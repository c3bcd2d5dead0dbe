import SQLite
import Scheduling
import RowStore

// Whole stores: destroyed, replaced by another, moved.

extension NSPersistentStoreCoordinator {
  // MARK: Destroying

  /// Empties the store in a file under SQLite's locks: the next store opened there is a new one. A file that is not there is
  /// made, and empty; a store in memory is left alone. One that is open, here or elsewhere, can be neither read nor saved
  /// afterwards: it is to be removed from its coordinator.
  ///
  /// With `NSPersistentStoreForceDestroyOption` the files are removed whatever locks others have on them; who has the store
  /// open continues with files that no one else sees.
  /// - Throws: 134000 for an unknown type, 256 when the file cannot be opened or emptied.
  public final func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    guard case .file(let path) = try StorePlace(type: storeType, url: url) else { return }
    try turn.sync {
      // Nothing of this process is to be in the way.
      for entry in stores.all { entry.sqlite.releaseSnapshots() }
      guard !StoreOptions(options).isOn(NSPersistentStoreForceDestroyOption) else {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let files = StoreFolder(path, try Connection(path: path, mode: .readOnly))
        try Self.removeDatabase(path)
        return files.remove()
      }
      try StoreFile(type: storeType, url: url, options: options, mode: .readWriteCreate).destroy()
    }
  }

  private static func removeDatabase(_ path: String) throws {
    for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
      try FileManager.default.removeItem(atPath: file)
    }
  }

  /// Empties the store in a file; as ``destroyPersistentStore(at:ofType:options:)``.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  /// - Throws: 134070 when a store of this coordinator is in that file.
  private final func requireClosed(_ path: String) throws {
    let standard = URL(fileURLWithPath: path).standardizedFileURL.path
    for entry in stores.all {
      guard case .file(let open) = entry.sqlite.place, URL(fileURLWithPath: open).standardizedFileURL.path == standard
      else { continue }
      throw NSError.coreData(
        NSPersistentStoreOperationError, "The store \(path) is open in this coordinator; remove it first.",
        userInfo: [NSFilePathErrorKey: path])
    }
  }

  // MARK: Replacing

  /// Copies the store of one file over that of another, made if it is missing, under SQLite's locks: objects, metadata
  /// and UUID are the source's. Contexts of other coordinators that have the old one open find the new rows.
  ///
  /// - Throws: 134000 for a type that is in no file, 256 when a file cannot be opened or is locked for too long, 259
  ///   when the source is no store, 134070 when the destination is open here: remove it first.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    try turn.sync {
      let source = try StoreFile(type: storeType, url: sourceURL, options: sourceOptions, mode: .readOnly)
      _ = try source.metadata()
      if case .file(let path) = try StorePlace(type: storeType, url: destinationURL) { try requireClosed(path) }
      try StoreFile(type: storeType, url: destinationURL, options: destinationOptions, mode: .readWriteCreate)
        .replace(with: source)
    }
  }

  /// Copies the store of one file over that of another; as
  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type storeType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: storeType.rawValue)
  }

  // MARK: Moving

  /// Copies an open store to another place, or into memory, and continues with the copy: the old store is closed, and its
  /// file stays as it is.
  ///
  /// `NSPersistentStoreCoordinatorWillRemoveStore` comes first, with the old store: whatever its observers save moves too;
  /// unsaved changes of the old store's objects are lost. The copy has a UUID of its own, so its objects have other IDs:
  /// contexts fetch them anew. `NSPersistentStoreCoordinatorStoresDidChange` is posted three times: with the new store as
  /// added, with both and the old and new ID of each object under `NSUUIDChangedPersistentStoresKey`, and with the old
  /// store as removed. Metadata that were set are the copy's, and in its file.
  /// - Returns: the store that is open instead, in the same configuration.
  /// - Throws: 134000 for an unknown type, 516 when there is a store at `URL`, 134080 when it cannot be written there,
  ///   134070 for a store that is not open here.
  /// - Complexity: O(*n*) for *n* objects.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    try requireOpen(store, to: "move")
    try requireNothing(at: StorePlace(type: storeType, url: URL))
    // Posted outside the turn, and before the copy is made: saves of observers still move.
    store.willRemove(from: self)
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    let (new, ids) = try turn.sync { () throws -> (NSPersistentStore, [NSManagedObjectID]) in
      let old = try requireOpen(store, to: "move")
      // Fails where the file is another store's by now.
      try old.reading { _, _ in }
      let configuration =
        store.configurationName == NSManagedObjectModel.defaultConfiguration ? nil : store.configurationName
      let sqlite = try copyDatabase(old, type: storeType, to: URL, configuration, StoreOptions(options))
      sqlite.copyUnsavedMetadata(of: old)
      try sqlite.saveMetadata()
      let new = NSPersistentStore(sqlite: sqlite, url: URL, configuration: configuration, coordinator: self)
      let ids = try sqlite.allObjectIDs(beside: old.identity)
      precondition(ids.count.isMultiple(of: 2), "each object that moves has its old ID and its new one")
      try old.close()
      stores.exchange(store, new, sqlite)
      store.leaveCoordinator()
      return (new, ids)
    }
    closeStates(of: store)
    new.didAdd(to: self)
    for (key, stores) in [
      (NSAddedPersistentStoresKey, [new]), (NSUUIDChangedPersistentStoresKey, [store, new, ids]),
      (NSRemovedPersistentStoresKey, [store]),
    ] as [(String, [Any])] {
      NotificationCenter.default.post(
        name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [key: stores])
    }
    return new
  }

  /// Copies an open store to another place and continues with the copy; as
  /// ``migratePersistentStore(_:to:options:withType:)``.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// - Throws: 516 when there is a database with something in it.
  private final func requireNothing(at place: StorePlace) throws {
    // An error of opening the store is thrown when it is written to.
    guard case .file(let path) = place, FileManager.default.fileExists(atPath: path),
      let connection = try? Connection(
        path: path, mode: .readOnly, busyTimeoutMilliseconds: StoreOptions(nil).timeoutMilliseconds),
      let isEmpty = try? StoreMetadata.isEmpty(connection), !isEmpty
    else { return }
    throw place.isTaken
  }

  /// Opens a copy of a store, with its large values.
  private final func copyDatabase(
    _ old: SQLiteStore, type: String, to url: URL, _ configuration: String?, _ options: StoreOptions
  ) throws -> SQLiteStore {
    guard case .file(let source) = old.place, old.schema.hasExternal else {
      return try openDatabase(type: type, url: url, configuration, options, copying: old.connection)
    }
    guard case .file(let target) = try StorePlace(type: type, url: url) else {
      let sqlite = try openDatabase(type: type, url: url, configuration, options, copying: old.connection)
      try sqlite.copyValues(from: ExternalFolder.of(source))
      return sqlite
    }
    let isNew = !FileManager.default.fileExists(atPath: target)
    let copy = FolderCopy(from: source, to: target)
    if isNew { try copy?.takeAll() }
    do {
      let sqlite = try openDatabase(type: type, url: url, configuration, options, copying: old.connection)
      guard let copy else { return sqlite }
      let isWhole = try copy.take(ExternalNames.all(in: sqlite.connection)) {
        try ExternalNames.all(in: old.connection)
      }
      guard isWhole else {
        throw NSError.coreData(
          NSPersistentStoreOpenError, "\(source) was changed while it was copied; move it while nothing saves.",
          userInfo: [NSFilePathErrorKey: source])
      }
      try copy.finish(sqlite.connection)
      return sqlite
    } catch {
      if isNew {
        let files = StoreFolder(target, try Connection(path: target, mode: .readOnly))
        try? Self.removeDatabase(target)
        files.remove()
      }
      throw error
    }
  }
}

extension SQLiteStore {
  /// The IDs of all objects, entity by entity, each behind the ID that it has in the other store.
  fileprivate func allObjectIDs(beside other: StoreIdentity) throws -> [NSManagedObjectID] {
    try schema.orderedTables.flatMap { table in
      try references(StoreQuery(entity: table.root)).flatMap { reference -> [NSManagedObjectID] in
        guard let layout = schema.model.entity(number: Int(reference.entity)) else { return [] }
        let key = other.tag.key(identity.tag.primaryKey(reference.key)) ?? reference.key
        return [
          NSManagedObjectID(key: key, layout: layout, store: other),
          NSManagedObjectID(key: reference.key, layout: layout, store: identity),
        ]
      }
    }
  }
}
