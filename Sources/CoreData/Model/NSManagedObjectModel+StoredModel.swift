import RowStore

extension NSManagedObjectModel: StoredModel {
  package final var storedIdentifiers: [String] { versionIdentifiers.compactMap { $0 as? String }.sorted() }

  package final func versionHash(of entity: EntityLayout) -> Data { entity.objects.versionHash }

  package final func isVersionHashVerified(of entity: EntityLayout) -> Bool { VersionHash.isVerified(entity.entity) }

  /// Made once: tests make many stores of one model, which is frozen.
  package final func copy(of entities: [EntityLayout]) throws -> Data {
    let members = entities.map(\.entity)
    let key = members.map { ObjectIdentifier($0) }
    if let copy = storedCopies.current[key] { return copy }
    let copy = try ModelArchiver.cache(members, identifiers: storedIdentifiers)
    storedCopies.withLock { $0[key] = copy }
    return copy
  }

  /// Indexes by ranges of several numbers and indexes of some rows only are left out: they change no result.
  package final func indexes(of entity: EntityLayout) -> EntityIndexes {
    let description = entity.entity
    let indexed = description.propertiesByName.filter(\.value.isIndexed)
    var indexes = EntityIndexes()
    indexes.properties = entity.properties.filter { $0.owner === entity && indexed[$0.name] != nil }.map(\.name)
    indexes.compounds = description.compoundIndexes.map { compound in
      compound.map { NSPropertyDescription.keyPath(of: $0) }
    }
    for index in description.indexes where index.partialIndexPredicate == nil {
      guard index.elements.allSatisfy({ $0.collationType == .binary }) else { continue }
      indexes.indexes.append(
        EntityIndexes.Index(
          name: index.name, elements: index.elements.map { ($0.property?.keyPath ?? "", $0.isAscending) }))
    }
    return indexes
  }
}

extension NSEntityDescription: EntityConstant {
  final var constantName: String { name ?? "" }

  final var constantNumber: Int { layoutReference?.takeUnretainedValue().number ?? 0 }
}
