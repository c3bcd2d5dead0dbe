import RowStore

/// The objects of a to-many relationship as a set that reads and changes the relationship itself.
///
/// Keeps its object; on the object's queue.
final class RelationshipSet: NSMutableSet {
  private let owner: NSManagedObject
  private let property: PropertyLayout
  /// Whether a change of the set is a change of the object, inverses included.
  private let isTracked: Bool

  init(_ owner: NSManagedObject, _ property: PropertyLayout, isTracked: Bool) {
    self.owner = owner
    self.property = property
    self.isTracked = isTracked
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) {
    preconditionFailure("the set of a relationship is made with mutableSetValue(forKey:); use NSMutableSet for others")
  }

  required init?(coder: NSCoder) { nil }

  private var members: ObjectList { owner.members(property) }

  // MARK: Reading

  override var count: Int { members.count }

  override func member(_ object: Any) -> Any? {
    guard let object = object as? NSManagedObject, owner.isMember(property, object) else { return nil }
    return object
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: Array(members.objects)).objectEnumerator() }

  override var allObjects: [Any] { Array(members.objects) }

  /// A set of its own, which the relationship no longer changes.
  override func copy(with zone: NSZone?) -> Any { NSSet(array: allObjects) }

  override func mutableCopy(with zone: NSZone?) -> Any { NSMutableSet(array: allObjects) }

  // Foundation only describes sets that are not of a subclass.
  override var description: String { NSSet(array: allObjects).description }

  // MARK: Changing

  override func add(_ object: Any) {
    guard let object = object as? NSManagedObject else {
      preconditionFailure("only managed objects can be added to \(property.name), not \(type(of: object))")
    }
    if isTracked { owner.add(property, object) } else { owner.storeMember(property, object, isMember: true) }
  }

  override func remove(_ object: Any) {
    guard let object = object as? NSManagedObject else { return }
    if isTracked { owner.remove(property, object) } else { owner.storeMember(property, object, isMember: false) }
  }

  override func removeAllObjects() {
    for object in members.objects { remove(object) }
  }
}
