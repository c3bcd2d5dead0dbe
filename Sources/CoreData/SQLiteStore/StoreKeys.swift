/// Names of types of stores, and keys of what a store says of itself.
enum StoreKeys {
  /// The type of a store in a file.
  static let sqliteType = "SQLite"
  /// The type of a store in memory.
  static let memoryType = "InMemory"
  static let uuid = "NSStoreUUID"
  static let type = "NSStoreType"
  /// Version hashes by the names of entities.
  static let versionHashes = "NSStoreModelVersionHashes"
  static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
}
