import Checking
import CoreData

// S6.3, S9.1, S9.2: models of drawn groups of entities, all of them, some, or one of them changed: which have the same hashes, fit a
// store or a configuration, are equal, and are found again among many by a store's metadata; what is merged or copied is a model of
// its own.

extension RuleTrial {
  func parts() throws {
    let drawn = PartsModel(self)
    let coordinator = try open(drawn.make(drawn.groups))
    let model = coordinator.managedObjectModel
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file)
    note("groups \(drawn.groups), configurations \(drawn.configurations)")
    try require(
      metadata[NSStoreModelVersionHashesKey] as? [String: Data], model.entityVersionHashesByName, .wrongValue,
      "the hashes in the metadata of a store")
    let identifiers = metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
    try require(
      Set(identifiers.filter { !$0.isEmpty }), drawn.identifiers, .wrongValue,
      "the identifiers in the metadata of a store")
    try requireCopy(model.copy() as? NSManagedObjectModel, of: model, drawn)
    try requireCopy(drawn.make(drawn.groups), of: model, drawn)
    for change in shuffled(PartsModel.Change.allCases).prefix(8) { try tryChange(change, drawn, model, metadata) }
    for _ in 0..<4 { try findByMetadata(drawn, model, metadata) }
    for _ in 0..<2 { try mergeParts(drawn) }
    try changeCopy(model, drawn)
    try openConfigurations(drawn, model)
  }

  /// A model that is to be as another one, and has nothing in common with it.
  private func requireCopy(_ copy: NSManagedObjectModel?, of model: NSManagedObjectModel, _ drawn: PartsModel) throws {
    guard let copy else { return try report(.wrongValue, "the copy of a model", expected: "a model", seen: "none") }
    try require(
      copy.entityVersionHashesByName, model.entityVersionHashesByName, .wrongValue, "the hashes of a model's equal")
    try require(copy.versionChecksum, model.versionChecksum, .wrongValue, "the checksum of a model's equal")
    try require([copy == model, model == copy], [true, true], .wrongValue, "whether a model equals what is as it is")
    try require(copy.configurations, model.configurations, .wrongValue, "the configurations of a model's equal")
    try require(copy.versionIdentifiers, model.versionIdentifiers, .wrongValue, "the identifiers of a model's equal")
    try requireOwn(copy, "a model's equal")
    for name in model.configurations {
      try require(
        Set((copy.entities(forConfigurationName: name) ?? []).compactMap(\.name)),
        PartsModel.names(of: drawn.configurations[name] ?? []), .wrongValue,
        "the entities of \(name) of a model's equal")
    }
    for entity in model.entities {
      guard let name = entity.name, let other = copy.entitiesByName[name] else { continue }
      try require(other === entity, false, .wrongValue, "whether \(name) is an entity of two models")
      try require(other, entity, .wrongValue, "\(name) of a model's equal")
      for (key, property) in entity.propertiesByName {
        try require(
          [other.propertiesByName[key] == property, other.propertiesByName[key] === property], [true, false],
          .wrongValue, "whether \(key) of \(name) is equal and another one in a model's equal")
      }
    }
  }

  /// Everything in a model leads to what is the model's.
  private func requireOwn(_ model: NSManagedObjectModel, _ what: String) throws {
    func isOwn(_ entity: NSEntityDescription?) -> Bool {
      entity.map { own in model.entities.contains { $0 === own } } ?? true
    }
    for entity in model.entities {
      let name = entity.name ?? ""
      try require(entity.managedObjectModel === model, true, .wrongValue, "whether \(name) is of \(what)")
      try require(
        [isOwn(entity.superentity), entity.subentities.allSatisfy(isOwn)], [true, true], .wrongValue,
        "whether \(name) of \(what) inherits there")
      for (key, relationship) in entity.relationshipsByName {
        let inverse = relationship.inverseRelationship
        try require(
          [isOwn(relationship.destinationEntity), relationship.destinationEntity != nil, isOwn(inverse?.entity)],
          [true, true, true], .wrongValue, "whether \(key) of \(name) leads to entities of \(what)")
        try require(
          inverse?.inverseRelationship === relationship, true, .wrongValue,
          "whether \(key) of \(name) of \(what) is the inverse of its inverse")
      }
    }
  }

  // MARK: One changed

  private func tryChange(
    _ change: PartsModel.Change, _ drawn: PartsModel, _ model: NSManagedObjectModel, _ metadata: [String: Any]
  ) throws {
    let group = pick(drawn.groups) ?? "Alpha"
    let (other, text) = (drawn.make(shuffled(drawn.groups), change, of: group), "after \(change) of \(group)")
    note(text)
    let (hashes, before) = (other.entityVersionHashesByName, model.entityVersionHashesByName)
    let changed = Set(before.keys.filter { before[$0] != hashes[$0] })
    try require(
      changed, Set(change.changed.map { group + $0.rawValue }), .wrongValue, "the entities with another hash \(text)")
    try require(
      Set(hashes.keys).subtracting(before.keys), change == .newMate ? [group + "More"] : [], .wrongValue,
      "the entities that are new \(text)")
    let isSame = change.changed.isEmpty && change != .newMate
    try require(
      [
        other.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata),
        other.versionChecksum == model.versionChecksum, other == model,
      ], [isSame, isSame, false], .wrongValue, "whether a model fits a store, has its checksum and is equal \(text)")
    for (name, groups) in drawn.configurations {
      let isOfAll = Set(groups) == Set(drawn.groups)
      try require(
        other.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata), isOfAll && isSame, .wrongValue,
        "whether \(name) fits a store of all entities \(text)")
    }
    // Of these a file does not say by its hashes whether it fits.
    let unclear: [PartsModel.Change] = [.className, .entityModifier, .subModifier, .relationshipModifier]
    guard chance(1, of: 4), !unclear.contains(change) else { return }
    let code = AnythingClient.error { _ = try self.open(other) }?.code
    try require(
      code, isSame ? nil : NSPersistentStoreIncompatibleVersionHashError, .wrongValue,
      "the error of opening a store with a model \(text)")
  }

  // MARK: Parts

  /// Among models of one group each, of several, and of changed ones, a store finds those that it was made with; none where a group is
  /// missing, or there in another version alone.
  private func findByMetadata(
    _ drawn: PartsModel, _ model: NSManagedObjectModel, _ metadata: [String: Any]
  ) throws {
    var (parts, found): ([NSManagedObjectModel], Set<String>) = ([], [])
    let missing = chance(1, of: 2) ? pick(drawn.groups) : nil
    for group in drawn.groups where group != missing {
      parts.append(drawn.make([group]))
      found.insert(group)
    }
    if chance(1, of: 3), missing != drawn.groups[0], missing != drawn.groups[1] {
      parts.append(drawn.make(Array(drawn.groups.prefix(2))))
    }
    let versions = PartsModel.Change.allCases.filter { !$0.changed.isEmpty }
    for group in some(drawn.groups, atMost: 2) {
      guard let change = pick(versions) else { continue }
      note("\(group) of another version: \(change)")
      parts.append(drawn.make([group], change, of: group))
    }
    note("models of the groups \(found.sorted()) are chosen from by the metadata of a store")
    let order = shuffled(parts)
    let chosen = NSManagedObjectModel(byMerging: order, forStoreMetadata: metadata)
    try require(
      chosen == nil, missing != nil, .wrongValue, "whether there is no model for the metadata of a store")
    if let chosen {
      try require(
        chosen.entityVersionHashesByName, model.entityVersionHashesByName, .wrongValue,
        "the hashes of a model that was found by metadata")
      try require(
        chosen.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata), true, .wrongValue,
        "whether a model that was found by metadata fits them")
      try requireOwn(chosen, "a model that was found by metadata")
      if chance(1, of: 2) { _ = try open(chosen) }
    }
    try requireNone(order, model, metadata)
    withExtendedLifetime(parts) {}
  }

  /// Metadata of which one hash is another, is too many, or of which there are none, have no model.
  private func requireNone(
    _ parts: [NSManagedObjectModel], _ model: NSManagedObjectModel, _ metadata: [String: Any]
  ) throws {
    guard var hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
    var other = metadata
    let (name, form) = (pick(hashes.keys.sorted()) ?? "", draw(4))
    switch form {
    case 0: hashes[name]?[draw(32)] ^= 1
    case 1: hashes["Stranger"] = hashes[name]
    case 2: hashes = Dictionary(uniqueKeysWithValues: hashes.map { ($0.key == name ? "Renamed" : $0.key, $0.value) })
    default: hashes = [:]
    }
    other[NSStoreModelVersionHashesKey] = hashes.isEmpty ? nil : hashes
    try require(
      NSManagedObjectModel(byMerging: parts, forStoreMetadata: other) == nil, true, .wrongValue,
      "whether metadata with other hashes have no model, form \(form)")
    try require(
      model.isConfiguration(withName: nil, compatibleWithStoreMetadata: other), false, .wrongValue,
      "whether a model fits metadata with other hashes, form \(form)")
  }

  /// Models that overlap have each entity once when they are merged; they are as they were.
  private func mergeParts(_ drawn: PartsModel) throws {
    let subsets = (0..<(1 + draw(3))).map { _ in
      let subset = drawn.groups.filter { _ in chance(1, of: 2) }
      return subset.isEmpty ? [drawn.groups[0]] : subset
    }
    note("models of \(subsets) are merged")
    let models = subsets.map { drawn.make($0) }
    let equals = subsets.map { drawn.make($0) }
    let all = Array(Set(subsets.joined())).sorted()
    guard let merged = NSManagedObjectModel(byMerging: models) else {
      return try report(.wrongValue, "models that are merged", expected: "a model", seen: "none")
    }
    let names = merged.entities.compactMap(\.name)
    try require(names.sorted(), PartsModel.names(of: all).sorted(), .wrongValue, "the entities of a merged model")
    try require(
      merged.entityVersionHashesByName, drawn.make(all).entityVersionHashesByName, .wrongValue,
      "the hashes of a merged model")
    try require(
      Set(merged.configurations), Set(models.flatMap(\.configurations)), .wrongValue,
      "the configurations of a merged model")
    for name in merged.configurations {
      let members = merged.entities(forConfigurationName: name) ?? []
      try require(
        members.compactMap(\.name).sorted(), PartsModel.names(of: drawn.configurations[name] ?? []).sorted(),
        .wrongValue,
        "the entities of a configuration of a merged model")
      try require(
        members.allSatisfy { $0.managedObjectModel === merged }, true, .wrongValue,
        "whether a configuration of a merged model has entities of it")
    }
    try require(
      Set(merged.fetchRequestTemplatesByName.keys), Set(all.map { "of " + $0 }), .wrongValue,
      "the templates of a merged model")
    try require(
      merged.versionIdentifiers, Set(drawn.identifiers.map { AnyHashable($0) }), .wrongValue,
      "the identifiers of a merged model")
    try requireOwn(merged, "a merged model")
    for (model, equal) in zip(models, equals) {
      try require(model, equal, .wrongValue, "a model that was merged with others")
      try requireOwn(model, "a model that was merged with others")
    }
  }

  // MARK: Copies and configurations

  /// A copy of a model in use can be changed, and the model is as it was.
  private func changeCopy(_ model: NSManagedObjectModel, _ drawn: PartsModel) throws {
    guard let copy = model.copy() as? NSManagedObjectModel, let group = pick(drawn.groups) else { return }
    let (before, name) = (model.entityVersionHashesByName, group + "Mate")
    copy.entitiesByName[name]?.attributesByName["photo"]?.isOptional = false
    copy.setEntities(copy.entities.filter { $0.name == name }, forConfigurationName: "of the copy")
    copy.versionIdentifiers = ["of the copy"]
    copy.setFetchRequestTemplate(nil, forName: "of " + group)
    note("a copy of the model is changed")
    try require(
      model.entityVersionHashesByName, before, .wrongValue, "the hashes of a model after a change of its copy")
    try require(
      [model.configurations.contains("of the copy"), model.versionIdentifiers.contains("of the copy")], [false, false],
      .wrongValue, "whether a model has what was set of its copy")
    try require(
      model.fetchRequestTemplate(forName: "of " + group) == nil, false, .wrongValue,
      "whether a model has lost a template of its copy")
    let hashes = copy.entityVersionHashesByName
    try require(
      Set(before.keys.filter { before[$0] != hashes[$0] }), [name], .wrongValue, "the hashes of a copy that was changed"
    )
    guard let mate = model.entitiesByName[name], let alone = mate.copy() as? NSEntityDescription else { return }
    try require(alone, mate, .wrongValue, "the copy of an entity")
    for (key, property) in mate.propertiesByName {
      let copied = property.copy() as? NSPropertyDescription
      try require(
        [copied == property, copied?.entity == nil], [true, true], .wrongValue, "the copy of \(key) of \(name)")
      try require(
        [copied?.renamingIdentifier, copied?.versionHashModifier],
        [property.renamingIdentifier, property.versionHashModifier],
        .wrongValue, "identifier and modifier of the copy of \(key) of \(name)")
    }
  }

  /// A store of a configuration has its entities alone, and fits configurations of the same.
  private func openConfigurations(_ drawn: PartsModel, _ model: NSManagedObjectModel) throws {
    try require(model.configurations, drawn.configurations.keys.sorted(), .wrongValue, "the configurations of a model")
    guard let name = pick(model.configurations) else { return }
    let groups = Set(drawn.configurations[name] ?? [])
    let coordinator = try open(model, at: newURL(), type: NSInMemoryStoreType)
    let url = newURL()
    note("a store of \(name)")
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: name, at: url)
    let metadata = coordinator.metadata(for: store)
    try require(
      Set((metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys),
      PartsModel.names(of: groups.sorted()), .wrongValue, "the entities in the metadata of a store of a configuration")
    let fitting = model.configurations.filter {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    try require(
      fitting, drawn.configurations.filter { Set($0.value) == groups }.keys.sorted(), .wrongValue,
      "the configurations that fit a store of \(name)")
    try require(
      [nil, "no configuration"].map { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) },
      [groups == Set(drawn.groups), false], .wrongValue, "whether all entities fit a store of \(name)")
    let parts = shuffled(drawn.groups).map { drawn.make([$0]) }
    let chosen = NSManagedObjectModel(byMerging: parts, forStoreMetadata: metadata)
    try require(
      Set((chosen?.entitiesByName ?? [:]).keys), PartsModel.names(of: groups.sorted()), .wrongValue,
      "the entities of a model that was found by the metadata of a configuration")
    try close(coordinator)
  }
}
