import Synchronization

/// One entity as the stack works with it: every property has an index, inherited ones first, so that an index taken
/// from an entity is right for all its sub-entities.
final class EntityLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen; which is why accesses need not be checked for exclusivity.

  private static let nextIdentifier = Atomic<UInt32>(0)

  /// What contexts keep with the entity; the store does not look at it.
  let contextPart: AnyObject
  /// Unique in the process, from 1.
  let identifier = nextIdentifier.add(1, ordering: .relaxed).newValue
  let name: String
  /// `Z_ENT`: from 1, alphabetical without regard to case, depth first.
  let number: Int
  unowned(unsafe) let parent: EntityLayout?
  @exclusivity(unchecked)
  private(set) unowned(unsafe) var model: ModelLayout!
  @exclusivity(unchecked)
  private(set) var children: [EntityLayout] = []
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
  private(set) var hasJoins = false
  /// Whether a relationship of the entity is ordered; known once relationships are connected.
  @exclusivity(unchecked)
  private(set) var hasOrder = false
  /// Uniqueness constraints that the entity itself declares.
  @exclusivity(unchecked)
  private(set) var ownConstraints: [ConstraintLayout] = []
  /// Indices of the properties that may not be nil when an object is saved; to-many relationships have no slot to look at.
  @exclusivity(unchecked)
  private(set) var mandatorySlots: [Int] = []
  let isAbstract: Bool

  /// The entity whose table holds this entity's rows.
  @exclusivity(unchecked)
  private(set) unowned(unsafe) var root: EntityLayout!

  init(name: String, number: Int, parent: EntityLayout?, isAbstract: Bool, contextPart: AnyObject) {
    self.name = name
    self.number = number
    self.parent = parent
    self.isAbstract = isAbstract
    self.contextPart = contextPart
    rootNumber = parent?.rootNumber ?? number
    root = parent?.root ?? self
    parent?.children.append(self)
  }

  deinit {
    toOneSlots.deallocate()
    mandatorySlotList.deallocate()
  }

  /// Unique in the process: the identifier of the model's first entity.
  @exclusivity(unchecked)
  private(set) var modelIdentifier: UInt32 = 0
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

  // MARK: Making one: properties, then constraints; relations and what the store computes once every entity has properties

  /// Takes the properties, inherited ones first, each at its index.
  func take(_ properties: [PropertyLayout]) {
    precondition(
      properties.enumerated().allSatisfy { $0.offset == $0.element.index }, "a property is where its index says")
    self.properties = properties
    hasDerived = properties.contains(where: \.isDerived)
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

  func take(_ constraint: ConstraintLayout) { ownConstraints.append(constraint) }

  func take(_ attribute: DerivedAttribute) { derived.append(attribute) }

  /// Every relationship is connected, and the entity is one of `model`.
  func finish(_ model: ModelLayout) {
    hasJoins = relationships.contains { $0.relation.isToMany && $0.relation.inverse?.relation.isToMany ?? true }
    hasOrder = relationships.contains { $0.relation.isOrdered }
    self.model = model
    modelIdentifier = model.entities.first?.identifier ?? 0
  }

  private static func list(_ indices: [Int]) -> UnsafeBufferPointer<Int> {
    let list = UnsafeMutableBufferPointer<Int>.allocate(capacity: indices.count)
    _ = list.initialize(from: indices)
    return UnsafeBufferPointer(list)
  }
}
