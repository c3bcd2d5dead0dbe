/// Names of types of stores, and keys of a store's metadata.
package enum StoreKeys {
  /// The type of a store in a file.
  package static let sqliteType = "SQLite"
  /// The type of a store in memory.
  package static let memoryType = "InMemory"
  package static let uuid = "NSStoreUUID"
  package static let type = "NSStoreType"
  /// Version hashes by the names of entities.
  package static let versionHashes = "NSStoreModelVersionHashes"
  package static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
}
