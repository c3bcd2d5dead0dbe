import Cells
import CoreData
import Scheduling

/// A model drawn from a seed, as data: entities with inheritance, attributes of every type, relationships of every kind with
/// every delete rule that leaves no dangling key.
///
/// Property names are unique in the whole model, so that a name alone says which property is meant.
struct DrawnModel: Sendable {
  struct Entity: Sendable {
    let name: String
    let parent: String?
    /// Names of its own and of inherited attributes that can be set, in the order of their making.
    var attributes: [String]
    /// Names of its own and of inherited relationships.
    var relationships: [String]
  }

  struct Attribute: Sendable {
    let name: String
    let entity: String
    let type: NSAttributeType
    var isOptional = true
    var isExternal = false
    var isUnique = false
    /// The relationship that a derived attribute counts; nil for one that can be set.
    var counted: String?
  }

  struct Relationship: Sendable {
    let name: String
    /// The entity that declares it.
    let entity: String
    let destination: String
    let isToMany: Bool
    let isOrdered: Bool
    let rule: NSDeleteRule
    /// Nil for one without inverse.
    let inverse: String?
  }

  /// Attributes of every object: the number of its client, and its own.
  static let island = "island"
  static let number = "number"
  /// Unique among the authors of an island.
  static let code = "authorCode"
  /// An entity without deletions, so that relationships without inverse lead to it.
  static let place = "Place"

  private(set) var entities: [String: Entity] = [:]
  /// Names in the order of their making; the same in every process.
  private(set) var entityNames: [String] = []
  private(set) var attributes: [String: Attribute] = [:]
  private(set) var relationships: [String: Relationship] = [:]
  private var random: SeededRandom
  private var cascades = 0

  /// Cascades of a model at most, so that a delete leaves something.
  private static let cascadesMax = 3
  /// Entities that other entities inherit from or that stand alone.
  static let roots = ["Author", "Book", "Chapter", place]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed).split(0xD0_DE1)
    for name in Self.roots { addEntity(name, parent: nil) }
    addEntity("Novelist", parent: "Author")
    addEntity("Novel", parent: "Book")
    if isDrawn(1, of: 2) { addEntity("Series", parent: "Novel") }
    for entity in entityNames { addAttributes(to: entity) }
    addRelationships()
    precondition(
      relationships.values.allSatisfy { $0.inverse == nil || relationships[$0.inverse ?? ""]?.inverse == $0.name },
      "two relationships are each other's inverses")
    for entity in entityNames { addCounts(to: entity) }
    inherit()
  }

  /// A model that is not drawn, with a text in each entity.
  init(entities names: [String], relationships all: [Relationship]) {
    precondition(Set(names).count == names.count, "an entity's name is its own")
    random = SeededRandom(seed: 0)
    for name in names { addEntity(name, parent: nil) }
    for relationship in all { add(relationship) }
    for name in names {
      add(
        Attribute(name: name == "Book" ? "title" : name.lowercased() + "Text", entity: name, type: .stringAttributeType)
      )
    }
  }

  // MARK: Drawing

  private mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func isDrawn(_ chances: Int, of all: Int) -> Bool { draw(all) < chances }

  private mutating func addEntity(_ name: String, parent: String?) {
    precondition(
      entities[name] == nil && parent.map { entities[$0] != nil } ?? true,
      "an entity is added once, and after its parent")
    entities[name] = Entity(name: name, parent: parent, attributes: [], relationships: [])
    entityNames.append(name)
  }

  private mutating func addAttributes(to entity: String) {
    let types: [NSAttributeType] = [
      .stringAttributeType, .integer64AttributeType, .integer16AttributeType, .doubleAttributeType,
      .booleanAttributeType,
      .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType, .decimalAttributeType,
      .integer32AttributeType, .floatAttributeType,
    ]
    let prefix = entity.lowercased()
    // A text and a number, which every query can ask for, and two more.
    add(Attribute(name: prefix + "Text", entity: entity, type: .stringAttributeType))
    add(Attribute(name: prefix + "Size", entity: entity, type: .integer32AttributeType, isOptional: isDrawn(1, of: 2)))
    for place in 0..<2 {
      let type = types[draw(types.count)]
      add(
        Attribute(
          name: prefix + "Extra\(place)", entity: entity, type: type,
          isExternal: type == .binaryDataAttributeType && isDrawn(1, of: 2)))
    }
    if entity == "Author" {
      add(Attribute(name: Self.code, entity: entity, type: .stringAttributeType, isUnique: true))
    }
  }

  private mutating func add(_ attribute: Attribute) {
    precondition(
      attributes[attribute.name] == nil && entities[attribute.entity] != nil,
      "an attribute has a name of its own, in an entity of the model")
    attributes[attribute.name] = attribute
    entities[attribute.entity]?.attributes.append(attribute.name)
  }

  private mutating func rule(ofMany isMany: Bool) -> NSDeleteRule {
    let drawn = draw(20)
    if drawn < (isMany ? 7 : 3), cascades < Self.cascadesMax {
      cascades += 1
      return .cascadeDeleteRule
    }
    return drawn >= (isMany ? 17 : 19) ? .denyDeleteRule : .nullifyDeleteRule
  }

  private enum Pair: CaseIterable {
    case oneToOne, oneToMany, orderedOneToMany, manyToMany, orderedManyToMany, ownOneToMany, ownManyToMany, friends
  }

  private mutating func addRelationships() {
    let candidates = entityNames.filter { $0 != Self.place }
    // One of each kind of the first four, and four more.
    var pairs: [Pair] = [.oneToOne, .oneToMany, .orderedOneToMany, .manyToMany]
    for _ in 0..<4 { pairs.append(Pair.allCases[draw(Pair.allCases.count)]) }
    for (number, pair) in pairs.enumerated() {
      let source = candidates[draw(candidates.count)]
      var destination = candidates[draw(candidates.count)]
      switch pair {
      case .ownOneToMany, .ownManyToMany, .friends: destination = source
      default: break
      }
      let (there, back) = ("link\(number)", "back\(number)")
      let (manyThere, manyBack): (Bool, Bool) =
        switch pair {
        case .oneToOne: (false, false)
        case .oneToMany, .orderedOneToMany, .ownOneToMany: (true, false)
        case .manyToMany, .orderedManyToMany, .ownManyToMany, .friends: (true, true)
        }
      let isOrdered = pair == .orderedOneToMany || pair == .orderedManyToMany
      if pair == .friends {
        add(
          Relationship(
            name: there, entity: source, destination: source, isToMany: true, isOrdered: false,
            rule: .nullifyDeleteRule, inverse: there))
        continue
      }
      add(
        Relationship(
          name: there, entity: source, destination: destination, isToMany: manyThere, isOrdered: isOrdered,
          rule: rule(ofMany: manyThere), inverse: back))
      add(
        Relationship(
          name: back, entity: destination, destination: source, isToMany: manyBack,
          isOrdered: pair == .orderedManyToMany && isDrawn(1, of: 2), rule: rule(ofMany: manyBack), inverse: there))
    }
    add(
      Relationship(
        name: "home", entity: candidates[draw(candidates.count)], destination: Self.place, isToMany: false,
        isOrdered: false, rule: .nullifyDeleteRule, inverse: nil))
    add(
      Relationship(
        name: "shown", entity: candidates[draw(candidates.count)], destination: Self.place, isToMany: true,
        isOrdered: isDrawn(1, of: 3), rule: .nullifyDeleteRule, inverse: nil))
  }

  private mutating func add(_ relationship: Relationship) {
    precondition(
      relationships[relationship.name] == nil && entities[relationship.entity] != nil,
      "a relationship has a name of its own, in an entity of the model")
    relationships[relationship.name] = relationship
    entities[relationship.entity]?.relationships.append(relationship.name)
  }

  /// Adds an attribute that counts the members of a to-many relationship, in one of two entities that have one.
  private mutating func addCounts(to entity: String) {
    guard let own = entities[entity], isDrawn(1, of: 2) else { return }
    guard let many = own.relationships.first(where: { relationships[$0]?.isToMany == true }) else { return }
    let name = entity.lowercased() + "Count"
    precondition(attributes[name] == nil, "an entity counts one of its relationships")
    attributes[name] = Attribute(name: name, entity: entity, type: .integer64AttributeType, counted: many)
  }

  private mutating func inherit() {
    for name in entityNames {
      guard var entity = entities[name], let parent = entity.parent.flatMap({ entities[$0] }) else { continue }
      entity.attributes.insert(contentsOf: parent.attributes, at: 0)
      entity.relationships.insert(contentsOf: parent.relationships, at: 0)
      entities[name] = entity
    }
  }

  // MARK: Asking

  /// An entity with those that inherit from it.
  func family(of name: String) -> [String] { entityNames.filter { isKind($0, of: name) } }

  /// Whether an entity is another one, or inherits from it.
  func isKind(_ name: String, of ancestor: String) -> Bool {
    name == ancestor || (entities[name]?.parent.map { isKind($0, of: ancestor) } ?? false)
  }

  /// The entity at the top of a family.
  func root(of name: String) -> String { entities[name]?.parent.map(root) ?? name }

  /// The derived attributes that objects of an entity have.
  func counts(of entity: String) -> [Attribute] {
    attributes.values.filter { $0.counted != nil && isKind(entity, of: $0.entity) }.sorted { $0.name < $1.name }
  }

  func relationship(_ name: String) -> Relationship {
    guard let relationship = relationships[name] else { preconditionFailure("\(name) is a relationship of the model") }
    return relationship
  }

  func entity(_ name: String) -> Entity {
    guard let entity = entities[name] else { preconditionFailure("\(name) is an entity of the model") }
    return entity
  }
}

extension DrawnModel {
  /// The same as a managed object model.
  func managedObjectModel() -> NSManagedObjectModel {
    let descriptions = Dictionary(uniqueKeysWithValues: entityNames.map { ($0, description(of: $0)) })
    var made: [String: NSRelationshipDescription] = [:]
    for relationship in relationships.values.sorted(by: { $0.name < $1.name }) {
      guard let destination = descriptions[relationship.destination] else { continue }
      let description =
        relationship.isToMany
        ? ModelParts.many(relationship.name, destination, relationship.rule)
        : ModelParts.one(relationship.name, destination, relationship.rule)
      description.isOrdered = relationship.isOrdered
      made[relationship.name] = description
      descriptions[relationship.entity]?.properties.append(description)
    }
    for (name, description) in made {
      description.inverseRelationship = relationships[name]?.inverse.flatMap { made[$0] }
    }
    precondition(made.count == relationships.count, "each relationship leads to an entity of the model")
    for name in entityNames {
      guard let parent = entities[name]?.parent, let child = descriptions[name] else { continue }
      descriptions[parent]?.subentities.append(child)
    }
    let model = NSManagedObjectModel()
    model.entities = entityNames.compactMap { descriptions[$0] }
    return model
  }

  private func description(of entity: String) -> NSEntityDescription {
    let description = NSEntityDescription()
    description.name = entity
    if entities[entity]?.parent == nil {
      description.properties = [ModelParts.number(Self.island), ModelParts.number(Self.number)]
    }
    for attribute in attributes.values.sorted(by: { $0.name < $1.name }) where attribute.entity == entity {
      description.properties.append(self.description(of: attribute))
      if attribute.isUnique { description.uniquenessConstraints = [[Self.island, attribute.name]] }
    }
    return description
  }

  private func description(of attribute: Attribute) -> NSAttributeDescription {
    if let counted = attribute.counted {
      let derived = NSDerivedAttributeDescription()
      derived.name = attribute.name
      derived.attributeType = attribute.type
      derived.derivationExpression = NSExpression(format: "\(counted).@count")
      return derived
    }
    let plain = ModelParts.attribute(attribute.name, attribute.type, isOptional: attribute.isOptional)
    plain.allowsExternalBinaryDataStorage = attribute.isExternal
    return plain
  }
}
