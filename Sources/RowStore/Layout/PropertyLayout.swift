/// One property as the stack works with it; its index is the same in every sub-entity.
public final class PropertyLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen.

  /// The kind of property, with the type of its values.
  public enum Kind {
    case attribute(AttributeType)
    /// The key of the other object is in this row.
    case toOne
    /// The other objects' rows hold this object's key, or a join table does.
    case toMany
  }

  package let name: String
  package let index: Int
  @usableFromInline package let kind: Kind
  @usableFromInline package let isOptional: Bool
  @usableFromInline package let isTransient: Bool
  /// Whether the store computes the value.
  package let isDerived: Bool
  package let defaultValue: Slot
  /// Whether no entity inherits from the one that a to-one relationship leads to.
  let leadsToOneEntity: Bool
  /// Whether the value stays in the history when its object is deleted.
  let isKeptInHistory: Bool
  /// Set for an attribute that is stored otherwise than its slot.
  package let encoding: AttributeEncoding?
  /// Set for an element of a composite attribute, which has the attribute's index: its range of the attribute's leaves.
  package let leaves: Range<Int>?
  /// The elements of a composite attribute, as properties with the names of their paths, `address.city`.
  package let elements: [PropertyLayout]
  /// The entity that declares the property.
  package unowned(unsafe) let owner: EntityLayout
  /// Set for relationships when every entity has its layout.
  @inlinable @inline(__always)
  public var relation: RelationLayout! { relationStorage }
  @exclusivity(unchecked) @usableFromInline
  private(set) var relationStorage: RelationLayout!

  package init(
    name: String, index: Int, kind: Kind, isOptional: Bool, isTransient: Bool, isDerived: Bool, defaultValue: Slot,
    leadsToOneEntity: Bool, isKeptInHistory: Bool = false, encoding: AttributeEncoding?, leaves: Range<Int>? = nil,
    owner: EntityLayout
  ) {
    self.name = name
    self.index = index
    self.kind = kind
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isDerived = isDerived
    self.defaultValue = defaultValue
    self.leadsToOneEntity = leadsToOneEntity
    self.isKeptInHistory = isKeptInHistory
    self.encoding = encoding
    self.leaves = leaves
    self.owner = owner
    guard case .composite(let layout)? = encoding else {
      elements = []
      return
    }
    precondition(leaves.map { $0.count == layout.leaves.count } ?? true, "a composite has all its leaves")
    elements = layout.elements.map { element in
      let first = (leaves?.lowerBound ?? 0) + element.first
      return PropertyLayout(
        name: "\(name).\(element.name)", index: index,
        kind: .attribute(element.composite == nil ? layout.leaves[element.first].type : .composite),
        isOptional: isOptional, isTransient: isTransient, isDerived: false, defaultValue: .null,
        leadsToOneEntity: false, encoding: element.composite.map { .composite($0) },
        leaves: first..<first + (element.composite?.leaves.count ?? 1), owner: owner)
    }
  }

  /// Whether the property leads to objects.
  @inlinable @inline(__always)
  public var isRelationship: Bool {
    if case .attribute = kind { false } else { true }
  }

  /// Whether it leads to any number of objects.
  @inlinable @inline(__always)
  public var isToMany: Bool {
    if case .toMany = kind { true } else { false }
  }

  /// Whether the file has the property's value. A to-many relationship lies with the other side's, which must be stored too.
  package var isStored: Bool {
    guard isToMany else { return !isTransient }
    return !isTransient && !(relation.inverse?.isTransient ?? false)
  }

  /// Whether the property is a transient attribute without a type, which keeps any hashable value as it is.
  @inlinable @inline(__always)
  public var isUntyped: Bool {
    if case .attribute(.undefined) = kind { true } else { false }
  }

  /// Whether an object that is saved must have a value.
  @inlinable @inline(__always)
  public var isMandatory: Bool { !isOptional && !isTransient }

  /// Whether it is known where a relationship leads; false of one that the model has wrong.
  package var isConnected: Bool { relationStorage != nil }

  package func connect(_ relation: RelationLayout) {
    precondition(relationStorage == nil && relation.property === self, "a relationship is connected once, as itself")
    relationStorage = relation
  }
}

/// The relationship part of a property: where it leads, and back.
public final class RelationLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen.

  /// Position among the entity's relationships; inherited ones first, so that it is the same in every sub-entity.
  package let position: Int
  package let isToMany: Bool
  /// Whether the members have an order; only of to-many relationships.
  package let isOrdered: Bool
  package let deleteRule: DeleteRule
  package let minCount: Int
  package let maxCount: Int
  package unowned(unsafe) let property: PropertyLayout
  /// Alive as long as the model.
  package let destinationReference: Unmanaged<EntityLayout>
  package var destination: EntityLayout { destinationReference.takeUnretainedValue() }
  /// The property of ``destination`` that leads back; nil for a relationship without inverse.
  package var inverse: PropertyLayout? { inverseReference?.takeUnretainedValue() }
  package let inverseReference: Unmanaged<PropertyLayout>?

  package init(
    position: Int, isToMany: Bool, isOrdered: Bool, deleteRule: DeleteRule, minCount: Int, maxCount: Int,
    property: PropertyLayout, destination: EntityLayout, inverse: PropertyLayout?
  ) {
    precondition(position >= 0, "the relationships of an entity are numbered from 0")
    precondition(isToMany || !isOrdered, "an order is one of several members")
    self.position = position
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.minCount = minCount
    self.maxCount = maxCount
    self.property = property
    destinationReference = .passUnretained(destination)
    inverseReference = inverse.map { .passUnretained($0) }
  }
}
