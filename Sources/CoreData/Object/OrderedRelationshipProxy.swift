import RowStore

/// The members of an ordered relationship as a set that can be changed: every change is one of the relationship.
///
/// Methods that Foundation lets a subclass override look at the relationship first; enumeration, `array` and `set` show the
/// members as they were at the last such call or change made through the proxy.
class OrderedRelationshipProxy: NSMutableOrderedSet {
  final let object: NSManagedObject
  final let property: PropertyLayout
  /// The state that the superclass's copy of the members was made from.
  private var source: (order: MemberOrder, changes: Int)?
  private var isCopying = false

  init(_ object: NSManagedObject, _ property: PropertyLayout) {
    self.object = object
    self.property = property
    super.init(objects: nil, count: 0)
    bringUpToDate()
  }

  required convenience init(arrayLiteral elements: Any...) {
    preconditionFailure("the members of a relationship come from mutableOrderedSetValue(forKey:)")
  }

  required convenience init?(coder aDecoder: NSCoder) {
    preconditionFailure("the members of a relationship come from mutableOrderedSetValue(forKey:)")
  }

  // MARK: The superclass's copy

  final func bringUpToDate() {
    // The calls below come back here.
    guard !isCopying else { return }
    let members = object.members(property).objects
    let order = object.knownToMany(property)?.order
    if let source, let order, source.order === order, source.changes == order.changes { return }
    isCopying = true
    defer { isCopying = false }
    super.removeAllObjects()
    super.addObjects(from: Array(members))
    source = order.map { ($0, $0.changes) }
  }

  /// The members now.
  final var members: [NSManagedObject] { Array(object.members(property).objects) }

  private func change(_ body: () -> Void) {
    body()
    bringUpToDate()
  }

  /// Makes one change of the relationship, and the same one of the copy: so that a change costs only its moves.
  ///
  /// - Parameters:
  ///   - growth: by how many members the relationship grows, if anything is done at all.
  ///   - same: changes the copy as `body` changes the relationship.
  private func change(by growth: Int, _ body: () -> Void, same: () -> Void) {
    bringUpToDate()
    let before = object.members(property).count
    let changes = source?.changes
    body()
    guard let order = object.knownToMany(property)?.order, source?.order === order, order.changes != changes,
      object.members(property).count == before + growth
    else { return bringUpToDate() }
    isCopying = true
    defer { isCopying = false }
    same()
    precondition(super.count == before + growth, "the copy has the members of the relationship")
    source = (order, order.changes)
  }

  func setMembers(_ objects: [NSManagedObject]) {
    change { object.setOrderedMembers(property, objects) }
  }

  final func member(_ value: Any) -> NSManagedObject {
    guard let member = value as? NSManagedObject else {
      preconditionFailure(
        "Unacceptable type of value for \(object.layout.name).\(property.name): expected an instance of the "
          + "destination entity, found \(type(of: value))")
    }
    return member
  }

  // MARK: Reading

  override var count: Int {
    bringUpToDate()
    return super.count
  }

  override func object(at idx: Int) -> Any {
    bringUpToDate()
    return super.object(at: idx)
  }

  override func index(of object: Any) -> Int {
    bringUpToDate()
    guard let member = object as? NSManagedObject else { return NSNotFound }
    return self.object.position(property, of: member) ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool {
    bringUpToDate()
    return super.contains(object)
  }

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: members) }

  // MARK: One at a time

  override func insert(_ object: Any, at idx: Int) {
    let added = member(object)
    change(by: 1) {
      self.object.insert(property, added, at: idx)
    } same: {
      super.insert(added, at: idx)
    }
  }

  override func removeObject(at idx: Int) {
    change(by: -1) {
      object.removeMembers(property, at: IndexSet(integer: idx))
    } same: {
      super.removeObject(at: idx)
    }
  }

  override func replaceObject(at idx: Int, with obj: Any) {
    let added = member(obj)
    change(by: 0) {
      object.replaceMembers(property, at: IndexSet(integer: idx), with: [added])
    } same: {
      super.replaceObject(at: idx, with: added)
    }
  }

  override func add(_ object: Any) {
    let added = member(object)
    change(by: 1) {
      self.object.add(property, added)
    } same: {
      super.add(added)
    }
  }

  override func remove(_ val: Any) {
    guard let leaving = val as? NSManagedObject, let position = object.position(property, of: leaving) else { return }
    change(by: -1) {
      object.remove(property, leaving)
    } same: {
      super.removeObject(at: position)
    }
  }

  // MARK: Several

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
  }

  override func addObjects(from array: [Any]) {
    change { for value in array { object.add(property, member(value)) } }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    let added = objects.map(member)
    change(by: added.count) {
      object.insert(property, added, at: indexes)
    } same: {
      for (member, index) in zip(added, indexes) { super.insert(member, at: index) }
    }
  }

  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    change(by: 0) {
      object.exchangeMembers(property, idx1, idx2)
    } same: {
      super.exchangeObject(at: idx1, withObjectAt: idx2)
    }
  }

  override func moveObjects(at indexes: IndexSet, to idx: Int) {
    change(by: 0) {
      object.moveMembers(property, from: indexes, to: idx)
    } same: {
      let moved = indexes.map { super.object(at: $0) }
      for index in indexes.reversed() { super.removeObject(at: index) }
      for (offset, member) in moved.enumerated() { super.insert(member, at: idx + offset) }
    }
  }

  override func setObject(_ obj: Any, at idx: Int) {
    if idx == count { add(obj) } else { replaceObject(at: idx, with: obj) }
  }

  override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
    var new = members
    let inserted = UnsafeBufferPointer(start: objects, count: count).map(member)
    let place = range.location..<range.location + range.length
    let staying = Set(new.indices.filter { !place.contains($0) }.map { ObjectIdentifier(new[$0]) })
    new.replaceSubrange(place, with: inserted.filter { !staying.contains(ObjectIdentifier($0)) })
    setMembers(new)
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    change { object.replaceMembers(property, at: indexes, with: objects.map(member)) }
  }

  override func removeObjects(in range: NSRange) {
    removeObjects(at: IndexSet(integersIn: range.location..<range.location + range.length))
  }

  override func removeObjects(at indexes: IndexSet) {
    change(by: -indexes.count) {
      object.removeMembers(property, at: indexes)
    } same: {
      for index in indexes.reversed() { super.removeObject(at: index) }
    }
  }

  override func removeAllObjects() { setMembers([]) }

  override func removeObjects(in array: [Any]) {
    change { for case let member as NSManagedObject in array { object.remove(property, member) } }
  }

  // MARK: As sets

  override func intersect(_ other: NSOrderedSet) { setMembers(members.filter { other.contains($0) }) }

  override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }

  override func intersectSet(_ other: Set<AnyHashable>) { setMembers(members.filter { other.contains($0) }) }

  override func minusSet(_ other: Set<AnyHashable>) { setMembers(members.filter { !other.contains($0) }) }

  override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

  // MARK: Sorting

  override func sortRange(
    _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
  ) {
    var new = members
    let place = range.location..<range.location + range.length
    // Stable, as a sort by offset where the comparison says the same.
    let sorted = new[place].enumerated().sorted {
      let result = cmptr($0.element, $1.element)
      return result == .orderedSame ? $0.offset < $1.offset : result == .orderedAscending
    }
    new.replaceSubrange(place, with: sorted.map(\.element))
    setMembers(new)
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    let sorted = NSOrderedSet(array: members).sortedArray(using: sortDescriptors)
    setMembers(sorted.map(member))
  }
}

extension NSManagedObject {
  /// The objects of an ordered relationship as a set; its changes are the relationship's, the inverse included.
  ///
  /// - Precondition: the entity has an ordered to-many relationship of that name.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    touch(key)
    guard let property = layout.propertiesByName[key], property.relation?.isOrdered ?? false else {
      preconditionFailure("\(layout.name) has no ordered to-many relationship \"\(key)\"; use mutableSetValue(forKey:)")
    }
    return OrderedRelationshipProxy(self, property)
  }
}
