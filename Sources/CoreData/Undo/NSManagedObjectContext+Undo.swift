import Scheduling
import RowStore

extension NSManagedObjectContext {
  /// Takes back what the last event, or group of events, changed; nothing without an ``undoManager``.
  ///
  /// Changes that are already saved are taken back as new ones: an inserted object is deleted, a deleted one inserted
  /// again under its ID.
  public final func undo() {
    touch("undo")
    undoManager?.undo()
  }

  /// Does again what was undone last; nothing without an ``undoManager``.
  public final func redo() {
    touch("redo")
    undoManager?.redo()
  }

  // MARK: Recording

  final func follow(_ manager: UndoManager?, insteadOf old: UndoManager?) {
    guard manager !== old else { return }
    old?.removeAllActions(withTarget: self)
    if let undoObservation { NotificationCenter.default.removeObserver(undoObservation) }
    undoObservation = manager.map { manager in
      NotificationCenter.default.addObserver(forName: .NSUndoManagerCheckpoint, object: manager, queue: nil) {
        [weak self] _ in
        guard let self, queue.isHeld else { return }
        processPendingChanges()
      }
    }
  }

  /// Whether what is processed now can be undone, or is being undone.
  final var isRecordingUndo: Bool {
    guard let undoManager else { return false }
    return undoManager.isUndoRegistrationEnabled || undoManager.isUndoing || undoManager.isRedoing
  }

  /// Records what takes an event back.
  final func record(_ event: UndoEvent) {
    guard let undoManager, !event.isEmpty else { return }
    if undoManager.isUndoing || undoManager.isRedoing { for entry in event.entries { settle(entry.object) } }
    guard undoManager.isUndoRegistrationEnabled else { return }
    let opensGroup = undoManager.groupingLevel == 0 && !undoManager.groupsByEvent
    if opensGroup { undoManager.beginUndoGrouping() }
    undoManager.registerUndo(withTarget: self) { $0.revert(event) }
    if opensGroup { undoManager.endUndoGrouping() }
    // Only the main queue has turns; elsewhere each processing of changes is an event.
    if concurrencyType != .mainQueueConcurrencyType { undoManager.endEvent() }
  }

  /// The end of a block or of the main queue's turn.
  final func finishEvent() {
    processPendingChanges()
    undoManager?.endEvent()
  }

  /// An object that has the saved values again is not to be saved.
  private final func settle(_ object: NSManagedObject) {
    guard object.state.contains(.updated), object.state.isDisjoint(with: [.inserted, .deleted, .gone]),
      let values = object.values, let snapshot = object.snapshot
    else { return }
    let differs = object.layout.properties.contains { property in
      guard object.changed.contains(property.index) else { return false }
      if case .toMany = property.kind { return object.knownToMany(property)?.hasChanges ?? false }
      return values[property.index] != snapshot[property.index]
    }
    guard !differs else { return }
    object.values = snapshot
    object.changed.removeAll()
    object.state.settle()
    changes.markStale()
  }

  // MARK: Taking back

  /// Takes an event back by changes like any others, which are recorded in turn when they are processed.
  private final func revert(_ event: UndoEvent) {
    let steps = event.entries.filter { $0.object.registry == nil || $0.object.registry === registry }
      .map { entry in (entry: entry, step: UndoStep(takingBack: entry.kind, of: entry.object.state)) }
    revive(steps.filter { $0.step == .undelete }.map(\.entry.object))
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

  /// Takes back deletions that were not saved yet.
  final func revive(_ objects: [NSManagedObject]) {
    guard !objects.isEmpty else { return }
    // Others may still be deleted that lead to them, and that they lead to.
    unsettled.sidesMayDiffer = true
    changes.clean()
    for object in objects {
      recordBaseUnlessPending(object)
      object.state.undelete(isChanged: !object.changed.isEmpty)
      changes.recordRevival(object)
    }
    enqueuePassOutsideBlocks()
  }

  /// Inserts an object that has left the context again; its relationships are to be restored.
  private final func reinsert(_ object: NSManagedObject) {
    guard let registry else { return }
    if let other = registered(key: object.key, layout: object.layout), other !== object {
      // A fault of the ID was made since; anything more is not replaced.
      guard other.values == nil, !other.state.isDirty else { return }
      other.leaveContext()
    }
    // Its version tells the save that the row was there before.
    let row = object.values?.mutableCopy() ?? object.makeInitialValues()
    for index in object.layout.toOneIndices { row[index] = .null }
    // A child does not learn which version its insertion got.
    if parentContext != nil, object.key > 0, row.version == 0 { row.version = 1 }
    object.enter(registry)
    object.values = row
    object.snapshot = nil
    object.relations = .unread
    object.changed.removeAll()
    for property in object.layout.properties where !row[property.index].isNull {
      object.changed.insert(property.index)
    }
    object.state.insert()
    register(object, in: registry)
    changes.recordInsert(object)
    enqueuePassOutsideBlocks()
  }

  /// A list that was read before an object's deletion, and that no delete rule reached, has it still: it is a member only
  /// where that is restored.
  ///
  /// Complexity: O(*n*) for *n* registered objects and their known members, however many come back.
  private final func leaveLists(_ returning: Set<NSManagedObject>) {
    guard !returning.isEmpty else { return }
    for owner in registry?.objects.objects ?? [] {
      for case .many(let toMany) in owner.relations {
        for member in toMany.members?.objects ?? [] where returning.contains(member) { toMany.forget(member) }
      }
    }
  }

  private final func restoreValues(_ entry: UndoEvent.Entry) {
    for (property, old) in entry.values {
      switch old {
      case .slot(let slot):
        if entry.object.attribute(property.index) != slot { entry.object.setAttribute(property.index, slot) }
      case .object(let target): restoreToOne(of: entry.object, property, target)
      case .reference(let reference):
        restoreToOne(of: entry.object, property, object(for: reference, in: property.relation.destination))
      }
    }
  }

  /// Leaves every relationship, and deletes the object without following its delete rules: others are as they were.
  private final func takeOut(_ object: NSManagedObject) {
    for property in object.layout.relationships {
      if property.relation.isToMany {
        for member in object.members(property).objects { unlink(object, property, member) }
      } else {
        restoreToOne(of: object, property, nil)
      }
    }
    recordBaseUnlessPending(object)
    guard object.state.delete() else { return }
    changes.recordDelete(object)
    enqueuePassOutsideBlocks()
  }

  /// An object is about to be deleted or revived.
  final func recordBaseUnlessPending(_ object: NSManagedObject) {
    if object.state.isDisjoint(with: .pending) { changes.recordBase(of: object) }
  }

  // MARK: Relationships, whichever of their sides are as they were already

  private final func isPresent(_ object: NSManagedObject) -> Bool {
    object.registry === registry && object.state.isDisjoint(with: [.deleted, .gone])
  }

  /// The same after a look whether its row is.
  private final func isThere(_ object: NSManagedObject) -> Bool {
    guard isPresent(object) else { return false }
    if object.values == nil { _ = object.realisedValues(nil) }
    return isPresent(object)
  }

  private final func restoreToOne(of object: NSManagedObject, _ property: PropertyLayout, _ old: NSManagedObject?) {
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

  private final func restoreMembers(
    of object: NSManagedObject, _ property: PropertyLayout, _ change: MembershipChange<NSManagedObject>
  ) {
    if let inverse = property.relation.inverse, !inverse.relation.isToMany {
      // The other sides were restored, and decide.
      for member in change.added + change.removed {
        setMembership(
          of: member, in: object, property, isPresent(member) && member.toOne(inverse) === object)
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

  private final func unlink(_ object: NSManagedObject, _ property: PropertyLayout, _ member: NSManagedObject) {
    setMembership(of: member, in: object, property, false)
    guard let inverse = property.relation.inverse, isPresent(member) else { return }
    if inverse.relation.isToMany {
      setMembership(of: object, in: member, inverse, false)
    } else if member.toOne(inverse) === object {
      member.assignToOne(inverse, nil)
    }
  }

  /// Adds or takes out a member on one side only, unless it is as wanted.
  private final func setMembership(
    of member: NSManagedObject, in owner: NSManagedObject, _ property: PropertyLayout, _ isWanted: Bool
  ) {
    guard isPresent(owner) else {
      // The members of a deleted owner may deny its deletion.
      if !isWanted, owner.state.contains(.deleted) { owner.knownToMany(property)?.forget(member) }
      return
    }
    // Who was deleted, or is gone, is a member no more, though a list that was read has it still.
    if member.isDetached || member.state.contains(.gone) {
      owner.knownToMany(property)?.forget(member)
      return
    }
    var members = owner.members(property)
    guard members.contains(member) != isWanted else { return }
    if isWanted { owner.addMember(property, member) } else { owner.removeMember(property, member) }
  }
}
