import Scheduling
import RowStore

/// Type of a store in one SQLite file.
public let NSSQLiteStoreType = StoreKeys.sqliteType
/// Type of a store in memory, gone when its coordinator closes it.
public let NSInMemoryStoreType = StoreKeys.memoryType
/// Type of a store in a file that is read as a whole; a coordinator refuses it with 134000.
public let NSBinaryStoreType = "Binary"

/// Option: pragmas of SQLite, as a dictionary of strings, such as `["synchronous": "FULL"]`.
public let NSSQLitePragmasOption = StoreOptions.Key.pragmas
/// Option: a store that is only read.
public let NSReadOnlyPersistentStoreOption = StoreOptions.Key.readOnly
/// Option: seconds to wait for another process's lock on the file before an error.
public let NSPersistentStoreTimeoutOption = StoreOptions.Key.timeout
/// Option: whether statistics for the query planner are gathered when the store is opened.
public let NSSQLiteAnalyzeOption = StoreOptions.Key.analyze
/// Option: whether the file is rebuilt without gaps when the store is opened.
public let NSSQLiteManualVacuumOption = StoreOptions.Key.vacuum
/// Option: whether a store that does not fit the model is to be migrated; that is not available yet, and such a store is
/// refused with 134130 rather than 134100.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether a mapping is inferred where a store is migrated; without effect yet.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option of destroying and replacing: whether the file goes even if others have locks on it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// Metadata key: the store's UUID.
public let NSStoreUUIDKey = StoreKeys.uuid
/// Metadata key: the store's type.
public let NSStoreTypeKey = StoreKeys.type

/// Objects that a coordinator has opened: in a file, or in memory.
///
/// Thread-safe.
/// - SeeAlso: Apple, "NSPersistentStore".
open nonisolated class NSPersistentStore: NSObject, @unchecked Sendable {
  // Sendable: the parts that change after `init` are behind a lock; the SQLite store locks its own connections.

  // Sendable: only behind the lock.
  private struct State: @unchecked Sendable {
    var sqlite: SQLiteStore
    var url: URL
    weak var coordinator: NSPersistentStoreCoordinator?
  }

  private let configuration: String?

  private let state: Locked<State>

  init(sqlite: SQLiteStore, url: URL?, configuration: String?, coordinator: NSPersistentStoreCoordinator) {
    self.configuration = configuration
    state = Locked(State(sqlite: sqlite, url: url ?? Self.memoryURL(sqlite.identity.uuid), coordinator: coordinator))
  }

  /// The URL of a store without a file.
  private static func memoryURL(_ uuid: String) -> URL {
    guard let url = URL(string: "memory://\(uuid)") else { preconditionFailure("\(uuid) is a UUID") }
    return url
  }

  final var sqlite: SQLiteStore { state.withLock { $0.sqlite } }

  /// Gives the store another database.
  final func move(to sqlite: SQLiteStore, _ url: URL) {
    state.withLock {
      $0.sqlite = sqlite
      $0.url = url
    }
  }

  /// The type: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  open var type: String { sqlite.type }

  /// The file, or the URL that the store in memory was opened with.
  open var url: URL? { state.withLock { $0.url } }

  /// The store's UUID; part of its objects' IDs.
  open var identifier: String! { sqlite.identity.uuid }

  /// The coordinator that opened it; nil once it is gone, or has closed the store.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { state.withLock { $0.coordinator } }

  /// The configuration it was opened with; `PF_DEFAULT_CONFIGURATION_NAME` for the whole model.
  open var configurationName: String { configuration ?? NSManagedObjectModel.defaultConfiguration }

  /// The options it was opened with.
  open var options: [AnyHashable: Any]? { sqlite.options.dictionary }

  /// Whether saves are refused.
  open var isReadOnly: Bool { sqlite.options.isReadOnly }

  /// The store's metadata: type, UUID, versions of the model's entities, and whatever was set.
  ///
  /// A change is written by the coordinator's next save; UUID and type do not change.
  open var metadata: [String: Any]! {
    get { sqlite.metadata }
    set { sqlite.setMetadata(newValue ?? [:]) }
  }

  /// Called when `coordinator` has opened the store; does nothing here.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called when `coordinator` is about to close the store; does nothing here.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  final func leaveCoordinator() { state.withLock { $0.coordinator = nil } }
}

extension NSPersistentStore {
  /// A type of stores, under Apple's newer names.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type as ``NSPersistentStore/type`` has it.
    public let rawValue: String

    /// The type of that name, whether there is one or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A store in one SQLite file.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// A store in memory.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// A store in a file that is read as a whole; a coordinator refuses it with 134000.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
  }
}
