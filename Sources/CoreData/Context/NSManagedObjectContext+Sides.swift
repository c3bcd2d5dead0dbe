import RowStore

// Both sides of a relationship are changed together. A refresh drops the changes of one object only, and a newer row comes
// under those of one object: the next save makes both sides say the same again.

/// Work left by unsaved changes of relationships, to be done before they are saved.
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
  /// Deleted objects that got a newer row after their delete rules were followed, or are led to by one that did: others may
  /// lead to them now.
  var overtakenDeletions: ContiguousArray<NSManagedObject> = []
  /// Deletions that a deny rule forbids, found while rules were followed; the next save reports them.
  var denied: [DeniedDelete] = []
}

extension NSManagedObjectContext {
  /// Whether the object can be changed from here: its row exists, and it is to stay. An object of which nothing would be
  /// written has its newest row afterwards: no conflict would show that it has an older one.
  ///
  /// While the parent may not be asked, a fault that its save does not name is left for later.
  final func isStored(_ object: NSManagedObject) throws -> Bool {
    guard object.state.isDisjoint(with: [.deleted, .gone]) else { return false }
    if let rowsAtHand = inbox.rowsAtHand, object.values == nil, !rowsAtHand.isSure(of: object, in: self) {
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

  /// The target in an object's row, where that exists, and is to stay; no fault is made of one that is gone.
  final func storedTarget(of object: NSManagedObject, _ property: PropertyLayout) throws -> NSManagedObject? {
    guard let slot = object.snapshot?[property.index], case .reference(let reference) = slot else { return nil }
    let isKnown = known(slot, property) != nil
    let target = self.object(for: reference, in: property.relation.destination)
    if try isStored(target) { return target }
    if !isKnown { registry?.objects.remove(target.identity, ifItIs: target) }
    return nil
  }

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
      for object in deleted { try deleteRules.followAgain(object) }
    }
    let sides = SideSettling(in: self)
    var objects = changes.inserted + changes.updated
    var index = 0
    while index < objects.count {
      objects += try sides.settle(objects[index], isResolving: isResolving)
      index += 1
    }
    (unsettled.sidesMayDiffer, unsettled.ownersMayDiffer, unsettled.movedPartners) = (false, false, [])
    // Partners are looked at again should the save fail: others may save one of the two meanwhile.
  }

  /// One to one: newer rows have come under unsaved moves. Makes both sides agree again, as they will in the file; where the
  /// parent would have to be asked and is busy, once it is free.
  final func settleMovedPartners() {
    let moved = unsettled.movedPartners
    guard !moved.isEmpty else { return }
    unsettled.movedPartners = []
    let sides = SideSettling(in: self)
    for object in moved where object.state.isDisjoint(with: [.deleted, .gone]) {
      for property in object.layout.relationships where !property.relation.isToMany && object.isReallyChanged(property)
      {
        guard let inverse = property.relation.inverse, !inverse.relation.isToMany else { continue }
        // Where the store cannot be read, the next save looks again.
        _ = try? sides.settlePartners(of: object, property, inverse)
      }
      if let rowsAtHand = inbox.rowsAtHand, rowsAtHand.isOneMissing {
        rowsAtHand.isOneMissing = false
        unsettled.movedPartners.append(object)
      }
    }
    guard !unsettled.movedPartners.isEmpty, let parentContext, queue.acceptsBlocks else { return }
    parentContext.queue.async { [weak self] in self?.queue.async { [weak self] in self?.mergeArrivals() } }
  }
}
