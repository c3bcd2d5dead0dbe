import SQLite
import Scheduling

extension NSPersistentStoreCoordinator {
  /// Opens the store of that type at `storeURL`, or makes it; as ``addPersistentStore(ofType:configurationName:at:options:)``.
  @discardableResult
  public final func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Opens the store described and calls `block` with its error or nil.
  ///
  /// On the calling thread before it returns, or, for a store described as asynchronous, on the main queue later.
  public final func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    guard storeDescription.shouldAddStoreAsynchronously else {
      return block(storeDescription, failure(toOpen: storeDescription))
    }
    // Sendable: the description is not changed once its store is being opened.
    nonisolated(unsafe) let description = storeDescription
    turn.async { [self] in
      let error = failure(toOpen: description)
      SerialQueue.main.async { block(description, error) }
    }
  }

  private final func failure(toOpen description: NSPersistentStoreDescription) -> (any Error)? {
    do {
      try addPersistentStore(
        ofType: description.type, configurationName: nil, at: description.url, options: description.storeOptions)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Metadata

  /// What an open store says of itself.
  public final func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Changes what an open store says of itself; its next save writes it. UUID and type stay.
  public final func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// What the store in a file says of itself, without opening it for objects.
  ///
  /// - Throws: 134000 for a type that is in no file, 134080 when the file cannot be opened, 259 when it is no store.
  public static func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFile(type: storeType, url: url, options: options, mode: .readOnly).metadata()
  }

  /// What the store in a file says of itself, without opening it for objects.
  ///
  /// - Throws: as ``metadataForPersistentStore(ofType:at:options:)``.
  public static func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: storeURL, options: options)
  }

  /// Writes what the store in a file says of itself at once; UUID and type stay.
  ///
  /// - Throws: as ``metadataForPersistentStore(ofType:at:options:)``; 134080 too when the file cannot be written.
  public static func setMetadata(
    _ metadata: [String: Any]?, ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFile(type: storeType, url: url, options: options, mode: .readWrite).setMetadata(metadata ?? [:])
  }

  /// Writes what the store in a file says of itself at once; UUID and type stay.
  ///
  /// - Throws: as ``setMetadata(_:ofType:at:options:)``.
  public static func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, ofType: type.rawValue, at: storeURL, options: options)
  }

  // MARK: Destroying

  /// Empties the store in a file under SQLite's locks: the next store opened there is a new one. A file that is not there
  /// and a store in memory are left alone.
  ///
  /// - Throws: 134000 for an unknown type, 134080 when the file cannot be opened or emptied.
  public final func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    guard case .file(let path) = try StorePlace(type: storeType, url: url),
      FileManager.default.fileExists(atPath: path)
    else { return }
    try turn.sync { try StoreFile(type: storeType, url: url, options: options, mode: .readWrite).destroy() }
  }

  /// Empties the store in a file; as ``destroyPersistentStore(at:ofType:options:)``.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }
}

/// A store's file, opened for what is done without a model.
private struct StoreFile {
  let connection: Connection
  let path: String

  init(type: String, url: URL, options: [AnyHashable: Any]?, mode: Connection.Mode) throws {
    guard case .file(let path) = try StorePlace(type: type, url: url) else {
      throw NSError.coreData(NSPersistentStoreInvalidTypeError, "A store of type \(type) at \(url) is in no file.")
    }
    self.path = path
    connection = try Self.translating(path) {
      let connection = try Connection(path: path, mode: mode)
      connection.setBusyTimeout(milliseconds: StoreOptions(options).timeoutMilliseconds)
      return connection
    }
  }

  func metadata() throws -> [String: Any] {
    try Self.translating(path) {
      guard try connection.int64("SELECT count(*) FROM sqlite_master WHERE name = 'Z_METADATA'") == 1 else {
        throw NSError.coreData(
          CocoaError.Code.fileReadCorruptFile.rawValue, "\(path) is a database, but not a Core Data store.")
      }
      return try StoreMetadata.read(connection)
    }
  }

  func setMetadata(_ new: [String: Any]) throws {
    var values = StoreMetadata.Values(try metadata())
    values.set(new)
    guard let plist = try values.changedPlist else { return }
    try Self.translating(path) { try StoreMetadata.write(connection, plist) }
  }

  func destroy() throws { try Self.translating(path) { try connection.emptyDatabase() } }

  private static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw SQLiteStore.openFailure(path, error)
    }
  }
}
