import Synchronization

/// One entity as the stack works with it: every property has an index, inherited ones first, so that an index taken
/// from an entity is right for all its sub-entities.
public final class EntityLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen; which is why accesses need not be checked for exclusivity.

  private static let nextIdentifier = Atomic<UInt32>(0)

  /// The part that contexts keep with the entity; the store does not look at it.
  package let contextPart: AnyObject
  /// Unique in the process, from 1.
  package let identifier = nextIdentifier.add(1, ordering: .relaxed).newValue
  package let name: String
  /// `Z_ENT`: from 1, alphabetical without regard to case, depth first.
  package let number: Int
  package unowned(unsafe) let parent: EntityLayout?
  /// The model that it is part of.
  package var model: ModelLayout! { modelStorage }
  @exclusivity(unchecked)
  private(set) unowned(unsafe) var modelStorage: ModelLayout!
  /// Entities that inherit from this one directly.
  @inlinable @inline(__always)
  package var children: [EntityLayout] { childrenStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var childrenStorage: [EntityLayout] = []
  /// Each at its index, inherited ones first.
  @inlinable @inline(__always)
  public var properties: [PropertyLayout] { propertiesStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var propertiesStorage: [PropertyLayout] = []
  /// ``properties`` without a reference to count; as long as this layout.
  @inlinable @inline(__always)
  public var propertyList: UnsafeBufferPointer<Unmanaged<PropertyLayout>> { propertyListStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var propertyListStorage = UnsafeBufferPointer<Unmanaged<PropertyLayout>>(start: nil, count: 0)
  /// Indices of the relationships among ``properties``; their order gives `RelationLayout.position`.
  @inlinable @inline(__always)
  public var relationships: [PropertyLayout] { relationshipsStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var relationshipsStorage: [PropertyLayout] = []
  /// Whether there is a to-many relationship.
  @inlinable @inline(__always)
  public var hasToMany: Bool { hasToManyStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var hasToManyStorage: Bool = false
  /// How many relationships there are.
  @inlinable @inline(__always)
  public var relationshipCount: Int { relationshipCountStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var relationshipCountStorage: Int = 0
  /// Inherited ones too.
  @inlinable @inline(__always)
  public var propertiesByName: [String: PropertyLayout] { propertiesByNameStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var propertiesByNameStorage: [String: PropertyLayout] = [:]
  /// The values of a new object.
  @inlinable @inline(__always)
  public var defaultValues: Row! { defaultValuesStorage }
  /// A new row with them, made without a reference counted to the one kept here.
  public var newValues: Row {
    Unmanaged.passUnretained(defaultValuesStorage.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.mutableCopy() }
  }
  @exclusivity(unchecked) @usableFromInline
  private(set) var defaultValuesStorage: Row!
  /// How its rows lie in memory.
  @usableFromInline package var shape: RowShape { shapeStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var shapeStorage = RowShape([])
  @inlinable @inline(__always)
  var shapePlaces: UnsafePointer<RowShape.Place> { UnsafePointer(shapeStorage.places) }
  /// Indices of the to-one relationships.
  @inlinable @inline(__always)
  public var toOneIndices: [Int] { toOneIndicesStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var toOneIndicesStorage: [Int] = []
  /// Indices of the transient properties that have a slot.
  @inlinable @inline(__always)
  public var transientIndices: [Int] { transientIndicesStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var transientIndicesStorage: [Int] = []
  package var hasTransients: Bool { !transientIndices.isEmpty }
  /// Whether a transient attribute has a default, which no row of the store has.
  package var hasTransientDefaults: Bool { transientIndices.contains { !defaultValues[$0].isNull } }
  /// Indices of the stored attributes that are stored otherwise than their slots.
  @inlinable @inline(__always)
  public var encodedIndices: [Int] { encodedIndicesStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var encodedIndicesStorage: [Int] = []
  package var hasEncodings: Bool { !encodedIndices.isEmpty }
  /// The same without a reference to count; as long as this layout.
  @inlinable @inline(__always)
  public var toOneSlots: UnsafeBufferPointer<Int> { toOneSlotsStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var toOneSlotsStorage: UnsafeBufferPointer<Int> = UnsafeBufferPointer<Int>(start: nil, count: 0)
  /// ``mandatorySlots`` in the same form.
  @inlinable @inline(__always)
  public var mandatorySlotList: UnsafeBufferPointer<Int> { mandatorySlotListStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var mandatorySlotListStorage: UnsafeBufferPointer<Int> = UnsafeBufferPointer<Int>(start: nil, count: 0)
  /// The attributes with integers that may be out of range.
  @inlinable @inline(__always)
  var integerSlots: UnsafeBufferPointer<IntegerSlot> { integerSlotsStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var integerSlotsStorage = UnsafeBufferPointer<IntegerSlot>(start: nil, count: 0)
  /// Attributes of its own that the store computes; known once relationships are connected.
  package var derived: [DerivedAttribute] { derivedStorage }
  @exclusivity(unchecked)
  private(set) var derivedStorage: [DerivedAttribute] = []
  /// Whether the store computes an attribute of the entity, inherited ones included.
  @inlinable @inline(__always)
  public var hasDerived: Bool { hasDerivedStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var hasDerivedStorage: Bool = false
  /// Whether a relationship of the entity is many-to-many, or to-many without inverse; known once relationships are
  /// connected.
  @inlinable @inline(__always)
  public var hasJoins: Bool { hasJoinsStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var hasJoinsStorage: Bool = false
  /// Whether a relationship of the entity is ordered; known once relationships are connected.
  @inlinable @inline(__always)
  public var hasOrder: Bool { hasOrderStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var hasOrderStorage: Bool = false
  /// Uniqueness constraints that the entity itself declares.
  package var ownConstraints: [ConstraintLayout] { ownConstraintsStorage }
  @exclusivity(unchecked)
  private(set) var ownConstraintsStorage: [ConstraintLayout] = []
  /// Indices of the properties that may not be nil when an object is saved; to-many relationships have no slot to look at.
  @inlinable @inline(__always)
  public var mandatorySlots: [Int] { mandatorySlotsStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var mandatorySlotsStorage: [Int] = []
  package let isAbstract: Bool
  /// Whether values of a deleted object stay in the history.
  @exclusivity(unchecked)
  package private(set) var keepsValues = false
  /// Whether a to-one relationship leads to an entity that others inherit from; known once relationships are connected.
  @exclusivity(unchecked)
  private(set) var leadsToFamilies = false

  /// The entity that has the table of this entity's rows.
  @inlinable @inline(__always)
  public var root: EntityLayout! { rootStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) unowned(unsafe) var rootStorage: EntityLayout!

  package init(name: String, number: Int, parent: EntityLayout?, isAbstract: Bool, contextPart: AnyObject) {
    precondition((1...Int(UInt16.max)).contains(number), "entities are numbered from 1, in 16 bits")
    self.name = name
    self.number = number
    self.parent = parent
    self.isAbstract = isAbstract
    self.contextPart = contextPart
    rootNumber = parent?.rootNumber ?? number
    rootStorage = parent?.root ?? self
    parent?.childrenStorage.append(self)
  }

  deinit {
    shape.deallocate()
    propertyList.deallocate()
    toOneSlots.deallocate()
    mandatorySlotList.deallocate()
    integerSlots.deallocate()
  }

  /// Unique in the process: the identifier of the model's first entity.
  @inlinable @inline(__always)
  public var modelIdentifier: UInt32 { modelIdentifierStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var modelIdentifierStorage: UInt32 = 0
  /// `root.number`, without a look at the root.
  @usableFromInline package let rootNumber: Int

  /// Whether this is `other` or inherits from it.
  @inlinable
  public func isKind(of other: EntityLayout) -> Bool { self === other || inherits(from: other) }

  @usableFromInline
  func inherits(from other: EntityLayout) -> Bool {
    var candidate: EntityLayout? = self
    while let current = candidate {
      if current === other { return true }
      candidate = current.parent
    }
    return false
  }

  /// This entity and all that inherit from it, depth first.
  package var family: [EntityLayout] { [self] + children.flatMap(\.family) }

  // MARK: Making one: properties, then constraints; relations and derived attributes once every entity has properties

  /// Takes the properties, inherited ones first, each at its index.
  package func take(_ properties: [PropertyLayout]) {
    precondition(
      properties.enumerated().allSatisfy { $0.offset == $0.element.index }, "a property is where its index says")
    self.propertiesStorage = properties
    propertyListStorage = Self.list(properties.map(Unmanaged.passUnretained))
    hasDerivedStorage = properties.contains(where: \.isDerived)
    keepsValues = properties.contains(where: \.isKeptInHistory)
    relationshipsStorage = properties.filter(\.isRelationship)
    relationshipCountStorage = relationships.count
    hasToManyStorage = relationships.contains(where: \.isToMany)
    toOneIndicesStorage = properties.filter { if case .toOne = $0.kind { true } else { false } }.map(\.index)
    transientIndicesStorage = properties.filter { property in
      if case .toMany = property.kind { false } else { property.isTransient }
    }.map(\.index)
    encodedIndicesStorage = properties.filter { $0.encoding != nil && !$0.isTransient }.map(\.index)
    toOneSlotsStorage = Self.list(toOneIndices)
    shape.deallocate()
    shapeStorage = RowShape(properties)
    defaultValuesStorage = Row.make(self, key: 0, version: 0)
    for property in properties { defaultValues[property.index] = property.defaultValue }
    defaultValues.freeze()
    mandatorySlotsStorage = properties.filter { property in
      if case .toMany = property.kind { return false }
      return property.isMandatory
    }.map(\.index)
    mandatorySlotListStorage = Self.list(mandatorySlots)
    integerSlotsStorage = Self.list(properties.compactMap(IntegerSlot.init))
    propertiesByNameStorage = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func take(_ constraint: ConstraintLayout) {
    precondition(constraint.owner === self, "an entity has the constraints that it declares")
    ownConstraintsStorage.append(constraint)
  }

  package func take(_ attribute: DerivedAttribute) { derivedStorage.append(attribute) }

  /// Completes the entity in `model`, once every relationship is connected.
  package func finish(_ model: ModelLayout) {
    precondition(modelStorage == nil, "an entity belongs to one model")
    precondition(defaultValuesStorage != nil, "an entity has its properties before its model")
    hasJoinsStorage = relationships.contains { $0.relation.isToMany && $0.relation.inverse?.relation.isToMany ?? true }
    hasOrderStorage = relationships.contains { $0.relation.isOrdered }
    leadsToFamilies = toOneIndices.contains { !properties[$0].relation.destination.children.isEmpty }
    shape.finish(properties)
    self.modelStorage = model
    modelIdentifierStorage = model.entities.first?.identifier ?? 0
  }

  private static func list<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let list = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = list.initialize(from: elements)
    return UnsafeBufferPointer(list)
  }
}
