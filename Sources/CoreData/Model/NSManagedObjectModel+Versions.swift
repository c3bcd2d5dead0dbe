extension NSManagedObjectModel {
  /// The version hashes of the entities by their names.
  public final var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  /// Whether the entities of a configuration, all with nil, are those that a store was made with: the same names, each
  /// with the same version hash.
  ///
  /// False for stores made by Apple's tools, whose hashes are computed in another way; opening one compares its tables.
  public final func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let hashes = Self.hashes(metadata), let entities = entities(forConfigurationName: configuration) else {
      return false
    }
    let own = entities.map { ($0.name ?? "", $0.versionHash) }
    return hashes == Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  /// 16 bytes in Base64 that two models have in common whose entities have the same version hashes.
  public final var versionChecksum: String {
    let text = entityVersionHashesByName.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.base64EncodedString())" }.joined(separator: ";")
    return VersionHash.bytes(of: text).prefix(16).base64EncodedString()
  }

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
