import CoreData

extension ModelListing {
  /// The properties that the entity itself declares: attributes, then relationships, then fetched properties, by name.
  static func ownProperties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
    let inherited = entity.superentity?.properties ?? []
    func rank(_ property: NSPropertyDescription) -> Int {
      property is NSAttributeDescription ? 0 : property is NSRelationshipDescription ? 1 : 2
    }
    return entity.properties.filter { property in !inherited.contains { $0 === property } }
      .sorted { (rank($0), $0.name) < (rank($1), $1.name) }
  }

  static func facts(_ entity: NSEntityDescription) -> Facts {
    var facts = Facts(name: entity.name ?? "?", kind: entity.isAbstract ? "abstract entity" : "entity")
    if let parent = entity.superentity?.name { facts.details.append("parent \(parent)") }
    if let name = entity.managedObjectClassName, name != "NSManagedObject" { facts.details.append("class \(name)") }
    for constraint in entity.uniquenessConstraints {
      facts.details.append("unique (\(constraint.map { "\($0)" }.joined(separator: ", ")))")
    }
    for index in entity.indexes {
      let elements = index.elements.map { element in
        (element.propertyName ?? "?") + (element.collationType == .rTree ? " rtree" : "")
          + (element.isAscending ? "" : " descending")
      }
      let condition = index.partialIndexPredicate.map { " where \($0.description)" } ?? ""
      facts.details.append("index \(index.name) (\(elements.joined(separator: ", ")))\(condition)")
    }
    for index in entity.compoundIndexes {
      facts.details.append("compound index (\(index.map { "\($0)" }.joined(separator: ", ")))")
    }
    facts.details += common(entity.renamingIdentifier, entity.name, entity.versionHashModifier, entity.userInfo)
    return facts
  }

  static func facts(_ property: NSPropertyDescription) -> Facts {
    var facts =
      switch property {
      case let attribute as NSAttributeDescription: attributeFacts(attribute)
      case let relationship as NSRelationshipDescription: relationshipFacts(relationship)
      case let fetched as NSFetchedPropertyDescription:
        Facts(name: property.name, kind: "fetched", details: fetched.fetchRequest.map { [text($0)] } ?? [])
      default: Facts(name: property.name, kind: "property")
      }
    var flags: [String] = []
    if !property.isOptional { flags.append("required") }
    if property.isTransient { flags.append("transient") }
    if property.isIndexed { flags.append("indexed") }
    facts.details = flags + facts.details
    facts.details += common(
      property.renamingIdentifier, property.name, property.versionHashModifier, property.userInfo)
    return facts
  }

  private static func common(
    _ renaming: String?, _ name: String?, _ modifier: String?, _ userInfo: [AnyHashable: Any]?
  ) -> [String] {
    var details: [String] = []
    if let renaming, renaming != name { details.append("was \(renaming)") }
    if let modifier { details.append("version hash modifier \(modifier)") }
    let entries = (userInfo ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
    if !entries.isEmpty { details.append("user info \(entries.joined(separator: " "))") }
    return details
  }

  // MARK: Attributes

  private static func attributeFacts(_ attribute: NSAttributeDescription) -> Facts {
    var facts = Facts(name: attribute.name, kind: name(attribute.attributeType))
    if let value = attribute.defaultValue { facts.details.append("default \(text(value))") }
    facts.details += attribute.validationPredicates.map(\.description)
    switch attribute {
    case let derived as NSDerivedAttributeDescription:
      facts.details.append("derived \(derived.derivationExpression?.description ?? "?")")
    case let composite as NSCompositeAttributeDescription:
      let elements = composite.elements.map { "\($0.name) \(name($0.attributeType))" }
      facts.details.append("of \(elements.joined(separator: ", "))")
    default: break
    }
    if let transformer = attribute.valueTransformerName { facts.details.append("transformer \(transformer)") }
    if attribute.attributeType == .transformableAttributeType, let type = attribute.attributeValueClassName {
      facts.details.append("class \(type)")
    }
    if attribute.allowsExternalBinaryDataStorage { facts.details.append("external") }
    if attribute.preservesValueInHistoryOnDeletion { facts.details.append("kept in history") }
    if attribute.allowsCloudEncryption { facts.details.append("encrypted in the cloud") }
    return facts
  }

  static func text(_ value: Any) -> String {
    switch value {
    case let text as String: "\"\(text)\""
    case let date as Date: "\(date.timeIntervalSinceReferenceDate) s since 2001"
    default: "\(value)"
    }
  }

  static func name(_ type: NSAttributeType) -> String {
    switch type {
    case .undefinedAttributeType: "undefined"
    case .integer16AttributeType: "Integer 16"
    case .integer32AttributeType: "Integer 32"
    case .integer64AttributeType: "Integer 64"
    case .decimalAttributeType: "Decimal"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .stringAttributeType: "String"
    case .booleanAttributeType: "Boolean"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Binary"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "Transformable"
    case .objectIDAttributeType: "Object ID"
    case .compositeAttributeType: "Composite"
    }
  }

  // MARK: Relationships

  private static func relationshipFacts(_ relationship: NSRelationshipDescription) -> Facts {
    let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to many" : "to many") : "to one"
    var facts = Facts(name: relationship.name, kind: "\(kind) \(relationship.destinationEntity?.name ?? "?")")
    facts.details.append(relationship.inverseRelationship.map { "inverse \($0.name)" } ?? "no inverse")
    facts.details.append("delete \(name(relationship.deleteRule))")
    if relationship.isToMany, relationship.minCount > 0 { facts.details.append("at least \(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount > 0 { facts.details.append("at most \(relationship.maxCount)") }
    return facts
  }

  private static func name(_ rule: NSDeleteRule) -> String {
    switch rule {
    case .noActionDeleteRule: "no action"
    case .nullifyDeleteRule: "nullify"
    case .cascadeDeleteRule: "cascade"
    case .denyDeleteRule: "deny"
    }
  }
}
