import RowStore

/// Makes the entities of a model from a file by Apple's compiler: a `.mom`, or the copy that a store keeps.
///
/// The file is a keyed archive. Its objects are read as fields, so that no class is made because a file names it.
struct CompiledModelBuilder {
  let path: String
  let archive: ModelArchive
  var problems: [ModelFileError.Problem] = []
  private(set) var warnings: [ModelFileError.Problem] = []
  /// By their places in the archive.
  var entities: [Int: NSEntityDescription] = [:]
  private(set) var properties: [Int: NSPropertyDescription] = [:]
  /// Predicates and expressions by their places, and how many parts they have.
  var formats = CompiledFormats()

  /// Whether the bytes begin as a compiled model does.
  static func isCompiled(_ data: Data) -> Bool { data.starts(with: Array("bplist".utf8)) }

  /// Reads an archive into `model`, which is empty; `path` is for errors.
  ///
  /// - Returns: the parts that were left out, which does no harm.
  static func build(
    _ data: Data, path: String, into model: NSManagedObjectModel
  ) throws(ModelFileError) -> [ModelFileError.Problem] {
    do {
      var builder = CompiledModelBuilder(path: path, archive: try ModelArchive(data))
      try builder.build(model)
      guard builder.problems.isEmpty else { throw ModelFileError(builder.problems) }
      return builder.warnings
    } catch let error as ModelFileError {
      throw error
    } catch {
      throw ModelFileError(path, "\(error)")
    }
  }

  private init(path: String, archive: ModelArchive) {
    self.path = path
    self.archive = archive
  }

  mutating func problem(_ message: String) {
    problems.append(ModelFileError.Problem(path: path, line: nil, message: message))
  }

  mutating func warning(_ message: String) {
    warnings.append(ModelFileError.Problem(path: path, line: nil, message: message))
  }

  /// The name of an entity, a property or an index, which becomes one in the store.
  mutating func identifier(_ value: ModelArchive.Value?, of what: String) throws -> String? {
    guard let name = try archive.text(value), !name.isEmpty else {
      problem("\(what) has no name")
      return nil
    }
    if ModelBuilder.isIdentifier(name) { return name }
    problem("\(what) is called \"\(name)\"; letters, digits and _, the first no digit")
    return nil
  }

  // MARK: The model

  private mutating func build(_ model: NSManagedObjectModel) throws {
    let root = try archive.root()
    guard root.className == "NSManagedObjectModel" else {
      throw ModelArchive.Failure(description: "is an archive of \(root.className), not of a model")
    }
    var objects: [(object: ModelArchive.Object, entity: NSEntityDescription)] = []
    for (key, value) in try archive.dictionary(root["NSEntities"]) {
      guard let object = try archive.object(value), object.className == "NSEntityDescription" else {
        problem("\(key) is no entity")
        continue
      }
      guard entities[object.index] == nil else { continue }
      guard let name = try identifier(object["NSEntityName"], of: "an entity") else { continue }
      if objects.contains(where: { $0.entity.name == name }) { problem("the entity \(name) is there twice") }
      let entity = try entity(name, object)
      entities[object.index] = entity
      objects.append((object, entity))
    }
    precondition(entities.count == objects.count, "each entity is read once")
    try connectParents(objects)
    // A parent's properties are known before those of its sub-entities.
    for (object, entity) in objects.sorted(by: { Self.depth($0.entity) < Self.depth($1.entity) }) {
      try readProperties(object, entity)
    }
    for (object, entity) in objects { try connectRelationships(object, entity) }
    for (object, entity) in objects { try readIndexes(object, entity) }
    try readRequests(root, objects.map(\.object), model)
    guard problems.isEmpty else { return }
    model.entities = objects.map(\.entity)
    model.versionIdentifiers = Set(try archive.list(root["NSVersionIdentifiers"]).compactMap { try archive.text($0) })
  }

  private func entity(_ name: String, _ object: ModelArchive.Object) throws -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    let className = try archive.text(object["NSClassNameForEntity"]) ?? ""
    entity.managedObjectClassName = className.isEmpty ? "NSManagedObject" : className
    entity.classRule = .namedOrPlain
    entity.isAbstract = archive.flag(object["NSIsAbstract"])
    if let identifier = try archive.text(object["NSRenamingIdentifier"]), identifier != name {
      entity.renamingIdentifier = identifier
    }
    entity.versionHashModifier = try archive.text(object["NSVersionHashModifier"])
    entity.userInfo = try userInfo(object["NSUserInfo"])
    return entity
  }

  private mutating func connectParents(_ objects: [(object: ModelArchive.Object, entity: NSEntityDescription)]) throws {
    var parents: [ObjectIdentifier: NSEntityDescription] = [:]
    for (object, entity) in objects {
      guard let parent = try archive.object(object["NSSuperentity"]) else { continue }
      guard let parentEntity = entities[parent.index] else {
        problem("\(entity.name ?? ""): its parent is not in the model")
        continue
      }
      parents[ObjectIdentifier(entity)] = parentEntity
    }
    for (_, entity) in objects {
      var seen: Set<ObjectIdentifier> = []
      var current = parents[ObjectIdentifier(entity)]
      while let ancestor = current, seen.insert(ObjectIdentifier(ancestor)).inserted {
        current = parents[ObjectIdentifier(ancestor)]
      }
      if current != nil {
        problem("\(entity.name ?? ""): inherits from itself")
        return
      }
    }
    for (_, entity) in objects {
      entity.subentities = objects.map(\.entity).filter { parents[ObjectIdentifier($0)] === entity }
    }
  }

  /// Pairs of texts; the editor makes no others.
  func userInfo(_ value: ModelArchive.Value?) throws -> [AnyHashable: Any] {
    let pairs = try archive.dictionary(value).compactMap { key, value in
      try archive.text(value).map { (AnyHashable(key), $0 as Any) }
    }
    return Dictionary(pairs) { _, last in last }
  }

  // MARK: Properties

  private mutating func readProperties(_ object: ModelArchive.Object, _ entity: NSEntityDescription) throws {
    var own: [NSPropertyDescription] = []
    let inherited = entity.superentity?.propertiesByName ?? [:]
    for (_, value) in try archive.dictionary(object["NSProperties"]) {
      guard let object = try archive.object(value) else { continue }
      let owner = entity.name ?? ""
      // In a store's copy, inherited properties are there once more.
      if let name = try archive.text(object["NSPropertyName"]), let known = inherited[name] {
        properties[object.index] = known
        continue
      }
      guard let name = try identifier(object["NSPropertyName"], of: "\(owner): a property"),
        let property = try property(object, "\(owner).\(name)")
      else { continue }
      property.name = name
      try readCommon(object, property)
      if own.contains(where: { $0.name == name }) { problem("\(owner).\(name): the name is taken") }
      properties[object.index] = property
      own.append(property)
    }
    entity.properties = own.sorted { $0.name < $1.name }
  }

  private static func depth(_ entity: NSEntityDescription) -> Int {
    entity.superentity.map { depth($0) + 1 } ?? 0
  }

  private mutating func connectRelationships(_ object: ModelArchive.Object, _ entity: NSEntityDescription) throws {
    for (_, value) in try archive.dictionary(object["NSProperties"]) {
      guard let object = try archive.object(value),
        let relationship = properties[object.index] as? NSRelationshipDescription, relationship.entity === entity
      else { continue }
      let label = "\(entity.name ?? "").\(relationship.name)"
      let destination = try archive.object(object["NSDestinationEntity"]).flatMap { entities[$0.index] }
      guard let destination else {
        problem("\(label): its destination is not in the model")
        continue
      }
      relationship.destinationEntity = destination
      guard let back = try archive.object(object["NSInverseRelationship"]) else { continue }
      guard let inverse = properties[back.index] as? NSRelationshipDescription else {
        problem("\(label): its inverse is no relationship of the model")
        continue
      }
      relationship.inverseRelationship = inverse
    }
  }
}
