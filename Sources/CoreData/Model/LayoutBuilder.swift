import RowStore

/// Makes the layouts of a model's entities, and collects the model's problems.
struct LayoutBuilder {
  private var problems: [String] = []
  private var entities: [EntityLayout] = []
  private var layouts: [ObjectIdentifier: EntityLayout] = [:]
  private let keyedMembers = DeclaredMembers(ClassLookup.modules)

  /// - Throws: every problem that the model has.
  static func build(_ model: NSManagedObjectModel) throws(ModelError) -> ModelLayout {
    var builder = LayoutBuilder()
    connectCopies(model)
    for entity in model.entities.sorted(by: byName) where entity.superentity == nil { builder.add(entity, parent: nil) }
    return try builder.finish(model)
  }

  /// Connects copied relationships that lead elsewhere to the entity and the inverse of those names in this model.
  private static func connectCopies(_ model: NSManagedObjectModel) {
    func isHere(_ entity: NSEntityDescription?) -> Bool { model.entities.contains { $0 === entity } }
    for relationship in model.entities.flatMap(\.ownProperties).compactMap({ $0 as? NSRelationshipDescription }) {
      guard let names = relationship.copiedNames else { continue }
      if !isHere(relationship.destinationEntity), let name = names.destination {
        relationship.destinationEntity = model.entitiesByName[name]
      }
      let inverse = relationship.inverseRelationship
      guard inverse == nil || !isHere(inverse?.entity), let name = names.inverse else { continue }
      relationship.inverseRelationship = relationship.destinationEntity?.relationshipsByName[name]
    }
  }

  private mutating func add(_ entity: NSEntityDescription, parent: EntityLayout?) {
    let type = objectClass(of: entity)
    let objects = ObjectLayout(
      entity, objectClass: type, keyed: KeyedMembers(of: type, among: keyedMembers), parent: parent?.objects)
    let layout = EntityLayout(
      name: entity.name ?? "", number: entities.count + 1, parent: parent, isAbstract: entity.isAbstract,
      contextPart: objects)
    if layout.name.isEmpty { problems.append("an entity has no name") }
    requireName(layout.name, "the entity")
    entities.append(layout)
    layouts[ObjectIdentifier(entity)] = layout
    addProperties(layout)
    addConstraints(layout)
    for child in entity.subentities.sorted(by: Self.byName) { add(child, parent: layout) }
  }

  private mutating func finish(_ model: NSManagedObjectModel) throws(ModelError) -> ModelLayout {
    for entity in model.entities where layouts[ObjectIdentifier(entity)] == nil {
      problems.append("\(entity.name ?? "?"): its superentity is not in the model")
    }
    for layout in entities { connectRelationships(layout) }
    for layout in entities { addDerivations(layout) }
    let names = entities.map(\.name)
    for name in Set(names) where names.count(where: { $0 == name }) > 1 {
      problems.append("\(name): two entities have this name")
    }
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    precondition(layouts.count == entities.count, "each entity of the model has one layout")
    let layout = ModelLayout(entities, contextPart: ObjectClasses(entities))
    for entity in entities {
      entity.objects.finish(entity)
      entity.entity.layout = entity
    }
    return layout
  }

  // MARK: Properties

  private mutating func addProperties(_ layout: EntityLayout) {
    var properties = layout.parent?.properties ?? []
    for property in layout.entity.ownProperties {
      if let fetched = property as? NSFetchedPropertyDescription {
        addFetched(fetched, layout, properties)
        continue
      }
      if property.name.isEmpty { problems.append("\(layout.name): a property has no name") }
      if properties.contains(where: { $0.name == property.name }) {
        problems.append("\(layout.name).\(property.name): the name is taken by another property")
      }
      if !property.isTransient { requireName(property.name, "\(layout.name)'s property") }
      let built = self.property(property, index: properties.count, of: layout)
      properties.append(built)
      // The value in the context is the one before the save.
      layout.objects.take(built.isDerived ? [] : ValidationRule.rules(of: property))
    }
    layout.take(properties)
  }

  /// Tables and columns have the names of entities and properties, as they are.
  private mutating func requireName(_ name: String, _ what: String) {
    guard !name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }) else { return }
    problems.append("\(what) \"\(name)\" has a name with other characters than letters, digits and _")
  }

  private mutating func property(
    _ property: NSPropertyDescription, index: Int, of layout: EntityLayout
  ) -> PropertyLayout {
    let kind: PropertyLayout.Kind
    var (encoding, defaultValue, leadsToOneEntity) = (nil as AttributeEncoding?, Slot.null, false)
    var isKeptInHistory = false
    if let relationship = property as? NSRelationshipDescription {
      kind = relationship.isToMany ? .toMany : .toOne
      leadsToOneEntity = relationship.destinationEntity?.subentities.isEmpty ?? false
    } else if let attribute = property as? NSAttributeDescription {
      kind = .attribute(attribute.attributeType.rowType)
      encoding = AttributeEncoding(attribute, of: layout.name)
      defaultValue = self.defaultValue(attribute, encoding, of: layout)
      // A value without a column of its own, or in a file that goes with the row, is not kept.
      isKeptInHistory =
        attribute.preservesValueInHistoryOnDeletion && !property.isTransient
        && encoding.map { if case .transformed = $0 { true } else { false } } ?? true
    } else {
      preconditionFailure("\(property.name) is neither an attribute nor a relationship")
    }
    return PropertyLayout(
      name: property.name, index: index, kind: kind,
      // The store gives derived attributes their values, after validation.
      isOptional: property.isOptional || property is NSDerivedAttributeDescription,
      isTransient: property.isTransient,
      isDerived: property is NSDerivedAttributeDescription && !property.isTransient, defaultValue: defaultValue,
      leadsToOneEntity: leadsToOneEntity, isKeptInHistory: isKeptInHistory, encoding: encoding, owner: layout)
  }

  private mutating func defaultValue(
    _ attribute: NSAttributeDescription, _ encoding: AttributeEncoding?, of layout: EntityLayout
  ) -> Slot {
    let label = "\(layout.name).\(attribute.name)"
    if attribute.attributeType == .undefinedAttributeType, !attribute.isTransient {
      problems.append("\(label): set its attributeType")
    }
    if attribute.attributeType == .objectIDAttributeType, !attribute.isTransient {
      problems.append("\(label): an ID cannot be stored; only results of expressions are of that type")
    }
    if case .composite(let composite)? = encoding {
      problems += composite.problems.map { "\(label): \($0)" }
    }
    switch Slot.converting(attribute.defaultValue, to: attribute.attributeType.rowType, encoding) {
    case .success(let slot): return slot
    case .failure(let mismatch):
      problems.append("\(label): defaultValue: \(mismatch.message)")
      return .null
    }
  }

  private mutating func addFetched(
    _ property: NSFetchedPropertyDescription, _ layout: EntityLayout, _ properties: [PropertyLayout]
  ) {
    let isTaken =
      layout.objects.fetchedProperties[property.name] != nil || properties.contains { $0.name == property.name }
      || layout.entity.ownProperties.contains { $0.name == property.name && $0 !== property }
    if isTaken { problems.append("\(layout.name).\(property.name): the name is taken by another property") }
    if property.fetchRequest?.entityName == nil {
      problems.append("\(layout.name).\(property.name): set its fetchRequest, with an entity of the model")
    }
    layout.objects.take(property)
  }

  private mutating func addConstraints(_ layout: EntityLayout) {
    for constraint in layout.entity.uniquenessConstraints {
      var members: [PropertyLayout] = []
      for element in constraint {
        let key = NSPropertyDescription.keyPath(of: element)
        let property = layout.property(atPath: key)
        if let property, property.isComposite {
          problems.append("\(layout.name): uniquenessConstraints: \(key) is a composite attribute; name its elements")
        } else if let property, !property.isTransient, !property.isToMany {
          members.append(property)
        } else {
          problems.append(
            "\(layout.name): uniquenessConstraints: \(key) is no stored attribute or to-one relationship of the entity")
        }
      }
      if constraint.isEmpty {
        problems.append("\(layout.name): uniquenessConstraints: a constraint names no attribute")
      }
      layout.take(ConstraintLayout(owner: layout, properties: members))
    }
  }

  private mutating func addDerivations(_ layout: EntityLayout) {
    for property in layout.entity.ownProperties {
      guard let description = property as? NSDerivedAttributeDescription, !description.isTransient,
        let own = layout.propertiesByName[property.name]
      else { continue }
      guard let expression = description.derivationFormat, !expression.isEmpty else {
        problems.append("\(layout.name).\(property.name): a derived attribute needs an expression")
        continue
      }
      do throws(DerivedAttribute.Unsupported) {
        layout.take(try DerivedAttribute(own, expression: expression, of: layout))
      } catch {
        problems.append("\(layout.name).\(property.name): \(error.reason)")
      }
    }
  }

  private mutating func connectRelationships(_ layout: EntityLayout) {
    for property in layout.relationships where property.owner === layout {
      guard let description = layout.entity.ownProperties.first(where: { $0.name == property.name }),
        let relationship = description as? NSRelationshipDescription
      else { continue }
      let label = "\(layout.name).\(property.name)"
      guard let target = relationship.destinationEntity, let destination = layouts[ObjectIdentifier(target)] else {
        problems.append("\(label): set its destinationEntity to an entity of the model")
        continue
      }
      var inverse: PropertyLayout?
      if let back = relationship.inverseRelationship {
        inverse = destination.propertiesByName[back.name]
        if inverse == nil {
          problems.append("\(label): its inverse \(back.name) is no relationship of \(destination.name)")
        }
      }
      property.connect(
        RelationLayout(
          position: layout.relationships.firstIndex { $0 === property } ?? 0, isToMany: relationship.isToMany,
          isOrdered: relationship.isOrdered && relationship.isToMany, deleteRule: relationship.deleteRule.rule,
          minCount: relationship.minCount, maxCount: relationship.maxCount, property: property,
          destination: destination, inverse: inverse))
    }
  }

  // MARK: Entities

  private static func byName(_ left: NSEntityDescription, _ right: NSEntityDescription) -> Bool {
    let (left, right) = (left.name ?? "", right.name ?? "")
    let (lower, other) = (left.lowercased(), right.lowercased())
    return lower == other ? left < right : lower < other
  }

  private mutating func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
    let name = entity.managedObjectClassName ?? "NSManagedObject"
    if entity.classRule == .plain { return NSManagedObject.self }
    switch ClassLookup.find(name) {
    case .found(let type): return type
    case .missing where entity.classRule != .named:
      Warning.write("no class is named \(name); the objects of \(entity.name ?? "?") are NSManagedObject")
    case .missing:
      problems.append(
        "\(entity.name ?? "?"): no subclass of NSManagedObject is named \(name); NSStringFromClass gives the whole name"
      )
    case .ambiguous(let types):
      let names = types.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
      problems.append("\(entity.name ?? "?"): several classes are named \(name): \(names); say which, with its module")
    }
    return NSManagedObject.self
  }
}

/// Why a model cannot be used: every problem, one line each.
struct ModelError: Error, CustomStringConvertible {
  let problems: [String]

  var description: String { "the model cannot be used:\n  " + problems.joined(separator: "\n  ") }
}

extension AttributeEncoding {
  /// Nil for an attribute that the file has as its slot is.
  init?(_ attribute: NSAttributeDescription, of entity: String) {
    if let composite = attribute as? NSCompositeAttributeDescription {
      self = .composite(CompositeLayout(composite))
    } else if attribute.attributeType == .transformableAttributeType {
      self = .transformed(
        AttributeTransformer(label: "\(entity).\(attribute.name)", name: attribute.valueTransformerName))
    } else if attribute.attributeType == .binaryDataAttributeType, attribute.allowsExternalBinaryDataStorage {
      self = .external
    } else {
      return nil
    }
  }
}

extension CompositeLayout {
  convenience init(_ composite: NSCompositeAttributeDescription, path: String = "") {
    var leaves: [Leaf] = []
    var elements: [Element] = []
    for element in composite.elements {
      let nested = (element as? NSCompositeAttributeDescription).map { CompositeLayout($0, path: path + $0.name + ".") }
      elements.append(Element(name: element.name, first: leaves.count, composite: nested))
      leaves +=
        nested?.leaves
        ?? [Leaf(name: element.name, path: path + element.name, type: element.attributeType.rowType)]
    }
    self.init(leaves: leaves, elements: elements)
  }
}
