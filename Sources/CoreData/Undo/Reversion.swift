import RowStore

/// Takes an event back by changes like any others, which are recorded in turn when they are processed.
struct Reversion {
  private let event: UndoEvent
  private let context: NSManagedObjectContext

  init(of event: UndoEvent, in context: NSManagedObjectContext) {
    (self.event, self.context) = (event, context)
  }

  /// Takes the event back.
  func run() {
    let steps = event.entries.filter { $0.object.registry == nil || $0.object.registry === context.registry }
      .map { entry in (entry: entry, step: UndoStep(takingBack: entry.kind, of: entry.object.state)) }
    context.revive(steps.filter { $0.step == .undelete }.map(\.entry.object))
    let returning = steps.filter { $0.step == .reinsert }.map(\.entry.object)
    for object in returning { reinsert(object) }
    leaveLists(Set(returning.filter(isPresent)))
    // Both ends of a relationship may have to be there again before it is restored.
    let restored = steps.filter { $0.step != .takeOut && $0.step != .nothing && isPresent($0.entry.object) }
    for (entry, _) in restored { restoreValues(entry) }
    for (entry, _) in restored {
      for (property, change) in entry.members { restoreMembers(of: entry.object, property, change) }
    }
    for (entry, _) in restored {
      for (property, members) in entry.orders { entry.object.arrangeMembers(property, like: members) }
    }
    for (entry, step) in steps where step == .takeOut { takeOut(entry.object) }
    // Only now is everything as it was.
    for (entry, step) in steps where entry.object.values != nil {
      guard let reason = step.snapshotEvent else { continue }
      entry.object.withoutTracking { entry.object.awake(fromSnapshotEvents: reason) }
    }
  }

  /// Inserts an object that has left the context again; its relationships are to be restored.
  private func reinsert(_ object: NSManagedObject) {
    guard let registry = context.registry else { return }
    if let other = context.registered(key: object.key, layout: object.layout), other !== object {
      // A fault of the ID was made since; anything more is not replaced.
      guard other.values == nil, !other.state.isDirty else { return }
      other.leaveContext()
    }
    // Its version tells the save that the row was there before.
    let row = object.values?.mutableCopy() ?? object.makeInitialValues()
    for index in object.layout.toOneIndices { row[index] = .null }
    // A child does not learn which version its insertion got.
    if context.parentContext != nil, object.key > 0, row.version == 0 { row.version = 1 }
    object.enter(registry)
    object.values = row
    object.snapshot = nil
    object.relations = .unread
    object.changed.removeAll()
    for property in object.layout.properties where !row[property.index].isNull { object.changed.insert(property.index) }
    object.state.insert()
    context.register(object, in: registry)
    context.changes.recordInsert(object)
    context.enqueuePassOutsideBlocks()
  }

  /// A list that was read before an object's deletion, and that no delete rule reached, has it still: it is a member only
  /// where that is restored.
  ///
  /// Complexity: O(*n*) for *n* registered objects and their known members, however many come back.
  private func leaveLists(_ returning: Set<NSManagedObject>) {
    guard !returning.isEmpty else { return }
    for owner in context.registry?.objects.objects ?? [] {
      for case .many(let toMany) in owner.relations {
        for member in toMany.members?.objects ?? [] where returning.contains(member) { toMany.forget(member) }
      }
    }
  }

  private func restoreValues(_ entry: UndoEvent.Entry) {
    for (property, old) in entry.values {
      switch old {
      case .slot(let slot):
        if entry.object.attribute(property.index) != slot { entry.object.setAttribute(property.index, slot) }
      case .object(let target): restoreToOne(of: entry.object, property, target)
      case .reference(let reference):
        restoreToOne(of: entry.object, property, context.object(for: reference, in: property.relation.destination))
      }
    }
  }

  /// Leaves every relationship, and deletes the object without following its delete rules: others are as they were.
  private func takeOut(_ object: NSManagedObject) {
    for property in object.layout.relationships {
      if property.relation.isToMany {
        for member in object.members(property).objects { unlink(object, property, member) }
      } else {
        restoreToOne(of: object, property, nil)
      }
    }
    context.changes.recordBaseUnlessPending(object)
    guard object.state.delete() else { return }
    context.changes.recordDelete(object)
    context.enqueuePassOutsideBlocks()
  }

  // MARK: Relationships, whichever of their sides are as they were already

  private func isPresent(_ object: NSManagedObject) -> Bool {
    object.registry === context.registry && object.state.isDisjoint(with: [.deleted, .gone])
  }

  /// The same after a look whether its row is, about which the context is not asked.
  private func isThere(_ object: NSManagedObject) -> Bool {
    guard isPresent(object) else { return false }
    do {
      if try !object.isFilled(in: context) { FaultWithoutRow(object, nil, in: context).fillUnasked() }
    } catch {
      context.reading.unreadable.record(error, in: context)
    }
    return isPresent(object)
  }

  private func restoreToOne(of object: NSManagedObject, _ property: PropertyLayout, _ old: NSManagedObject?) {
    let target = old.flatMap { isThere($0) ? $0 : nil }
    let current = object.toOne(property)
    // As long as the object does not lead there, it is a member only where it has been one.
    if let inverse = property.relation.inverse, inverse.relation.isToMany { _ = target?.members(inverse) }
    if current !== target { object.assignToOne(property, target) }
    guard let inverse = property.relation.inverse else { return }
    if inverse.relation.isToMany {
      if let current, current !== target { setMembership(of: object, in: current, inverse, false) }
      if let target { setMembership(of: object, in: target, inverse, true) }
      return
    }
    if let current, current !== target, !current.isDetached, current.toOne(inverse) === object {
      current.assignToOne(inverse, nil)
    }
    guard let target else { return }
    let rival = target.toOne(inverse)
    guard rival !== object else { return }
    if let rival, !rival.isDetached { rival.assignToOne(property, nil) }
    target.assignToOne(inverse, object)
  }

  private func restoreMembers(
    of object: NSManagedObject, _ property: PropertyLayout, _ change: MembershipChange<NSManagedObject>
  ) {
    if let inverse = property.relation.inverse, !inverse.relation.isToMany {
      // The other sides were restored, and decide.
      for member in change.added + change.removed {
        setMembership(of: member, in: object, property, isPresent(member) && member.toOne(inverse) === object)
      }
      return
    }
    for member in change.added {
      unlink(object, property, member)
      if isPresent(member) { object.matchPair(property, member) }
    }
    for member in change.removed where isPresent(member) {
      setMembership(of: member, in: object, property, true)
      if let inverse = property.relation.inverse { setMembership(of: object, in: member, inverse, true) }
      object.matchPair(property, member)
    }
  }

  private func unlink(_ object: NSManagedObject, _ property: PropertyLayout, _ member: NSManagedObject) {
    setMembership(of: member, in: object, property, false)
    guard let inverse = property.relation.inverse, isPresent(member) else { return }
    if inverse.relation.isToMany {
      setMembership(of: object, in: member, inverse, false)
    } else if member.toOne(inverse) === object {
      member.assignToOne(inverse, nil)
    }
  }

  /// Adds or takes out a member on one side only, unless it is as wanted.
  private func setMembership(
    of member: NSManagedObject, in owner: NSManagedObject, _ property: PropertyLayout, _ isWanted: Bool
  ) {
    guard isPresent(owner) else {
      // The members of a deleted owner may deny its deletion.
      if !isWanted, owner.state.contains(.deleted) { owner.knownToMany(property)?.forget(member) }
      return
    }
    // An object that was deleted, or is gone, is a member no more, though a list that was read has it still.
    if member.isDetached || member.state.contains(.gone) {
      owner.knownToMany(property)?.forget(member)
      return
    }
    var members = owner.members(property)
    guard members.contains(member) != isWanted else { return }
    if isWanted { owner.addMember(property, member) } else { owner.removeMember(property, member) }
  }
}
