import RowStore

extension NSManagedObjectModel {
  /// Makes a model of the entities, configurations and templates of others, as copies.
  ///
  /// An entity that several models have is taken once.
  /// - Precondition: no two models have different entities of one name.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    self.init()
    take(models ?? [])
  }

  /// Makes a model of those entities of `models` that a store was made with; nil where one of its entities has no equal
  /// among them.
  ///
  /// - Parameters:
  ///   - models: the models with the entities to choose from.
  ///   - metadata: the store's metadata; the entities' version hashes are compared.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let hashes = StoreMetadata.hashes(metadata) else { return nil }
    self.init()
    var chosen: [NSManagedObjectModel] = []
    var found: Set<String> = []
    for model in models {
      let own = model.entityVersionHashesByName
      let names = own.filter { hashes[$0.key] == $0.value }.map(\.key)
      // A model with another version of an entity is another version.
      guard names.count == own.count, !names.isEmpty else { continue }
      chosen.append(model)
      found.formUnion(names)
    }
    guard found == Set(hashes.keys) else { return nil }
    take(chosen)
  }

  /// A model with copies of everything, which can be changed.
  final func copied() -> NSManagedObjectModel {
    let copy = NSManagedObjectModel()
    copy.take([self])
    copy.localizationDictionary = localizationDictionary
    return copy
  }

  private func take(_ models: [NSManagedObjectModel]) {
    var copier = ModelCopier()
    var known: [String: (original: NSEntityDescription, copy: NSEntityDescription)] = [:]
    for entity in models.flatMap(\.entities) {
      let name = entity.name ?? ""
      if let (original, copy) = known[name] {
        precondition(original.isEqual(entity), "Can't merge models with two different entities named '\(name)'")
        copier.add(entity, existing: copy)
      } else {
        copier.add(entity)
        if let copy = copier.copy(of: entity) { known[name] = (entity, copy) }
      }
    }
    for entity in models.flatMap(\.entities) { copier.connect(entity) }
    entities = copier.copies
    for model in models {
      versionIdentifiers.formUnion(model.versionIdentifiers)
      for (name, members) in model.entitiesByConfiguration {
        let copies = members.compactMap(copier.copy(of:))
        let before = entitiesByConfiguration[name] ?? []
        entitiesByConfiguration[name] = before + copies.filter { copy in !before.contains { $0 === copy } }
      }
      for (name, template) in model.templates {
        precondition(
          templates[name].map { $0.asksTheSame(as: template) } ?? true,
          "Can't merge models with two different fetch request templates named '\(name)'")
        templates[name] = copier.copy(template)
      }
    }
  }
}
