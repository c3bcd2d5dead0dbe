import CoreData

/// The parts of the models that workloads make in code.
package enum ModelParts {
  package static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = [number("number")]
    return entity
  }

  package static func number(_ name: String) -> NSAttributeDescription {
    attribute(name, .integer64AttributeType, isOptional: false)
  }

  package static func attribute(_ name: String, _ type: NSAttributeType, isOptional: Bool) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    return attribute
  }

  package static func many(
    _ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.deleteRule = rule
    return relationship
  }

  package static func one(
    _ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = many(name, destination, rule)
    relationship.maxCount = 1
    return relationship
  }

  package static func connect(
    _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, _ inverse: NSRelationshipDescription,
    of destination: NSEntityDescription
  ) {
    precondition(
      relationship.destinationEntity === destination && inverse.destinationEntity === entity,
      "a relationship and its inverse lead to each other's entity")
    relationship.inverseRelationship = inverse
    inverse.inverseRelationship = relationship
    entity.properties.append(relationship)
    destination.properties.append(inverse)
  }
}
