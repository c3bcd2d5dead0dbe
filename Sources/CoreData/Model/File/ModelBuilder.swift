import RowStore

/// Makes the entities of a model from its XML, and collects everything that is wrong with it.
struct ModelBuilder {
  /// An entity and the element it was made of.
  struct Entity {
    let description: NSEntityDescription
    let element: ModelElement
  }

  /// A property and the element it was made of.
  struct Property {
    let description: NSPropertyDescription
    let element: ModelElement
  }

  let path: String
  /// In the file's order.
  private(set) var entities: [Entity] = []
  private(set) var entitiesByName: [String: Entity] = [:]
  /// Own properties of each entity, in the file's order.
  var properties: [ObjectIdentifier: [Property]] = [:]
  private(set) var composites: [String: ModelElement] = [:]
  private(set) var problems: [ModelFileError.Problem] = []
  private(set) var warnings: [ModelFileError.Problem] = []

  /// Reads a version of a model into `model`, which is empty.
  ///
  /// - Returns: parts that were read and not understood, or are not as they should be, and do no harm.
  static func read(
    _ version: ModelFile.Version, into model: NSManagedObjectModel
  ) throws(ModelFileError) -> [ModelFileError.Problem] {
    guard let data = FileManager.default.contents(atPath: version.path) else {
      let isThere = FileManager.default.fileExists(atPath: version.path)
      throw ModelFileError(version.path, isThere ? "cannot be read" : "there is no such file", isMissing: !isThere)
    }
    return try build(data, path: version.path, into: model)
  }

  /// The same from the bytes themselves, XML or a compiled model; `path` is for errors.
  static func build(
    _ data: Data, path: String, into model: NSManagedObjectModel
  ) throws(ModelFileError) -> [ModelFileError.Problem] {
    if CompiledModelBuilder.isCompiled(data) { return try CompiledModelBuilder.build(data, path: path, into: model) }
    // A package's plugin puts the XML in the place of the compiled model.
    if path.hasSuffix(".mom"), !data.starts(with: Array("momv".utf8)), data.first != UInt8(ascii: "<") {
      throw ModelFileError(path, "is no compiled model, which is a binary property list")
    }
    let root = try ModelXMLReader.read(data, path: path)
    guard root.name == "model" else {
      throw ModelFileError(path, line: root.line, "the outermost element is <\(root.name)>, not <model>")
    }
    var builder = ModelBuilder(path: path)
    builder.build(root, model)
    guard builder.problems.isEmpty else {
      throw ModelFileError(builder.problems.sorted { ($0.line ?? 0, $0.message) < ($1.line ?? 0, $1.message) })
    }
    return builder.warnings
  }

  private init(path: String) { self.path = path }

  // MARK: Problems

  mutating func problem(_ element: ModelElement, _ message: String) {
    problems.append(ModelFileError.Problem(path: path, line: element.line, message: message))
  }

  mutating func warning(_ element: ModelElement, _ message: String) {
    warnings.append(ModelFileError.Problem(path: path, line: element.line, message: message))
  }

  /// An attribute that is YES or NO; `fallback` where it is not there.
  mutating func flag(_ element: ModelElement, _ name: String, _ fallback: Bool = false) -> Bool {
    guard let text = element[name] else { return fallback }
    switch text.uppercased() {
    case "YES", "TRUE", "1": return true
    case "NO", "FALSE", "0": return false
    default:
      problem(element, "\(name) is \"\(text)\"; YES or NO")
      return fallback
    }
  }

  /// An attribute that is a count; nil where it is not there.
  mutating func count(_ element: ModelElement, _ name: String) -> Int? {
    guard let text = element[name] else { return nil }
    if let number = Int(text), number >= 0 { return number }
    problem(element, "\(name) is \"\(text)\"; a number from 0")
    return nil
  }

  /// The name of an element, which it must have.
  mutating func name(_ element: ModelElement, of what: String) -> String? {
    if let name = element["name"], !name.isEmpty { return name }
    problem(element, "\(what) has no name")
    return nil
  }

  /// The name of an entity or a property: it becomes one in the store, and a key.
  mutating func identifier(_ element: ModelElement, of what: String) -> String? {
    guard let name = name(element, of: what) else { return nil }
    if Self.isIdentifier(name) { return name }
    problem(element, "\(what) is called \"\(name)\"; letters, digits and _, the first no digit")
    return nil
  }

  /// Letters, digits and `_`, the first no digit.
  static func isIdentifier(_ name: String) -> Bool {
    name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) && name.first?.isNumber == false
  }

  /// The `userInfo` of an element.
  func userInfo(_ element: ModelElement) -> [AnyHashable: Any] {
    let entries = element.children("userInfo").flatMap { $0.children("entry") }
    return Dictionary(
      entries.compactMap { entry in entry["key"].map { ($0 as AnyHashable, entry["value"] ?? "") } },
      uniquingKeysWith: { _, last in last })
  }

  // MARK: The model

  private mutating func build(_ root: ModelElement, _ model: NSManagedObjectModel) {
    for element in root.children("composite") + root.children("compositeAttribute") {
      guard let name = name(element, of: "a composite") else { continue }
      if composites.updateValue(element, forKey: name) != nil {
        problem(element, "the composite \(name) is declared twice")
      }
    }
    for element in root.children("entity") { addEntity(element) }
    precondition(entities.count == entitiesByName.count, "each entity has a name of its own")
    connectParents()
    for entity in entities { readProperties(entity) }
    for entity in entities { checkInheritedNames(entity) }
    precondition(properties.count == entities.count, "relationships are connected once all properties are known")
    connectRelationships()
    for entity in entities { readIndexes(entity) }
    readRequests(root, model)
    if !problems.isEmpty { return }
    for entity in entities {
      entity.description.properties = properties[ObjectIdentifier(entity.description)]?.map(\.description) ?? []
    }
    model.entities = entities.map(\.description)
    // The editor writes an empty identifier where there is none.
    model.versionIdentifiers = [root["userDefinedModelVersionIdentifier"] ?? ""]
    let known: Set = [
      "entity", "elements", "configuration", "fetchRequest", "composite", "compositeAttribute", "userInfo",
    ]
    for element in root.children where !known.contains(element.name) {
      warning(element, "<\(element.name)> is not understood, and left out")
    }
  }

  private mutating func addEntity(_ element: ModelElement) {
    guard let name = identifier(element, of: "an entity") else { return }
    if entitiesByName[name] != nil { return problem(element, "the entity \(name) is declared twice") }
    let description = NSEntityDescription()
    description.name = name
    description.managedObjectClassName =
      element["representedClassName"].flatMap { $0.isEmpty ? nil : $0 } ?? "NSManagedObject"
    description.classRule = .namedOrPlain
    description.isAbstract = flag(element, "isAbstract")
    description.renamingIdentifier = element["elementID"]
    description.versionHashModifier = element["versionHashModifier"]
    description.userInfo = userInfo(element)
    if let text = element["coreSpotlightDisplayNameExpression"], !text.isEmpty,
      let expression = expression(text, element, "\(name): coreSpotlightDisplayNameExpression")
    {
      description.coreSpotlightDisplayNameExpression = expression
    }
    let entity = Entity(description: description, element: element)
    entities.append(entity)
    entitiesByName[name] = entity
  }

  private mutating func connectParents() {
    var children: [String: [NSEntityDescription]] = [:]
    for entity in entities {
      guard let parent = entity.element["parentEntity"], !parent.isEmpty else { continue }
      if entitiesByName[parent] == nil {
        problem(entity.element, "\(entity.name): there is no entity \(parent) to be its parent")
      } else if isOwnAncestor(entity) {
        problem(entity.element, "\(entity.name): inherits from itself")
      } else {
        children[parent, default: []].append(entity.description)
      }
    }
    for (parent, entities) in children { entitiesByName[parent]?.description.subentities = entities }
  }

  private func isOwnAncestor(_ entity: Entity) -> Bool {
    var seen: Set<String> = []
    var name = entity.element["parentEntity"]
    while let current = name, seen.insert(current).inserted {
      if current == entity.name { return true }
      name = entitiesByName[current]?.element["parentEntity"]
    }
    return false
  }

  private mutating func checkInheritedNames(_ entity: Entity) {
    for property in properties[ObjectIdentifier(entity.description)] ?? [] {
      var ancestor = entity.description.superentity
      while let current = ancestor {
        if properties[ObjectIdentifier(current)]?.contains(where: { $0.description.name == property.description.name })
          ?? false
        {
          problem(
            property.element,
            "\(entity.name).\(property.description.name): the name is taken by a property of its parent \(current.name ?? "")"
          )
        }
        ancestor = current.superentity
      }
    }
  }

  /// The property of that name that an entity has or inherits.
  func property(_ name: String, of entity: NSEntityDescription) -> Property? {
    var candidate: NSEntityDescription? = entity
    while let current = candidate {
      if let property = properties[ObjectIdentifier(current)]?.first(where: { $0.description.name == name }) {
        return property
      }
      candidate = current.superentity
    }
    return nil
  }
}

extension ModelBuilder.Entity {
  var name: String { description.name ?? "" }
}
