import Foundation

/// Where a store keeps its database.
package enum StorePlace: Sendable {
  /// In the file at that path, with a WAL beside it.
  case file(String)
  /// In memory, for as long as the store is open; only this store sees it.
  case memory

  /// A SQLite store at this URL is in memory, as on Apple's systems.
  private static let nowhere = "/dev/null"
  /// SQLite's name of a database in memory.
  private static let memoryPath = ":memory:"

  /// The place of a store of that type.
  ///
  /// - Throws: 134000 for a type there is none of, 134080 for a file without a URL.
  package init(type: String, url: URL?) throws {
    switch type {
    case StoreKeys.memoryType: self = .memory
    case StoreKeys.sqliteType:
      guard let url else {
        throw NSError.coreData(StoreErrorCode.open, "A SQLite store needs a file; none was given.")
      }
      guard url.isFileURL else {
        throw NSError.coreData(StoreErrorCode.open, "A SQLite store needs a file; \(url) is not a file URL.")
      }
      self = url.path == Self.nowhere ? .memory : .file(url.path)
    default:
      throw NSError.coreData(
        StoreErrorCode.invalidType,
        "There is no store type \(type); use NSSQLiteStoreType or NSInMemoryStoreType.")
    }
  }

  var isMemory: Bool {
    if case .memory = self { true } else { false }
  }

  /// The path as SQLite takes it.
  package var path: String {
    switch self {
    case .file(let path): path
    case .memory: Self.memoryPath
    }
  }

  /// How messages call the store.
  package var label: String {
    switch self {
    case .file(let path): path
    case .memory: "in memory"
    }
  }

  /// Why no store is moved here.
  package var isTaken: NSError {
    NSError.coreData(
      CocoaError.Code.fileWriteFileExists.rawValue,
      "There is a store at \(path) already; destroy it before another is moved there.",
      userInfo: [NSFilePathErrorKey: path])
  }
}
