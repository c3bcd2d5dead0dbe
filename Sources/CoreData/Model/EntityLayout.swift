import Synchronization

/// One entity as the stack works with it: every property has an index, inherited ones first, so that an index taken
/// from an entity is right for all its sub-entities.
final class EntityLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen; which is why accesses need not be checked for exclusivity.

  private static let nextIdentifier = Atomic<UInt32>(0)

  unowned(unsafe) let entity: NSEntityDescription
  /// Unique in the process, from 1.
  let identifier = nextIdentifier.add(1, ordering: .relaxed).newValue
  let name: String
  /// `Z_ENT`: from 1, alphabetical without regard to case, depth first.
  let number: Int
  unowned(unsafe) let parent: EntityLayout?
  @exclusivity(unchecked)
  fileprivate(set) unowned(unsafe) var model: ModelLayout!
  @exclusivity(unchecked)
  fileprivate(set) var children: [EntityLayout] = []
  @exclusivity(unchecked)
  private(set) var properties: [PropertyLayout] = []
  /// Indices of the relationships among ``properties``; their order gives `RelationLayout.position`.
  @exclusivity(unchecked)
  private(set) var relationships: [PropertyLayout] = [] {
    didSet {
      relationshipCount = relationships.count
      hasToMany = relationships.contains { if case .toMany = $0.kind { true } else { false } }
    }
  }
  @exclusivity(unchecked)
  private(set) var hasToMany = false
  @exclusivity(unchecked)
  private(set) var relationshipCount = 0
  @exclusivity(unchecked)
  private(set) var propertiesByName: [String: PropertyLayout] = [:]
  /// Fetched properties, inherited ones too; they have no slot.
  @exclusivity(unchecked)
  private(set) var fetchedProperties: [String: NSFetchedPropertyDescription] = [:]
  /// The values of a new object.
  @exclusivity(unchecked)
  private(set) var defaultValues: Row!
  /// Indices of the to-one relationships.
  @exclusivity(unchecked)
  private(set) var toOneIndices: [Int] = []
  /// Indices of the transient properties that have a slot.
  @exclusivity(unchecked)
  private(set) var transientIndices: [Int] = []
  var hasTransients: Bool { !transientIndices.isEmpty }
  /// Indices of the stored attributes whose slots are not what the file has.
  @exclusivity(unchecked)
  private(set) var encodedIndices: [Int] = []
  var hasEncodings: Bool { !encodedIndices.isEmpty }
  /// The same without a reference to count; as long as this layout.
  @exclusivity(unchecked)
  private(set) var toOneSlots = UnsafeBufferPointer<Int>(start: nil, count: 0)
  /// ``mandatorySlots`` in the same form.
  @exclusivity(unchecked)
  private(set) var mandatorySlotList = UnsafeBufferPointer<Int>(start: nil, count: 0)
  /// Attributes of its own that the store computes; known once relationships are connected.
  @exclusivity(unchecked)
  private(set) var derived: [DerivedAttribute] = []
  /// Whether the store computes an attribute of the entity, inherited ones included.
  @exclusivity(unchecked)
  private(set) var hasDerived = false
  /// Whether a relationship of the entity is many-to-many, or to-many without inverse; known once relationships are
  /// connected.
  @exclusivity(unchecked)
  fileprivate(set) var hasJoins = false
  /// Whether a relationship of the entity is ordered; known once relationships are connected.
  @exclusivity(unchecked)
  fileprivate(set) var hasOrder = false
  /// Uniqueness constraints that the entity itself declares.
  @exclusivity(unchecked)
  private(set) var ownConstraints: [ConstraintLayout] = []
  /// Indices of the properties that may not be nil when an object is saved; to-many relationships have no slot to look at.
  @exclusivity(unchecked)
  private(set) var mandatorySlots: [Int] = []
  /// What a save checks; known once relationships are connected.
  @exclusivity(unchecked)
  fileprivate(set) var validation = ValidationPlan()
  /// Whether an object can only lack a value or lead to one that is gone: the plan is empty, and there are no joins.
  @exclusivity(unchecked)
  fileprivate(set) var isPlain = false
  let objectClass: NSManagedObject.Type
  let isAbstract: Bool

  /// The entity whose table holds this entity's rows.
  @exclusivity(unchecked)
  private(set) unowned(unsafe) var root: EntityLayout!

  fileprivate init(
    _ entity: NSEntityDescription, number: Int, parent: EntityLayout?, objectClass: NSManagedObject.Type
  ) {
    self.entity = entity
    name = entity.name ?? ""
    self.number = number
    self.parent = parent
    self.objectClass = objectClass
    isAbstract = entity.isAbstract
    rootNumber = parent?.rootNumber ?? number
    root = parent?.root ?? self
  }

  deinit {
    toOneSlots.deallocate()
    mandatorySlotList.deallocate()
  }

  /// Unique in the process: the identifier of the model's first entity.
  @exclusivity(unchecked)
  fileprivate(set) var modelIdentifier: UInt32 = 0
  /// `root.number`, without a look at the root.
  let rootNumber: Int

  /// Whether this is `other` or inherits from it.
  func isKind(of other: EntityLayout) -> Bool { self === other || inherits(from: other) }

  private func inherits(from other: EntityLayout) -> Bool {
    var candidate: EntityLayout? = self
    while let current = candidate {
      if current === other { return true }
      candidate = current.parent
    }
    return false
  }

  /// This entity and all that inherit from it, depth first.
  var family: [EntityLayout] { [self] + children.flatMap(\.family) }

  fileprivate func takeProperties(_ problems: inout [String]) {
    properties = parent?.properties ?? []
    fetchedProperties = parent?.fetchedProperties ?? [:]
    hasDerived = parent?.hasDerived ?? false
    for property in entity.ownProperties {
      if let fetched = property as? NSFetchedPropertyDescription {
        takeFetched(fetched, &problems)
        continue
      }
      if property.name.isEmpty { problems.append("\(name): a property has no name") }
      if properties.contains(where: { $0.name == property.name }) {
        problems.append("\(name).\(property.name): the name is taken by another property")
      }
      if property is NSDerivedAttributeDescription, !property.isTransient { hasDerived = true }
      var defaultValue = Slot.null
      if let attribute = property as? NSAttributeDescription {
        if attribute.attributeType == .undefinedAttributeType, !attribute.isTransient {
          problems.append("\(name).\(property.name): set its attributeType")
        }
        if attribute.attributeType == .objectIDAttributeType, !attribute.isTransient {
          problems.append(
            "\(name).\(property.name): an ID cannot be stored; only results of expressions are of that type")
        }
        let encoding = AttributeEncoding(attribute, of: name)
        if case .composite(let composite)? = encoding {
          problems += composite.problems.map { "\(name).\(property.name): \($0)" }
        }
        switch Slot.converting(attribute.defaultValue, to: attribute.attributeType, encoding) {
        case .success(let slot): defaultValue = slot
        case .failure(let mismatch): problems.append("\(name).\(property.name): defaultValue: \(mismatch.message)")
        }
      }
      properties.append(
        PropertyLayout(property, index: properties.count, owner: self, defaultValue: defaultValue))
    }
    relationships = properties.filter(\.isRelationship)
    toOneIndices = properties.filter { if case .toOne = $0.kind { true } else { false } }.map(\.index)
    transientIndices = properties.filter { property in
      if case .toMany = property.kind { false } else { property.isTransient }
    }.map(\.index)
    encodedIndices = properties.filter { $0.encoding != nil && !$0.isTransient }.map(\.index)
    toOneSlots = Self.list(toOneIndices)
    defaultValues = Row.make(self, key: 0, version: 0)
    for property in properties { defaultValues[property.index] = property.defaultValue }
    defaultValues.freeze()
    mandatorySlots = properties.filter { property in
      if case .toMany = property.kind { return false }
      return property.isMandatory
    }.map(\.index)
    mandatorySlotList = Self.list(mandatorySlots)
    propertiesByName = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func takeFetched(_ property: NSFetchedPropertyDescription, _ problems: inout [String]) {
    let isTaken =
      fetchedProperties[property.name] != nil || properties.contains { $0.name == property.name }
      || entity.ownProperties.contains { $0.name == property.name && $0 !== property }
    if isTaken { problems.append("\(name).\(property.name): the name is taken by another property") }
    if property.fetchRequest?.entityName == nil {
      problems.append("\(name).\(property.name): set its fetchRequest, with an entity of the model")
    }
    fetchedProperties[property.name] = property
  }

  private static func list(_ indices: [Int]) -> UnsafeBufferPointer<Int> {
    let list = UnsafeMutableBufferPointer<Int>.allocate(capacity: indices.count)
    _ = list.initialize(from: indices)
    return UnsafeBufferPointer(list)
  }

  fileprivate func takeConstraints(_ problems: inout [String]) {
    for constraint in entity.uniquenessConstraints {
      var members: [PropertyLayout] = []
      for element in constraint {
        let key = (element as? NSPropertyDescription)?.name ?? element as? String ?? "\(element)"
        if let property = propertiesByName[key], !property.isTransient, !property.isToMany {
          members.append(property)
        } else {
          problems.append(
            "\(name): uniquenessConstraints: \(key) is no stored attribute or to-one relationship of the entity")
        }
      }
      if constraint.isEmpty { problems.append("\(name): uniquenessConstraints: a constraint names no attribute") }
      ownConstraints.append(ConstraintLayout(owner: self, properties: members))
    }
  }

  fileprivate func takeDerivations(_ problems: inout [String]) {
    for property in entity.ownProperties {
      guard let description = property as? NSDerivedAttributeDescription, !description.isTransient,
        let own = propertiesByName[property.name]
      else { continue }
      guard let expression = description.derivationFormat, !expression.isEmpty else {
        problems.append("\(name).\(property.name): a derived attribute needs an expression")
        continue
      }
      do throws(DerivedAttribute.Unsupported) {
        derived.append(try DerivedAttribute(own, expression: expression, of: self))
      } catch {
        problems.append("\(name).\(property.name): \(error.reason)")
      }
    }
  }

  fileprivate func connectRelationships(_ layouts: [ObjectIdentifier: EntityLayout], _ problems: inout [String]) {
    for property in relationships where property.owner === self {
      guard let description = entity.ownProperties.first(where: { $0.name == property.name }),
        let relationship = description as? NSRelationshipDescription
      else { continue }
      guard let target = relationship.destinationEntity, let destination = layouts[ObjectIdentifier(target)] else {
        problems.append("\(name).\(property.name): set its destinationEntity to an entity of the model")
        continue
      }
      var inverse: PropertyLayout?
      if let back = relationship.inverseRelationship {
        inverse = destination.propertiesByName[back.name]
        if back.inverseRelationship !== relationship || inverse == nil {
          problems.append(
            "\(name).\(property.name): its inverse \(back.name) does not name it as inverse; set both sides")
        }
      }
      let position = relationships.firstIndex { $0 === property } ?? 0
      property.connect(
        RelationLayout(relationship, position: position, property: property, destination: destination, inverse: inverse)
      )
    }
  }
}

/// A model as the stack works with it.
final class ModelLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen.

  /// Every entity; number *n* is at index *n* − 1.
  let entities: [EntityLayout]
  let entitiesByName: [String: EntityLayout]
  private let entitiesByClass: [ObjectIdentifier: [EntityLayout]]

  /// Compiles `model`; throws with every problem it has.
  init(_ model: NSManagedObjectModel) throws(ModelError) {
    var problems: [String] = []
    var entities: [EntityLayout] = []
    var layouts: [ObjectIdentifier: EntityLayout] = [:]

    func add(_ entity: NSEntityDescription, parent: EntityLayout?) {
      let layout = EntityLayout(
        entity, number: entities.count + 1, parent: parent,
        objectClass: ModelLayout.objectClass(of: entity, &problems))
      if layout.name.isEmpty { problems.append("an entity has no name") }
      entities.append(layout)
      layouts[ObjectIdentifier(entity)] = layout
      parent?.children.append(layout)
      layout.takeProperties(&problems)
      layout.takeConstraints(&problems)
      for child in entity.subentities.sorted(by: ModelLayout.byName) { add(child, parent: layout) }
    }

    for entity in model.entities.sorted(by: ModelLayout.byName) where entity.superentity == nil {
      add(entity, parent: nil)
    }
    for entity in model.entities where layouts[ObjectIdentifier(entity)] == nil {
      problems.append("\(entity.name ?? "?"): its superentity is not in the model")
    }
    for layout in entities { layout.connectRelationships(layouts, &problems) }
    for layout in entities { layout.takeDerivations(&problems) }
    let names = entities.map(\.name)
    for name in Set(names) where names.count(where: { $0 == name }) > 1 {
      problems.append("\(name): two entities have this name")
    }
    guard problems.isEmpty else { throw ModelError(problems: problems) }

    self.entities = entities
    entitiesByName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
    entitiesByClass = Dictionary(grouping: entities) { ObjectIdentifier($0.objectClass) }
    for layout in entities {
      layout.hasJoins = layout.relationships.contains {
        $0.relation.isToMany && $0.relation.inverse?.relation.isToMany ?? true
      }
      layout.hasOrder = layout.relationships.contains { $0.relation.isOrdered }
      layout.validation = ValidationPlan(layout)
      layout.isPlain = layout.validation.isEmpty && !layout.hasJoins
      layout.model = self
      layout.modelIdentifier = entities.first?.identifier ?? 0
      layout.entity.layout = layout
    }
  }

  /// Entities whose objects are of `type`.
  func entities(of type: NSManagedObject.Type) -> [EntityLayout] { entitiesByClass[ObjectIdentifier(type)] ?? [] }

  /// The entity with that `Z_ENT`; nil when the model has none.
  func entity(number: Int) -> EntityLayout? {
    number > 0 && number <= entities.count ? entities[number - 1] : nil
  }

  private static func byName(_ left: NSEntityDescription, _ right: NSEntityDescription) -> Bool {
    let (left, right) = (left.name ?? "", right.name ?? "")
    let (lower, other) = (left.lowercased(), right.lowercased())
    return lower == other ? left < right : lower < other
  }

  private static func objectClass(of entity: NSEntityDescription, _ problems: inout [String]) -> NSManagedObject.Type {
    let name = entity.managedObjectClassName ?? "NSManagedObject"
    if entity.classRule == .plain { return NSManagedObject.self }
    switch ClassLookup.find(name) {
    case .found(let type): return type
    case .missing where entity.classRule != .named:
      ModelWarning.write("no class is named \(name); the objects of \(entity.name ?? "?") are NSManagedObject")
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
