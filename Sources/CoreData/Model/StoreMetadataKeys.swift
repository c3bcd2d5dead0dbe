import RowStore

/// Key of a store's metadata for the version hashes of its entities, by their names.
public let NSStoreModelVersionHashesKey = StoreKeys.versionHashes

/// Key of a store's metadata for the identifiers of its model's version.
public let NSStoreModelVersionIdentifiersKey = StoreKeys.versionIdentifiers
