import SQLite

/// A store's file, opened for what is done without a model.
struct StoreFile {
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
      if mode == .readWriteCreate, try connection.int64("SELECT count(*) FROM sqlite_master") == 0 {
        try ConnectionConfiguration(StoreOptions(options)).prepareNewFile(connection)
      }
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

  func destroy() throws {
    try Self.translating(path) { try connection.emptyDatabase() }
    StoreFolder.remove(of: path)
  }

  /// Takes over a store: its objects, metadata and UUID, in place of what is there.
  ///
  /// - Throws: 134080 when others have locks for too long.
  func replace(with source: StoreFile) throws {
    _ = try source.metadata()
    try Self.translating(path) { try connection.copy(from: source.connection) }
    try StoreFolder.copy(of: source.path, to: path)
  }

  private static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw SQLiteStore.openFailure(path, error)
    }
  }
}

/// The folder beside a store's file that has its large values.
enum StoreFolder {
  private static func url(_ path: String) -> URL {
    let store = URL(fileURLWithPath: path)
    return store.deletingLastPathComponent().appendingPathComponent(
      ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
  }

  static func remove(of path: String) { try? FileManager.default.removeItem(at: url(path)) }

  /// The folder of a store that was copied goes with it.
  static func copy(of source: String, to target: String) throws {
    remove(of: target)
    guard FileManager.default.fileExists(atPath: url(source).path) else { return }
    try FileManager.default.copyItem(at: url(source), to: url(target))
  }
}
