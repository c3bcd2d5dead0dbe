import RowStore

// Both sides of a relationship are changed together. A refresh drops the changes of one object only, and a newer row comes
// under those of one object: the next save makes both sides say the same again.

/// What unsaved changes of relationships leave to do before they are saved.
struct UnsettledSides {
  /// Whether one side of a relationship may have unsaved changes that the other lost, or never had.
  var sidesMayDiffer = false
  /// Whether that may be so of one-to-one relationships only: a newer row has come under an unsaved move, or an older one
  /// was moved.
  var partnersMayDiffer = false
  /// Objects with an unsaved move of a one-to-one relationship under which a newer row has come, until they are settled.
  var movedPartners: ContiguousArray<NSManagedObject> = []
  /// Whether members may have come and gone without a change of their owners: those have dropped it, or a newer row has come
  /// under an unsaved move.
  var ownersMayDiffer = false
  /// Objects whose delete rules were followed before a newer row came, of them or of one that leads to them: others may
  /// lead to them now.
  var overtakenDeletions: ContiguousArray<NSManagedObject> = []
}

extension NSManagedObjectContext {
  /// Takes the changes of relationships over to the other side where that has lost them, or never had them. Where a refresh
  /// dropped changes, the delete rules of pending deletions are followed again.
  ///
  /// - Parameter isResolving: whether a merge policy has decided since references were validated: those that lead to no
  ///   object are taken back.
  /// - Throws: when the store cannot be read.
  /// - Complexity: O(*n*) for *n* unsaved objects and the members that they gained and lost.
  final func settleSides(isResolving: Bool = false) throws {
    if isResolving { unsettled.ownersMayDiffer = true }
    if unsettled.sidesMayDiffer {
      let deleted = changes.deleted.filter { !$0.state.isVanishing && !$0.state.contains(.gone) }
      for object in deleted { try propagateAgain(object) }
    }
    var objects = changes.inserted + changes.updated
    var index = 0
    while index < objects.count {
      let object = objects[index]
      index += 1
      let isUntouched = object.changed.isEmpty && !object.state.contains(.inserted)
      guard !isUntouched, object.state.isDisjoint(with: [.deleted, .gone]) else { continue }
      for property in object.layout.relationships where isWritten(object, property) {
        if isResolving { try leaveNobody(object, property) }
        guard let inverse = property.relation.inverse else { continue }
        switch (property.relation.isToMany, inverse.relation.isToMany) {
        case (false, false): objects += try settlePartners(of: object, property, inverse)
        case (true, true): if unsettled.sidesMayDiffer { settlePairs(of: object, property, inverse) }
        case (false, true):
          if unsettled.sidesMayDiffer || unsettled.ownersMayDiffer {
            objects += try settleOwners(of: object, property, inverse)
          }
        // The one object's row alone says whose member it is.
        case (true, false): break
        }
      }
    }
    let (overtaken, partners) = (unsettled.overtakenDeletions, unsettled.partnersMayDiffer)
    unsettled = UnsettledSides()
    unsettled.overtakenDeletions = overtaken
    // Partners are looked at again should the save fail: others may save one of the two meanwhile.
    unsettled.partnersMayDiffer = partners
  }

  /// An object that comes back under its ID, or is written as it is here, has the references that it had, and others that a
  /// policy decided on may lead to who is deleted here, or gone by now: those lead nowhere.
  private final func leaveNobody(_ object: NSManagedObject, _ property: PropertyLayout) throws {
    guard !property.relation.isToMany, let target = object.toOne(property) else { return }
    if target.state.contains(.deleted) {
      let rule = property.relation.inverse?.relation.deleteRule ?? .noAction
      if rule != .noAction { object.assignToOne(property, nil) }
      return
    }
    let isReturning = object.state.contains(.inserted) && object.snapshot != nil
    // One that is written as well was compared with its row.
    let isChecked = property.relation.inverse.map(target.isReallyChanged) ?? true
    guard isReturning || !isChecked || target.state.contains(.gone), try !isStored(target) else { return }
    object.assignToOne(property, nil)
  }

  /// Whether a save writes the property: of an object that is inserted again, all.
  private final func isWritten(_ object: NSManagedObject, _ property: PropertyLayout) -> Bool {
    if property.relation.isToMany { return object.changed.contains(property.index) }
    return object.state.contains(.inserted) || object.isReallyChanged(property)
  }

  /// Whether what was changed here can be asked of the object: its row is there, and it is to stay. One of which nothing
  /// would be written has its newest row afterwards: no conflict would tell that it has an older one.
  ///
  /// While the parent may not be asked, a fault that its save does not name is left for later.
  final func isStored(_ object: NSManagedObject) throws -> Bool {
    guard object.state.isDisjoint(with: [.deleted, .gone]) else { return false }
    if let rowsAtHand, object.values == nil, !rowsAtHand.isSure(of: object, in: self) {
      rowsAtHand.isOneMissing = true
      return false
    }
    let isWritten = object.state.isDirty && object.hasPersistentChangedValues
    guard !isWritten, parentContext == nil, coordinator != nil else { return try fillIfFault(object) }
    guard object.key > 0,
      let newest = try reader?.row(object.identity, layout: object.layout, maxAge: 0), object.canHold(newest)
    else { return false }
    if object.values == nil {
      countFault()
      object.fill(newest)
    } else if object.snapshot !== newest {
      object.take(newest)
    }
    return true
  }

  /// Whom the object leads to; where that is gone and a row came back under its ID, the object of that row.
  private final func standingTarget(of object: NSManagedObject, _ property: PropertyLayout) -> NSManagedObject? {
    guard let target = object.toOne(property), target.state.contains(.gone) else { return object.toOne(property) }
    return returned(target) ?? target
  }

  /// Whom an object's row leads to, where that is there, and is to stay; no fault is made of one that is gone.
  final func storedTarget(of object: NSManagedObject, _ property: PropertyLayout) throws -> NSManagedObject? {
    guard let slot = object.snapshot?[property.index], case .reference(let reference) = slot else { return nil }
    let isKnown = known(slot, property) != nil
    let target = self.object(for: reference, in: property.relation.destination)
    if try isStored(target) { return target }
    if !isKnown { registry?.objects.remove(target.identity, ifItIs: target) }
    return nil
  }

  /// One to one: whom the object has left leads to it no more, and whom it leads to leads back.
  ///
  /// - Returns: who was changed.
  private final func settlePartners(
    of object: NSManagedObject, _ property: PropertyLayout, _ inverse: PropertyLayout
  ) throws -> [NSManagedObject] {
    var changed: [NSManagedObject] = []
    func lead(_ other: NSManagedObject, _ property: PropertyLayout, to partner: NSManagedObject?) {
      other.assignToOne(property, partner)
      changed.append(other)
    }
    let partner = standingTarget(of: object, property)
    if let left = try storedTarget(of: object, property), left !== partner, left.toOne(inverse) === object {
      lead(left, inverse, to: nil)
    }
    guard let partner, try isStored(partner) else { return changed }
    let rival = partner.toOne(inverse)
    guard rival !== object else { return changed }
    if let rival, rival !== partner || inverse !== property, try isStored(rival), rival.toOne(property) === partner {
      lead(rival, property, to: nil)
    }
    lead(partner, inverse, to: object)
    return changed
  }

  /// One to one: newer rows have come under unsaved moves. Both sides say the same again, as they will in the file; where the
  /// parent would have to be asked and is busy, once it is free.
  final func settleMovedPartners() {
    let moved = unsettled.movedPartners
    guard !moved.isEmpty else { return }
    unsettled.movedPartners = []
    for object in moved where object.state.isDisjoint(with: [.deleted, .gone]) {
      for property in object.layout.relationships where !property.relation.isToMany && object.isReallyChanged(property)
      {
        guard let inverse = property.relation.inverse, !inverse.relation.isToMany else { continue }
        // Where the store cannot be read, the next save looks again.
        _ = try? settlePartners(of: object, property, inverse)
      }
      if let rowsAtHand, rowsAtHand.isOneMissing {
        rowsAtHand.isOneMissing = false
        unsettled.movedPartners.append(object)
      }
    }
    guard !unsettled.movedPartners.isEmpty, let parentContext, queue.acceptsBlocks else { return }
    parentContext.queue.async { [weak self] in self?.queue.async { [weak self] in self?.mergeArrivals() } }
  }

  /// One to many: whom the object has left and whom it came to have that as a change, so that their versions rise, and who
  /// merges the save reads their members again. Where the owner's row is gone, the save will be refused.
  ///
  /// - Returns: who was changed.
  private final func settleOwners(
    of object: NSManagedObject, _ property: PropertyLayout, _ inverse: PropertyLayout
  ) throws -> [NSManagedObject] {
    var changed: [NSManagedObject] = []
    let owner = standingTarget(of: object, property)
    // An object that is inserted again is a member nowhere.
    if !object.state.contains(.inserted), let left = try storedTarget(of: object, property), left !== owner,
      left.knownToMany(inverse)?.change(of: object) != .removed
    {
      left.removeMember(inverse, object)
      changed.append(left)
    }
    guard let owner, owner.knownToMany(inverse)?.change(of: object) != .added, !owner.state.contains(.deleted) else {
      return changed
    }
    if try isStored(owner) {
      owner.addMember(inverse, object)
      changed.append(owner)
    } else if !owner.state.contains(.gone) {
      lose(owner)
    }
    return changed
  }

  /// Many to many: each pair that is new or gone here is so on the other side, which may be the one that is written.
  private final func settlePairs(of object: NSManagedObject, _ property: PropertyLayout, _ inverse: PropertyLayout) {
    guard let known = object.knownToMany(property) else { return }
    func differs(_ other: NSManagedObject, _ change: MemberChange) -> Bool {
      other.state.isDisjoint(with: [.deleted, .gone]) && !(other === object && inverse === property)
        && other.knownToMany(inverse)?.change(of: object) ?? .none != change
    }
    for other in known.additions where differs(other, .added) { other.addMember(inverse, object) }
    for other in known.removed.objects where differs(other, .removed) { other.removeMember(inverse, object) }
  }
}
