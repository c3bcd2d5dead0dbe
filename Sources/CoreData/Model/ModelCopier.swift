import RowStore

/// Copies the entities of one or more models into another one, with everything that leads from one to the other.
struct ModelCopier {
  private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  private var properties: [ObjectIdentifier: NSPropertyDescription] = [:]
  private(set) var copies: [NSEntityDescription] = []

  /// Copies an entity with its own properties; references to others are set by ``connect(_:)``.
  ///
  /// - Parameter existing: the copy of another entity that is this one's equal, which is used for both.
  mutating func add(_ entity: NSEntityDescription, existing: NSEntityDescription? = nil) {
    let copy = existing ?? NSEntityDescription()
    entities[ObjectIdentifier(entity)] = copy
    let known = Dictionary(copy.ownProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let own = entity.ownProperties.map { property in
      let copied = known[property.name] ?? property.copied()
      note(property, copied)
      return copied
    }
    guard existing == nil else { return }
    entity.copyState(to: copy)
    copy.properties = own
    copies.append(copy)
  }

  /// Indexes and constraints may name elements of composite attributes.
  private mutating func note(_ property: NSPropertyDescription, _ copy: NSPropertyDescription) {
    properties[ObjectIdentifier(property)] = copy
    guard let composite = property as? NSCompositeAttributeDescription,
      let copied = copy as? NSCompositeAttributeDescription
    else { return }
    precondition(composite.elements.count == copied.elements.count, "each element has its copy")
    for (element, copy) in zip(composite.elements, copied.elements) { note(element, copy) }
  }

  /// Makes relationships, inheritance and indexes of a copied entity lead to copies.
  ///
  /// - Parameter keepsTargets: relationships still lead to the originals.
  func connect(_ entity: NSEntityDescription, keepsTargets: Bool = false) {
    guard let copy = entities[ObjectIdentifier(entity)], copies.contains(where: { $0 === copy }) else { return }
    if !keepsTargets { copy.subentities = entity.subentities.compactMap { entities[ObjectIdentifier($0)] } }
    for property in keepsTargets ? [] : entity.ownProperties {
      guard let relationship = property as? NSRelationshipDescription,
        let copied = properties[ObjectIdentifier(property)] as? NSRelationshipDescription
      else { continue }
      copied.destinationEntity = relationship.destinationEntity.flatMap { entities[ObjectIdentifier($0)] }
      copied.inverseRelationship =
        relationship.inverseRelationship.flatMap { properties[ObjectIdentifier($0)] } as? NSRelationshipDescription
    }
    for property in entity.ownProperties {
      guard let fetched = property as? NSFetchedPropertyDescription, let request = fetched.fetchRequest else {
        continue
      }
      (properties[ObjectIdentifier(property)] as? NSFetchedPropertyDescription)?.fetchRequest = self.copy(request)
    }
    copy.indexes = entity.indexes.map { $0.copied { properties[ObjectIdentifier($0)] ?? $0 } }
    copy.uniquenessConstraints = entity.uniquenessConstraints.map { $0.map(translated) }
    copy.compoundIndexes = entity.compoundIndexes.map { $0.map(translated) }
  }

  private func translated(_ element: Any) -> Any {
    (element as? NSPropertyDescription).flatMap { properties[ObjectIdentifier($0)] } ?? element
  }

  /// The copy of an entity.
  func copy(of entity: NSEntityDescription) -> NSEntityDescription? { entities[ObjectIdentifier(entity)] }

  /// A copy of a request that is about the copied entities.
  func copy(_ request: NSFetchRequest<any NSFetchRequestResult>) -> NSFetchRequest<any NSFetchRequestResult> {
    let result = NSManagedObjectModel.copy(request)
    if let entity = request.entity, let copy = copy(of: entity) { result.entity = copy }
    return result
  }
}
