import RowStore

extension NSManagedObject {
  /// Deleted and saved, or never saved at all: the values can still be read, relationships lead nowhere, and objects that led
  /// here no longer change this side.
  final var isDetached: Bool { state.contains(.gone) && registry == nil }

  /// The object for a change of what leads to it: in the place of one that is gone, the object that came back under its ID; nil
  /// where there is none.
  private final func present(for context: NSManagedObjectContext?) -> NSManagedObject? {
    guard state.contains(.gone) else { return self }
    return context.flatMap { GoneObjects(in: $0).returned(self) } ?? (registry == nil ? nil : self)
  }

  // MARK: To-one

  /// The object on the other side; a fault where it was not read yet.
  final func toOne(_ property: PropertyLayout) -> NSManagedObject? {
    if values == nil { _ = readableValues(property.index) } else { touch(property) }
    let position = property.relation.position
    if position < relations.count {
      switch relations[position] {
      case .one(let object):
        return object.state.contains(.gone) ? successor(of: object, property) : object
      case .none: return nil
      case .unknown, .many: break
      }
    }
    guard let reference = reference(at: property.index), !isDetached else { return nil }
    let object = liveContext.object(for: reference, in: property.relation.destination)
    setRelation(position, .one(object))
    return object
  }

  /// The object on the other side for one use, since this object goes: the answer is not kept.
  final func lastToOne(_ property: PropertyLayout) -> NSManagedObject? {
    guard relations.isEmpty, values != nil else { return toOne(property) }
    touch(property.name)
    guard let reference = reference(at: property.index), !isDetached else { return nil }
    return liveContext.object(for: reference, in: property.relation.destination)
  }

  /// The object on the other side, as far as the row at hand tells; a fault stays one.
  final func prefetchedToOne(_ property: PropertyLayout) -> NSManagedObject? {
    let position = property.relation.position
    if position < relations.count {
      switch relations[position] {
      case .one(let object):
        return object.state.contains(.gone) ? successor(of: object, property) : object
      case .none: return nil
      case .unknown, .many: break
      }
    }
    guard case .reference(let reference)? = (values ?? snapshot)?[property.index] else { return nil }
    let object = liveContext.object(for: reference, in: property.relation.destination)
    setRelation(position, .one(object))
    return object
  }

  /// The object under the ID of one that is gone: another object, if the row came back; else the one that is gone.
  @inline(never)
  private final func successor(of object: NSManagedObject, _ property: PropertyLayout) -> NSManagedObject {
    guard let context = registry?.contextOnQueue,
      let other = GoneObjects(in: context).successor(of: object)
    else { return object }
    setRelation(property.relation.position, .one(other))
    return other
  }

  /// The object that the row refers to there.
  @inline(__always)
  final func reference(at index: Int) -> RowReference? {
    guard let row = valuesReference else { return nil }
    return row._withUnsafeGuaranteedRef { $0.values(likely: layoutReference).reference(index) }
  }

  /// Sets the other side, and this object on the other side's inverse.
  final func setToOne(_ property: PropertyLayout, _ object: NSManagedObject?) {
    let isSet = object.map { Unmanaged.passUnretained($0) }?._withUnsafeGuaranteedRef { setFirst(property, $0) }
    if isSet != true { replaceToOne(property, object) }
  }

  /// Sets the other side where there is none, and no other object loses a member; false where more is to do.
  @inline(__always)
  private final func setFirst(_ property: PropertyLayout, _ object: NSManagedObject) -> Bool {
    requireSameContext(property, object)
    guard let inverse = property.relation.inverseReference, inverse._withUnsafeGuaranteedRef({ $0.isToMany }),
      toOne(property) == nil
    else { return false }
    inverse._withUnsafeGuaranteedRef { inverse in
      object.readBeforeAdding(inverse, self)
      assignToOne(property, object)
      object.addMember(inverse, self)
    }
    return true
  }

  @inline(never)
  private final func replaceToOne(_ property: PropertyLayout, _ object: NSManagedObject?) {
    let old = toOne(property)
    let left = old?.present(for: registry?.contextOnQueue)
    // The object that came back under the ID of the old one may be the new one.
    let isSame = old === object || left != nil && left === object
    if let inverse = property.relation.inverse, !isSame { object?.readBeforeAdding(inverse, self) }
    assignToOne(property, object)
    guard !isSame, let inverse = property.relation.inverse else { return }
    if inverse.relation.isToMany {
      left?.removeMember(inverse, self)
      object?.addMember(inverse, self)
    } else {
      // An object that was its own partner has got the new one by now.
      if left !== self || inverse !== property { left?.leave(inverse, self) }
      guard let object else { return }
      let rival = object.toOne(inverse)
      if rival === self {
        // One of the two was read before the other.
        registry?.contextOnQueue?.changes.unsettled.partnersMayDiffer = true
      } else {
        rival?.present(for: registry?.contextOnQueue)?.leave(property, object)
      }
      object.assignToOne(inverse, self)
    }
  }

  /// One to one: leads nowhere from now on, unless it does not lead to that partner here. Then one of the two was read
  /// before the other, and the next save looks again.
  final func leave(_ property: PropertyLayout, _ partner: NSManagedObject) {
    guard toOne(property) !== partner else { return assignToOne(property, nil) }
    registry?.contextOnQueue?.changes.unsettled.partnersMayDiffer = true
  }

  /// Sets this side only.
  final func assignToOne(_ property: PropertyLayout, _ object: NSManagedObject?) {
    if values == nil { return place(object, in: writableValues(property.index), property) }
    touch(property.name)
    markChanged(property.index)
    ownFrozenValues()
    // The object keeps the row, of which only a reference to another one is written.
    valuesReference?._withUnsafeGuaranteedRef { place(object, in: $0, property) }
  }

  /// Puts the other side of a to-one relationship into the row, and nothing else.
  final func place(_ object: NSManagedObject?, in row: Row, _ property: PropertyLayout) {
    guard let object = object.map({ Unmanaged.passUnretained($0) }) else {
      row[property.index] = .null
      return setRelation(property.relation.position, .none)
    }
    object._withUnsafeGuaranteedRef {
      row[property.index] = .reference($0.reference)
      setRelation(property.relation.position, .one($0))
    }
  }

  // MARK: To-many

  /// The objects on the other side: in their order where the relationship has one.
  final func members(_ property: PropertyLayout) -> ObjectList {
    do {
      return try loadMembers(property)
    } catch {
      if let context = registry?.contextOnQueue { context.reading.unreadable.record(error, in: context) }
      return ObjectList()
    }
  }

  /// The same, for callers that can receive the error of a failing store.
  final func loadMembers(_ property: PropertyLayout) throws -> ObjectList {
    _ = readableValues(property.index)
    let toMany = toManyState(property)
    if let members = toMany.members { return members }
    if isDetached { return ObjectList() }
    return adoptMembers(property, try Prefetching(in: liveContext).storedMembers(of: self, property))
  }

  /// Takes over the members in the store, or in the parent; unsaved changes are laid over them.
  ///
  /// - Precondition: they are not known yet.
  @discardableResult
  final func adoptMembers(_ property: PropertyLayout, _ stored: ContiguousArray<NSManagedObject>) -> ObjectList {
    let toMany = toManyState(property)
    let settled = toMany.dropChanges(madeIn: stored)
    var current = stored
    if let inverse = property.relation.inverse {
      if inverse.relation.isToMany {
        // Both sides of a pair know the same.
        for object in settled { object.knownToMany(inverse)?.dropChange(of: self) }
      } else {
        // The other side still has it as a change: should the store take the member back, it is one here as well.
        if !settled.isEmpty { toMany.markForgottenChanges() }
        // An object that was moved elsewhere here, and is not saved yet, is no member whatever the store says. As a rule none
        // was, and the list stays the store's.
        if stored.firstIndexBorrowed(from: 0, where: { $0.changed.contains(inverse.index) }) != nil {
          current.removeAll { $0.isReallyChanged(inverse) && $0.toOne(inverse) !== self }
        }
      }
    }
    if toMany.hasForgottenChanges { applyForgottenChanges(property, to: &current) }
    return toMany.realise(stored, current: current)
  }

  /// Lays unsaved changes of the other side over the members of the store, because this side forgot them as it became a fault,
  /// or never knew them.
  ///
  /// Complexity: O(*n*) for *n* objects with unsaved changes.
  private final func applyForgottenChanges(
    _ property: PropertyLayout, to members: inout ContiguousArray<NSManagedObject>
  ) {
    guard let inverse = property.relation.inverse else { return }
    let context = liveContext
    let toMany = toManyState(property)
    for object in context.changes.inserted + context.changes.updated
    where object.changed.contains(inverse.index) && object.state.isDisjoint(with: [.deleted, .gone])
      && object.layout.isKind(of: property.relation.destination)
    {
      let isMember: Bool
      if inverse.relation.isToMany {
        guard let other = object.knownToMany(inverse) else { continue }
        if other.removed.contains(self) {
          isMember = false
        } else if other.additions.contains(where: { $0 === self }) {
          isMember = true
        } else {
          continue
        }
      } else {
        guard object.isReallyChanged(inverse) else { continue }
        isMember = object.toOne(inverse) === self
      }
      if let position = members.firstIndex(where: { $0 === object }) {
        if !isMember { members.remove(at: position) }
      } else if isMember, !toMany.isAdded(object), object.isReallyChanged(inverse) {
        members.append(object)
      }
    }
  }

  /// Replaces the members; additions and removals are set through the inverse.
  final func setMembers(_ property: PropertyLayout, _ objects: [NSManagedObject]) {
    if property.relation.isOrdered { return setOrderedMembers(property, objects) }
    let new = Set(objects.map { ObjectIdentifier($0) })
    let old = members(property)
    markChanged(property.index)
    for object in old.objects where !new.contains(ObjectIdentifier(object)) { remove(property, object) }
    add(property, objects, to: old)
  }

  /// Adds those that are no members yet, and tells the other side of those that are; a member that is gone stays as it is.
  final func add(_ property: PropertyLayout, _ objects: some Sequence<NSManagedObject>, to old: ObjectList) {
    var old = old
    for object in objects where !object.state.contains(.gone) || !old.contains(object) { add(property, object) }
  }

  /// Adds one member and sets its inverse.
  final func add(_ property: PropertyLayout, _ object: NSManagedObject) {
    requireSameContext(property, object)
    _ = readableValues(property.index)
    guard let inverse = property.relation.inverse else {
      if !isMember(property, object) { addMember(property, object) }
      return
    }
    if inverse.relation.isToMany {
      guard !isMember(property, object) else { return markChanged(property.index) }
      // Both sides read the store's state of the pair before either changes.
      object.readBeforeAdding(inverse, self)
      addMember(property, object)
      // A friend of itself is on both sides at once.
      if object !== self || inverse !== property { object.addMember(inverse, self) }
    } else {
      let rival = object.toOne(inverse)
      guard rival !== self else { return markChanged(property.index) }
      readBeforeAdding(property, object)
      object.assignToOne(inverse, self)
      rival?.present(for: registry?.contextOnQueue)?.removeMember(property, object)
      // Where the members are read now, the object counts among them as the store has it.
      addMember(property, object)
    }
  }

  /// Takes one member out and clears its inverse.
  final func remove(_ property: PropertyLayout, _ object: NSManagedObject) {
    _ = readableValues(property.index)
    if object.state.contains(.gone) {
      toManyState(property).forget(object)
      return markChanged(property.index)
    }
    guard let inverse = property.relation.inverse else {
      if isMember(property, object) { removeMember(property, object) }
      return
    }
    if inverse.relation.isToMany {
      guard isMember(property, object) else { return markChanged(property.index) }
      object.readBeforeRemoving(inverse, self)
      removeMember(property, object)
      if object !== self || inverse !== property { object.removeMember(inverse, self) }
    } else {
      guard object.toOne(inverse) === self else { return markChanged(property.index) }
      removeMember(property, object)
      object.assignToOne(inverse, nil)
    }
  }

  final func isMember(_ property: PropertyLayout, _ object: NSManagedObject) -> Bool {
    !members(property).isEmpty && toManyState(property).isMember(object)
  }

  /// Adds on this side only; the object is not a member yet.
  final func addMember(_ property: PropertyLayout, _ object: NSManagedObject) {
    requireValues(property.index)
    markChanged(property.index)
    var toMany = toManyReference(property)
    // Only the store's members show whether taking back a removal leaves nothing to save, and in an ordered relationship
    // whether this is another place.
    if toMany._withUnsafeGuaranteedRef({ $0.members == nil && $0.isRemoved(object) }) {
      _ = members(property)
      toMany = toManyReference(property)
    }
    toMany._withUnsafeGuaranteedRef {
      $0.add(object)
      let isKept = object.snapshot == nil || object.state.contains(.inserted) || object.isDeletionFollowed
      if !isKept, object.isLed(to: self, property) { $0.dropAddition(of: object) }
    }
  }

  /// Whether the row of this object, which was saved before, makes it a member of the owner: to come back there is no change
  /// of the owner's, and to leave it is one only then.
  @inline(never)
  private final func isLed(to owner: NSManagedObject, _ members: PropertyLayout) -> Bool {
    guard let snapshot, let property = members.relation.inverse, !property.relation.isToMany else { return false }
    return registry?.contextOnQueue?.known(snapshot[property.index], property) === owner
  }

  /// Takes out on this side only.
  final func removeMember(_ property: PropertyLayout, _ object: NSManagedObject) {
    requireValues(property.index)
    markChanged(property.index)
    var toMany = toManyReference(property)
    // As above: the store may have got the member meanwhile.
    if toMany._withUnsafeGuaranteedRef({ $0.members == nil && $0.isAdded(object) }) {
      _ = members(property)
      toMany = toManyReference(property)
    }
    toMany._withUnsafeGuaranteedRef {
      $0.remove(object)
      guard object.snapshot != nil, property.relation.inverse?.relation.isToMany == false,
        !object.isLed(to: self, property)
      else { return }
      $0.dropChange(of: object)
    }
  }

  /// The known state of a to-many relationship; an object never saved knows that the store has nothing.
  final func toManyState(_ property: PropertyLayout) -> ToMany { toManyReference(property).takeUnretainedValue() }

  /// The same without a reference counted: the object keeps it until its relations change.
  private final func toManyReference(_ property: PropertyLayout) -> Unmanaged<ToMany> {
    let isNew = snapshot == nil && (state.contains(.inserted) || registry == nil)
    return withRelation(property.relation.position) { relation in
      if let toMany = relation.manyReference { return toMany }
      let isOrdered = property.relation.isOrdered
      let toMany = isNew ? ToMany(ofNewObject: (), isOrdered: isOrdered) : ToMany(isOrdered: isOrdered)
      relation = .many(toMany)
      return .passUnretained(toMany)
    }
  }

  /// The to-many state, if anything is known.
  final func knownToMany(_ property: PropertyLayout) -> ToMany? { knownReference(property)?.takeUnretainedValue() }

  /// The same without a reference counted; the object keeps it.
  @inline(__always)
  final func knownReference(_ property: PropertyLayout) -> Unmanaged<ToMany>? {
    relations.manyReference(at: property.relation.position)
  }

  /// Ends the process where the object is another context's, or of an entity that the relationship does not lead to.
  final func requireSameContext(_ property: PropertyLayout, _ object: NSManagedObject) {
    let isOneContext = object.registryReference?.toOpaque() == registryReference?.toOpaque()
    if !isOneContext { ContextHooks.tellCrossing(property, of: self, to: object) }
    precondition(
      isOneContext,
      """
      Illegal attempt to establish a relationship '\(property.name)' between objects in different contexts (source = \
      \(self), destination = \(object)); take the destination's objectID to this object's context first
      """)
    let destination = property.relation.destinationReference
    precondition(
      object.layoutReference.toOpaque() == destination.toOpaque()
        || object.layout.isKind(of: property.relation.destination),
      "\(layout.name).\(property.name) leads to \(property.relation.destination.name), not to \(object.layout.name)")
  }
}

extension NSManagedObjectContext {
  /// The object that a to-one value leads to, where it is in memory.
  final func known(_ slot: Slot, _ property: PropertyLayout) -> NSManagedObject? {
    guard case .reference(let reference) = slot else { return nil }
    let layout = registry?.layout?.entity(number: Int(reference.entity)) ?? property.relation.destination
    return registered(key: reference.key, layout: layout)
  }
}
