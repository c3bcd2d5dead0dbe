import SQLite
import RowStore

/// A store's file, opened for work without a model.
struct StoreFile {
  let connection: Connection
  let path: String
  /// Of a file that cannot be read where it is.
  private let quiet: ReadOnlySnapshot?

  init(type: String, url: URL, options: [AnyHashable: Any]?, mode: Connection.Mode) throws {
    guard case .file(let path) = try StorePlace(type: type, url: url) else {
      throw NSError.coreData(NSPersistentStoreInvalidTypeError, "A store of type \(type) at \(url) is in no file.")
    }
    self.path = path
    let timeout = StoreOptions(options).timeoutMilliseconds
    let quiet = try Self.translating(path) {
      try mode != .readOnly
        ? nil
        : ReadOnlySnapshot.unless(path) {
          _ = try StoreMetadata.isEmpty(Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: timeout))
        }
    }
    self.quiet = quiet
    connection = try Self.translating(path) {
      let connection = try Connection(path: quiet?.path ?? path, mode: mode, busyTimeoutMilliseconds: timeout)
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
    let files = StoreFolder(path, connection)
    try Self.translating(path) { try connection.emptyDatabase() }
    files.remove()
  }

  /// Takes over a store: its objects, metadata and UUID, in place of its own contents.
  ///
  /// - Throws: 134080 when others have locks for too long, or change the source again and again meanwhile.
  func replace(with source: StoreFile) throws {
    _ = try source.metadata()
    guard !StoreFolder.isSame(path, source.path) else { return }
    let copy = FolderCopy(from: source.path, to: path)
    for _ in 0..<Self.copiesMax {
      try copy?.takeAll()
      try Self.translating(path) { try connection.copy(from: source.connection) }
      guard let copy else { return }
      let isWhole = try Self.translating(path) {
        try copy.take(ExternalNames.all(in: connection)) { try ExternalNames.all(in: source.connection) }
      }
      if isWhole { return try copy.finish(connection) }
    }
    throw NSError.coreData(
      NSPersistentStoreOpenError, "\(source.path) was changed each time it was copied; copy it while nothing saves.",
      userInfo: [NSFilePathErrorKey: source.path])
  }

  /// How often a store that others change meanwhile is copied.
  private static let copiesMax = 10

  private static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw SQLiteStore.openFailure(path, error)
    }
  }
}
