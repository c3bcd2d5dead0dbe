import RowStore

extension ModelBuilder {
  private static let knownParts: Set = [
    "attribute", "relationship", "fetchedProperty", "userInfo", "uniquenessConstraints", "fetchIndex",
    "compoundIndexes",
  ]

  /// Makes the attributes, relationships and fetched properties of an entity.
  mutating func readProperties(_ entity: Entity) {
    var read: [Property] = []
    for element in entity.element.children {
      guard ["attribute", "relationship", "fetchedProperty"].contains(element.name) else {
        if !Self.knownParts.contains(element.name) {
          warning(element, "\(entity.name): <\(element.name)> is not understood, and left out")
        }
        continue
      }
      guard let name = identifier(element, of: "\(entity.name): \(element.name)") else { continue }
      if read.contains(where: { $0.description.name == name }) {
        problem(element, "\(entity.name).\(name): the name is taken by another property")
        continue
      }
      let description: NSPropertyDescription? =
        switch element.name {
        case "attribute": attribute(element, "\(entity.name).\(name)")
        case "relationship": relationship(element, "\(entity.name).\(name)")
        default: NSFetchedPropertyDescription()
        }
      guard let description else { continue }
      readCommon(element, description)
      read.append(Property(description: description, element: element))
    }
    properties[ObjectIdentifier(entity.description)] = read
  }

  /// Reads the parts that all kinds of properties have.
  mutating func readCommon(_ element: ModelElement, _ description: NSPropertyDescription) {
    description.name = element["name"] ?? ""
    description.isOptional = flag(element, "optional")
    description.isTransient = description.isTransient || flag(element, "transient")
    description.isIndexed = flag(element, "indexed")
    description.isIndexedBySpotlight = flag(element, "spotlightIndexingEnabled")
    description.renamingIdentifier = element["elementID"]
    description.versionHashModifier = element["versionHashModifier"]
    description.userInfo = userInfo(element)
  }

  // MARK: Relationships

  private mutating func relationship(_ element: ModelElement, _ label: String) -> NSRelationshipDescription? {
    let relationship = NSRelationshipDescription()
    let isToMany = flag(element, "toMany")
    let maxCount = count(element, "maxCount")
    if isToMany, maxCount == 1 {
      warning(element, "\(label): a to-many relationship with maxCount 1 is a to-one relationship")
    }
    relationship.maxCount = maxCount ?? (isToMany ? 0 : 1)
    relationship.minCount = count(element, "minCount") ?? 0
    relationship.isOrdered = flag(element, "ordered")
    if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
      problem(element, "\(label): minCount is greater than maxCount")
    }
    if let rule = element["deletionRule"] {
      if let known = Self.deleteRules[rule.lowercased()] {
        relationship.deleteRule = known
      } else {
        problem(element, "\(label): deletionRule is \"\(rule)\"; Nullify, Cascade, Deny or No Action")
      }
    }
    guard let name = element["destinationEntity"], !name.isEmpty else {
      problem(element, "\(label): has no destinationEntity")
      return relationship
    }
    if let destination = entitiesByName[name] {
      relationship.destinationEntity = destination.description
    } else {
      problem(element, "\(label): there is no entity \(name) to be its destination")
    }
    return relationship
  }

  private static let deleteRules: [String: NSDeleteRule] = [
    "nullify": .nullifyDeleteRule, "cascade": .cascadeDeleteRule, "deny": .denyDeleteRule,
    "no action": .noActionDeleteRule,
  ]

  /// Sets inverses; where both sides do not agree, each leads where it says.
  mutating func connectRelationships() {
    for entity in entities {
      for property in properties[ObjectIdentifier(entity.description)] ?? [] {
        guard let relationship = property.description as? NSRelationshipDescription,
          let destination = relationship.destinationEntity,
          let inverseName = property.element["inverseName"], !inverseName.isEmpty
        else { continue }
        let label = "\(entity.name).\(relationship.name)"
        if let named = property.element["inverseEntity"], let owner = entitiesByName[named]?.description,
          !destination.isKindOf(entity: owner), !owner.isKindOf(entity: destination)
        {
          warning(
            property.element,
            "\(label): its inverseEntity \(named) is not its destination \(destination.name ?? ""), which counts")
        }
        guard let back = self.property(inverseName, of: destination),
          let inverse = back.description as? NSRelationshipDescription
        else {
          problem(property.element, "\(label): its inverse \(destination.name ?? "").\(inverseName) is not there")
          continue
        }
        if back.element["inverseName"] != relationship.name {
          warning(
            property.element,
            "\(label): its inverse \(destination.name ?? "").\(inverseName) (line \(back.element.line)) does not name it "
              + "as inverse; Xcode's compiler takes that, and so it is taken here")
        }
        relationship.inverseRelationship = inverse
      }
    }
  }
}
