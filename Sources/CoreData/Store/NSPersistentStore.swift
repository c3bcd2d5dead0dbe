/// Type of a store in one SQLite file.
public let NSSQLiteStoreType = "SQLite"

/// Option: pragmas of SQLite, as a dictionary of strings, such as `["synchronous": "FULL"]`.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: a store that is only read.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"

/// Metadata key: the store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata key: the store's type.
public let NSStoreTypeKey = "NSStoreType"

/// A file of objects that a coordinator has opened.
///
/// Thread-safe.
/// - SeeAlso: Apple, "NSPersistentStore".
open class NSPersistentStore: NSObject, @unchecked Sendable {
  // Sendable: nothing changes after `init`; the SQLite store locks its own connections.

  final let sqlite: SQLiteStore

  init(sqlite: SQLiteStore) { self.sqlite = sqlite }

  /// The type; `NSSQLiteStoreType`.
  open var type: String { NSSQLiteStoreType }

  /// The file.
  open var url: URL? { sqlite.url }

  /// The store's UUID; part of its objects' IDs.
  open var identifier: String! { sqlite.identity.uuid }

  /// The options it was opened with.
  open var options: [AnyHashable: Any]? { sqlite.options.dictionary }

  /// Whether saves are refused.
  open var isReadOnly: Bool { sqlite.options.isReadOnly }

  /// What the file says of itself: type, UUID, versions of the model's entities.
  open var metadata: [String: Any]! { sqlite.metadata }
}
