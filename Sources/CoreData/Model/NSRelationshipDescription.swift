/// A property that leads to another object, or to a set of objects.
///
/// - SeeAlso: Apple, "NSRelationshipDescription".
open nonisolated class NSRelationshipDescription: NSPropertyDescription {
  /// The entity of the objects on the other side, which the relationship does not hold.
  open var destinationEntity: NSEntityDescription? {
    get { destination?.entity }
    set {
      requireMutable()
      destination = newValue?.anchor
    }
  }

  private weak var destination: EntityAnchor?

  /// The names that a copy's original led to, since the copy may come into another model.
  final var copiedNames: (destination: String?, inverse: String?)?

  /// The relationship that leads back; to be set on both sides. It is not held.
  open weak var inverseRelationship: NSRelationshipDescription? {
    willSet { requireMutable() }
  }

  /// The effect on the other side when this side is deleted; nullify by default.
  open var deleteRule: NSDeleteRule = .nullifyDeleteRule {
    willSet { requireMutable() }
  }

  /// The most objects on the other side: 1 is a to-one relationship, 0 (the default) a to-many without limit.
  open var maxCount = 0 {
    willSet { requireMutable() }
  }

  /// The fewest objects on the other side when the relationship is not empty; 0 is no limit.
  open var minCount = 0 {
    willSet { requireMutable() }
  }

  /// Whether a to-many relationship keeps its objects in an order of the developer's: the value is an `NSOrderedSet`.
  open var isOrdered = false {
    willSet { requireMutable() }
  }

  /// Whether the value is a set rather than one object.
  open var isToMany: Bool { maxCount != 1 }

  /// The copy leads where this one leads.
  override func copied() -> NSPropertyDescription {
    let copy = NSRelationshipDescription()
    copyState(to: copy)
    return copy
  }

  override func copyState(to copy: NSPropertyDescription) {
    super.copyState(to: copy)
    guard let copy = copy as? NSRelationshipDescription else { return }
    copy.destinationEntity = destinationEntity
    copy.inverseRelationship = inverseRelationship
    copy.copiedNames = (
      destinationEntity?.name ?? copiedNames?.destination, inverseRelationship?.name ?? copiedNames?.inverse
    )
    copy.deleteRule = deleteRule
    copy.maxCount = maxCount
    copy.minCount = minCount
    copy.isOrdered = isOrdered
  }

  override func isSame(_ other: NSPropertyDescription) -> Bool {
    guard super.isSame(other), let other = other as? NSRelationshipDescription else { return false }
    // By name: the others may lead back here.
    return destinationEntity?.name == other.destinationEntity?.name
      && inverseRelationship?.name == other.inverseRelationship?.name && deleteRule == other.deleteRule
      && maxCount == other.maxCount && minCount == other.minCount && isOrdered == other.isOrdered
  }
}
