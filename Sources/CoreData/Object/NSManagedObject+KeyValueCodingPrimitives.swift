import RowStore

/// A change of an object's relationship that was announced and is not finished.
struct AnnouncedChange: Hashable {
  let object: ObjectIdentifier
  let index: Int

  init(_ object: NSManagedObject, _ property: PropertyLayout) {
    self.object = ObjectIdentifier(object)
    index = property.index
  }
}

extension NSManagedObject {
  // MARK: Primitive values

  final func storedValue(_ key: String) -> Any? {
    touch(key)
    let property = requireProperty(key)
    guard let values else { return nil }
    switch property.kind {
    case .attribute(let type): return values[property.index].value(as: type)
    case .toOne: return toOne(property)
    case .toMany where property.relation.isOrdered: return PrimitiveOrderedSet(self, property)
    case .toMany: return relationshipSet(key, isTracked: false)
    }
  }

  final func storeValue(_ value: Any?, _ key: String) {
    let property = requireProperty(key)
    switch property.kind {
    case .attribute: untrackedValues(property.index)[property.index] = slot(value, property)
    case .toOne:
      let object = target(value, property)
      if let object { requireSameContext(property, object) }
      place(object, in: untrackedValues(property.index), property)
    case .toMany:
      let objects = targets(value, property)
      // A member that is gone meanwhile may stay.
      for object in objects where !isMember(property, object) { requireSameContext(property, object) }
      storeMembers(property, objects)
    }
  }

  /// Replaces the members on this side only, untracked.
  final func storeMembers(_ property: PropertyLayout, _ objects: [NSManagedObject]) {
    let new = Set(objects)
    let old = Set(members(property).objects)
    for object in old.subtracting(new) { storeMember(property, object, isMember: false) }
    for object in new.subtracting(old) { storeMember(property, object, isMember: true) }
    guard property.relation.isOrdered else { return }
    changed.insert(property.index)
    let toMany = toManyState(property)
    toMany.members = ObjectList(ContiguousArray(objects))
    toMany.order?.recordArranged()
  }

  /// Adds or takes out one object on this side only, untracked.
  final func storeMember(_ property: PropertyLayout, _ object: NSManagedObject, isMember: Bool) {
    guard self.isMember(property, object) != isMember else { return }
    changed.insert(property.index)
    let toMany = toManyState(property)
    if isMember { toMany.add(object) } else { toMany.remove(object) }
  }

  // MARK: Notifications of access and change

  final func announceAccess(_ key: String?) {
    touch(key ?? "willAccessValue")
    guard values == nil else { return }
    _ = realisedValues(key.flatMap { layout.propertiesByName[$0] })
  }

  final func announceChange(_ key: String) {
    announceAccess(key)
    guard let property = layout.propertiesByName[key] else { return }
    // Before the value is another one, so that undo knows the old one.
    markChanged(property.index)
    guard property.isRelationship, let context = registry?.context else { return }
    let change = AnnouncedChange(self, property)
    // Of announcements inside each other the first has the old members.
    if context.turn.announced[change] == nil { context.turn.announced[change] = others(property) }
  }

  final func finishChange(_ key: String) {
    touch(key)
    guard let property = layout.propertiesByName[key] else { return }
    let announced = registry?.context?.turn.announced.removeValue(forKey: AnnouncedChange(self, property))
    markChanged(property.index)
    guard property.isRelationship, let announced else { return }
    // The stored members are taken back and set again as a change, which sets inverses.
    if property.relation.isOrdered {
      let new = members(property).objects
      storeMembers(property, Array(announced))
      setOrderedMembers(property, new)
    } else if property.relation.isToMany {
      let (old, new) = (Set(announced), Set(members(property).objects))
      for object in old.subtracting(new) {
        storeMember(property, object, isMember: true)
        remove(property, object)
      }
      for object in new.subtracting(old) {
        storeMember(property, object, isMember: false)
        add(property, object)
      }
    } else {
      let new = toOne(property)
      guard new !== announced.first else { return }
      place(announced.first, in: untrackedValues(property.index), property)
      setToOne(property, new)
    }
  }

  /// The objects on the other side of a relationship of either kind.
  private final func others(_ property: PropertyLayout) -> ContiguousArray<NSManagedObject> {
    property.relation.isToMany ? members(property).objects : toOne(property).map { [$0] } ?? []
  }
}
