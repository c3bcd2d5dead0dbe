import RowStore

/// Makes both sides of changed relationships say the same, object by object.
struct SideSettling {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Takes the changes of relationships over to the other side where that has lost them, or never had them. Where a refresh
  /// dropped changes, the delete rules of pending deletions are followed again.
  ///
  /// - Parameter isResolving: whether a merge policy has decided since references were validated: those that lead to no
  ///   object are taken back.
  /// - Throws: when the store cannot be read.
  /// - Complexity: O(*n*) for *n* unsaved objects and the members that they gained and lost.
  func settle(isResolving: Bool = false) throws {
    if isResolving { context.changes.unsettled.ownersMayDiffer = true }
    if context.changes.unsettled.sidesMayDiffer {
      let deleted = context.changes.deleted.filter { !$0.state.isVanishing && !$0.state.contains(.gone) }
      for object in deleted { try DeleteRules(in: context).followAgain(object) }
    }
    var objects = context.changes.inserted + context.changes.updated
    var index = 0
    while index < objects.count {
      objects += try settle(objects[index], isResolving: isResolving)
      index += 1
    }
    (context.changes.unsettled.sidesMayDiffer, context.changes.unsettled.ownersMayDiffer) = (false, false)
    context.changes.unsettled.movedPartners = []
    // Partners are looked at again should the save fail: others may save one of the two meanwhile.
  }

  /// One to one: newer rows have come under unsaved moves. Makes both sides agree again, as they will in the file; where the
  /// parent would have to be asked and is busy, once it is free.
  func settleMovedPartners() {
    let moved = context.changes.unsettled.movedPartners
    guard !moved.isEmpty else { return }
    context.changes.unsettled.movedPartners = []
    for object in moved where object.state.isDisjoint(with: [.deleted, .gone]) {
      for property in object.layout.relationships where !property.relation.isToMany && object.isReallyChanged(property)
      {
        guard let inverse = property.relation.inverse, !inverse.relation.isToMany else { continue }
        // Where the store cannot be read, the next save looks again.
        _ = try? settlePartners(of: object, property, inverse)
      }
      if let rowsAtHand = context.inbox.rowsAtHand, rowsAtHand.isOneMissing {
        rowsAtHand.isOneMissing = false
        context.changes.unsettled.movedPartners.append(object)
      }
    }
    guard !context.changes.unsettled.movedPartners.isEmpty, let parentContext = context.parentContext,
      context.queue.acceptsBlocks
    else { return }
    parentContext.queue.async { [weak context = context] in if let context { Arrivals.enqueueMerge(into: context) } }
  }

  /// Takes an object's changes of relationships over to the other side.
  ///
  /// - Returns: the changed objects.
  func settle(_ object: NSManagedObject, isResolving: Bool) throws -> [NSManagedObject] {
    let isUntouched = object.changed.isEmpty && !object.state.contains(.inserted)
    guard !isUntouched, object.state.isDisjoint(with: [.deleted, .gone]) else { return [] }
    let unsettled = context.changes.unsettled
    var changed: [NSManagedObject] = []
    for property in object.layout.relationships where isWritten(object, property) {
      if isResolving { try clearDanglingReference(object, property) }
      guard let inverse = property.relation.inverse else { continue }
      switch (property.relation.isToMany, inverse.relation.isToMany) {
      case (false, false): changed += try settlePartners(of: object, property, inverse)
      case (true, true): if unsettled.sidesMayDiffer { settlePairs(of: object, property, inverse) }
      case (false, true):
        if unsettled.sidesMayDiffer || unsettled.ownersMayDiffer {
          changed += try settleOwners(of: object, property, inverse)
        }
      // The row on the to-one side alone says where it belongs.
      case (true, false): break
      }
    }
    return changed
  }

  /// An object that comes back under its ID, or is written as it is here, has the references that it had, and a policy may have
  /// decided on others. Those that lead to an object that is deleted here, or gone by now, lead nowhere.
  private func clearDanglingReference(_ object: NSManagedObject, _ property: PropertyLayout) throws {
    guard !property.relation.isToMany, let target = liveTarget(of: object, property) else { return }
    if target.state.contains(.deleted) {
      let rule = property.relation.inverse?.relation.deleteRule ?? .noAction
      if rule != .noAction { object.assignToOne(property, nil) }
      return
    }
    let isReturning = object.state.contains(.inserted) && object.snapshot != nil
    // A target that is written as well was compared with its row.
    let isChecked = property.relation.inverse.map(target.isReallyChanged) ?? true
    guard isReturning || !isChecked || target.state.contains(.gone), try !isStored(target) else { return }
    object.assignToOne(property, nil)
  }

  /// Whether a save writes the property: of an object that is inserted again, all.
  private func isWritten(_ object: NSManagedObject, _ property: PropertyLayout) -> Bool {
    if property.relation.isToMany { return object.changed.contains(property.index) }
    return object.state.contains(.inserted) || object.isReallyChanged(property)
  }

  /// The object's target; where that is gone and a row came back under its ID, the object of that row.
  private func liveTarget(of object: NSManagedObject, _ property: PropertyLayout) -> NSManagedObject? {
    guard let target = object.toOne(property), target.state.contains(.gone) else { return object.toOne(property) }
    return GoneObjects(in: context).returned(target) ?? target
  }

  /// One to one: the object's old target leads to it no more, and the new one leads back.
  ///
  /// - Returns: the changed objects.
  func settlePartners(
    of object: NSManagedObject, _ property: PropertyLayout, _ inverse: PropertyLayout
  ) throws -> [NSManagedObject] {
    var changed: [NSManagedObject] = []
    func lead(_ other: NSManagedObject, _ property: PropertyLayout, to partner: NSManagedObject?) {
      other.assignToOne(property, partner)
      changed.append(other)
    }
    let partner = liveTarget(of: object, property)
    if let left = try storedTarget(of: object, property), left !== partner, left.toOne(inverse) === object {
      lead(left, inverse, to: nil)
    }
    guard let partner, try isStored(partner) else { return changed }
    let rival = partner.toOne(inverse)
    guard rival !== object else { return changed }
    if let rival, rival !== partner || inverse !== property {
      if try isStored(rival), rival.toOne(property) === partner { lead(rival, property, to: nil) }
      // A rival that cannot be asked yet is settled later, and until then only the partner shows who it is.
      if context.inbox.rowsAtHand?.isOneMissing ?? false { return changed }
    }
    lead(partner, inverse, to: object)
    return changed
  }

  /// One to many: the old and the new owner have the move as a change, so that their versions rise, and contexts that merge the
  /// save read their members again. Where the owner's row is gone, the save will be refused.
  ///
  /// - Returns: the changed objects.
  private func settleOwners(
    of object: NSManagedObject, _ property: PropertyLayout, _ inverse: PropertyLayout
  ) throws -> [NSManagedObject] {
    var changed: [NSManagedObject] = []
    let owner = liveTarget(of: object, property)
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
      GoneObjects(in: context).lose(owner)
    }
    return changed
  }

  /// Many to many: makes each pair that is new or gone here so on the other side, which may be the one that is written.
  private func settlePairs(of object: NSManagedObject, _ property: PropertyLayout, _ inverse: PropertyLayout) {
    guard let known = object.knownToMany(property) else { return }
    func differs(_ other: NSManagedObject, _ change: MemberChange) -> Bool {
      other.state.isDisjoint(with: [.deleted, .gone]) && !(other === object && inverse === property)
        && other.knownToMany(inverse)?.change(of: object) ?? .none != change
    }
    for other in known.additions where differs(other, .added) { other.addMember(inverse, object) }
    for other in known.removed.objects where differs(other, .removed) { other.removeMember(inverse, object) }
  }

  /// Whether the object can be changed from here: its row exists, and it is to stay. An object of which nothing would be
  /// written has its newest row afterwards: no conflict would show that it has an older one.
  ///
  /// While the parent may not be asked, a fault that its save does not name is left for later.
  func isStored(_ object: NSManagedObject) throws -> Bool {
    guard object.state.isDisjoint(with: [.deleted, .gone]) else { return false }
    if let rowsAtHand = context.inbox.rowsAtHand, object.values == nil, !rowsAtHand.isSure(of: object, in: context) {
      rowsAtHand.isOneMissing = true
      return false
    }
    let isWritten = object.state.isDirty && object.hasPersistentChangedValues
    guard !isWritten, context.parentContext == nil, context.coordinator != nil else {
      return try object.isFilled(in: context)
    }
    guard object.key > 0,
      let newest = try context.reader?.row(object.identity, layout: object.layout, maxAge: 0), object.canHold(newest)
    else { return false }
    if object.values == nil {
      context.use.faults.add()
      object.fill(newest)
    } else if object.snapshot !== newest {
      object.take(newest)
    }
    return true
  }

  /// The target in an object's row, where that exists, and is to stay; no fault is made of one that is gone.
  func storedTarget(of object: NSManagedObject, _ property: PropertyLayout) throws -> NSManagedObject? {
    guard let slot = object.snapshot?[property.index], case .reference(let reference) = slot else { return nil }
    let isKnown = context.known(slot, property) != nil
    let target = context.object(for: reference, in: property.relation.destination)
    if try isStored(target) { return target }
    if !isKnown { context.registry?.objects.remove(target.identity, ifItIs: target) }
    return nil
  }
}
