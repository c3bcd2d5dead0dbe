import RowStore

extension NSManagedObjectModel {
  /// The version hashes of the entities by their names.
  public final var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  /// Whether the entities of a configuration, all with nil, are those that a store was made with: the same names, each
  /// with the same version hash.
  ///
  /// Version hashes alone are compared; opening a store looks at its tables where a hash is of no use.
  public final func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let hashes = StoreMetadata.hashes(metadata), let entities = entities(forConfigurationName: configuration)
    else {
      return false
    }
    let own = entities.map { ($0.name ?? "", $0.versionHash) }
    return hashes == Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  /// 32 bytes in Base64 that two models share when their entities have the same version hashes.
  public final var versionChecksum: String { ModelHashes.checksum(entityVersionHashesByName) }

  /// The checksums of the versions of a model on disk, by the versions' names.
  ///
  /// - Throws: 260 where there is no model, 259 where a version cannot be read; the sentence has file and line.
  public static func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
    let file = try ModelFile(modelURL.path)
    var checksums: [String: String] = [:]
    for version in file.versions {
      checksums[version.name] = try NSManagedObjectModel(reading: file, version: version).versionChecksum
    }
    return checksums
  }
}
