/// Parts of Core Data, and of what is used with it, that code for Apple's systems may name and that are not there on Linux.
enum PortedAbsence {
  private static let prefixes = [
    "NSCoreDataCoreSpotlight", "NSCustomMigration", "NSEntityMapping", "NSIncrementalStore", "NSLightweightMigration",
    "NSMigrationStage", "NSPersistentCloudKit", "NSPersistentHistory", "NSPersistentStoreDeferred",
    "NSPersistentStoreFileProtection", "NSPersistentStoreModelVersionChecksum", "NSPersistentStoreRemoteChange",
    "NSPersistentStoreStagedMigration", "NSPersistentStoreUbiquit", "NSPropertyMapping", "NSStagedMigration",
  ]

  private static let names: Set<String> = [
    "NSAtomicStore", "NSAtomicStoreCacheNode", "NSDiffableDataSourceSnapshotReference", "NSEntityMigrationPolicy",
    "NSIgnorePersistentStoreVersioningOption", "NSInferredMappingModelException", "NSManagedObjectModelReference",
    "NSMappingModel", "NSMigrationManager", "NSQueryGenerationToken", "NSXMLStoreType", "CFAbsoluteTimeGetCurrent",
  ]

  /// What to do about a name; nil for what Linux has, and for names that are only similar.
  static func message(for name: String) -> String? {
    guard names.contains(name) || prefixes.contains(where: name.hasPrefix), !known.contains(name) else { return nil }
    return "there is no \(name) on Linux. Leave it out, or put it between #if canImport(ObjectiveC) and #endif."
  }

  /// Codes of errors that begin as what is missing does.
  private static let known: Set<String> = ["NSPersistentHistoryTokenExpiredError"]
}
