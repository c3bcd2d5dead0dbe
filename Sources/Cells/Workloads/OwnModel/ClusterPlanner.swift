import Boundary
import CoreData
import Scheduling

/// Plans clusters of objects of a model that are complete in themselves: every mandatory value is there, every
/// relationship has as many objects as it must and may have, and unique values are so over all clusters.
struct ClusterPlanner {
  /// Held, because entities do not hold theirs.
  private let model: NSManagedObjectModel
  private let entities: [NSEntityDescription]
  private let relationships: [RelationshipPair]
  private var generators: [String: AttributeGenerator] = [:]
  private var random: SeededRandom

  /// - Throws: ``AttributeGenerator/Impossible`` where a rule of the model cannot be met by drawing values.
  init(_ model: NSManagedObjectModel, seed: UInt64) throws(AttributeGenerator.Impossible) {
    self.model = model
    entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    relationships = RelationshipPair.all(of: model)
    random = SeededRandom(seed: seed)
    for entity in entities {
      for attribute in Self.attributes(of: entity) {
        let key = Self.key(of: attribute.name, in: entity)
        guard generators[key] == nil else { continue }
        do {
          generators[key] = try AttributeGenerator(
            attribute, isUnique: Self.uniqueAttributes(of: entity).contains(attribute.name))
        } catch {
          throw AttributeGenerator.Impossible(description: "\(entity.name ?? "?").\(error)")
        }
      }
    }
  }

  /// The attributes of an entity that are set, by name.
  static func attributes(of entity: NSEntityDescription) -> [NSAttributeDescription] {
    entity.attributesByName.values.filter { attribute in
      !(attribute is NSDerivedAttributeDescription) && (!attribute.isTransient || !attribute.isOptional)
        && attribute.attributeType != .undefinedAttributeType && attribute.attributeType != .objectIDAttributeType
    }.sorted { $0.name < $1.name }
  }

  /// A draw of one attribute's value, for an edit.
  mutating func value(
    of attribute: NSAttributeDescription, in entity: NSEntityDescription
  ) throws(AttributeGenerator.Impossible) -> Any? {
    let key = Self.key(of: attribute.name, in: entity)
    precondition(generators[key] != nil, "every attribute that is set has its generator")
    return try generators[key]?.draw(&random)
  }

  /// Plans a cluster with up to `count` objects of each entity that is not abstract; fewer where the relationships do
  /// not come out even.
  mutating func cluster(_ count: Int) throws(AttributeGenerator.Impossible) -> [PlannedObject] {
    precondition(count > 0, "a cluster has objects")
    var links = ClusterLinks(entities: entities.flatMap { Array(repeating: $0, count: max(count, leastCount)) })
    for relationship in relationships { relationship.link(&links, &random) }
    links.dropIncomplete(relationships)
    var objects: [PlannedObject] = []
    for position in links.kept {
      let entity = links.entities[position]
      var values: [String: Any] = [:]
      for attribute in Self.attributes(of: entity) {
        do {
          values[attribute.name] = try value(of: attribute, in: entity)
        } catch {
          throw AttributeGenerator.Impossible(description: "\(entity.name ?? "?").\(error)")
        }
      }
      objects.append(
        PlannedObject(entity: entity.name ?? "", values: values, links: links.keptLinks(of: position)))
    }
    for entity in entities where !objects.contains(where: { $0.entity == entity.name }) {
      throw AttributeGenerator.Impossible(
        description: "\(entity.name ?? "?"): of \(max(count, leastCount)) objects of each entity none has all that its "
          + "relationships ask for")
    }
    return objects
  }

  /// How many objects of each entity a cluster needs so that each least count can be met.
  private var leastCount: Int { max(2, relationships.map(\.leastCount).max() ?? 0) }

  /// A generator serves all entities that inherit the attribute, since its values are unique among all of them.
  private static func key(of attribute: String, in entity: NSEntityDescription) -> String {
    var declaring = entity
    while let above = declaring.superentity, above.attributesByName[attribute] != nil { declaring = above }
    return "\(declaring.name ?? "").\(attribute)"
  }

  /// One attribute of each constraint, drawn without repetition: the constraint holds whatever the others are.
  private static func uniqueAttributes(of entity: NSEntityDescription) -> Set<String> {
    let types: [NSAttributeType] = [
      .UUIDAttributeType, .stringAttributeType, .integer64AttributeType, .integer32AttributeType,
      .integer16AttributeType, .dateAttributeType, .URIAttributeType, .doubleAttributeType, .decimalAttributeType,
      .floatAttributeType, .binaryDataAttributeType, .booleanAttributeType,
    ]
    var names: Set<String> = []
    var level: NSEntityDescription? = entity
    while let current = level {
      for constraint in current.uniquenessConstraints {
        let attributes = constraint.compactMap { element in
          (element as? String ?? (element as? NSPropertyDescription)?.name).flatMap { entity.attributesByName[$0] }
        }
        let best = attributes.min { left, right in
          (types.firstIndex(of: left.attributeType) ?? types.count)
            < (types.firstIndex(of: right.attributeType) ?? types.count)
        }
        if let best { names.insert(best.name) }
      }
      level = current.superentity
    }
    return names
  }
}
