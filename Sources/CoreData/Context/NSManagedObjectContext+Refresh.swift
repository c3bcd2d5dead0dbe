import RowStore

extension NSManagedObjectContext {
  /// Drops every object and every unsaved change; objects held elsewhere have no context afterwards.
  public final func reset() {
    touch("reset")
    reading.leave()
    // Taken out before their other holders release them, so that none has to take itself out.
    let objects = registry?.objects.takeAll() ?? []
    if ContextWatch.isOn {
      ContextWatch.tellDropped(changes, of: self, by: "reset()")
      ContextWatch.tell(.renewed(ContextWatch.Context(self), nil))
    }
    changes.removeAll()
    reading.unreadable = UnreadableStore()
    reading.batches.removeAll()
    undoManager?.removeAllActions(withTarget: self)
    for object in held.removeAll() { object.loseReset() }
    objects.withUnsafeBufferPointer { objects in
      for index in objects.indices {
        Unmanaged.passUnretained(objects[index])._withUnsafeGuaranteedRef { $0.loseReset() }
      }
    }
    trackers.abandon()
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: [NSInvalidatedAllObjectsKey: ObjectIDList.of(objects)])
    tree.aliases.settle(self)
  }

  /// Drops every unsaved change: inserted objects leave the context, changed ones have the values last read or saved,
  /// deleted ones are back.
  public final func rollback() {
    touch("rollback")
    var reported = ObjectChanges()
    if changes.hasPending { ContextHooks.tell(.change, of: self) }
    changes.clean()
    if ContextWatch.isOn { ContextWatch.tellDropped(changes, of: self, by: "rollback()") }
    let (inserted, updated, deleted) = (changes.inserted, changes.updated, changes.deleted)
    held.returnAll()
    if changes.unsettled.sidesMayDiffer || changes.unsettled.ownersMayDiffer {
      for object in inserted + updated + deleted { object.forgetOnOtherSides() }
    }
    changes.removeAll()
    held.endSave()
    undoManager?.removeAllActions(withTarget: self)
    if tree.assignments.isUsed { tree.assignments.forget(inserted.map(\.key)) }
    for object in inserted {
      object.leaveUnsaved()
      reported.deleted.append(object)
    }
    // Inserted and deleted, and not processed yet. Where the insertion was not reported either, only a controller that
    // fetched meanwhile knows of it.
    var unseen: ContiguousArray<NSManagedObject> = []
    for object in deleted where object.state.isVanishing {
      if object.state.contains(.pendingInsert) { unseen.append(object) } else { reported.deleted.append(object) }
      object.leaveUnsaved()
    }
    for object in updated + deleted where object.registry != nil {
      object.state.rollback()
      object.dropChanges()
      reported.refreshed.append(object)
    }
    // Only now is everything as it was.
    for object in reported.refreshed where object.values != nil {
      object.withoutTracking { object.awake(fromSnapshotEvents: .rollback) }
    }
    reported.sets.postChange(of: self, unseen: unseen)
  }

  /// Brings the object up to the row cache's values, or the store's where those are older than ``stalenessInterval``.
  ///
  /// With `flag` unsaved changes are laid over them and transient values stay; else changes and transient values are
  /// lost, and the object becomes a fault. One that was never saved becomes a fault as well, which has its values again when
  /// they are next read or saved.
  public final func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    touch("refresh")
    if object.registry !== registry { ContextWatch.refuse(object, in: self, "refresh(_:mergeChanges:)") }
    guard !object.state.contains(.gone), object.snapshot != nil || object.isUnsaved else { return }
    if ContextWatch.isOn {
      ContextWatch.tell(.renewed(ContextWatch.Context(self), [object.watched]))
      if !flag, object.snapshot != nil, object.hasUnsavedValues {
        ContextWatch.tell(.dropped(ContextWatch.Context(self), by: "refresh(_:mergeChanges: false)", [object.watched]))
      }
    }
    if flag {
      if object.snapshot == nil { return }
      object.refreshKeepingChanges(in: self)
      SideSettling(in: self).settleMovedPartners()
    } else if object.snapshot == nil {
      object.setAside(in: self)
    } else {
      // A change that the row has as well is lost on neither side.
      object.dropEqualChanges()
      if object.layout.relationships.contains(where: { object.changed.contains($0.index) }) {
        changes.unsettled.sidesMayDiffer = true
      }
      object.dropRelationshipChanges()
      object.state.subtract([.updated, .pendingUpdate])
      changes.markStale()
      object.turnIntoFault(keeping: object.snapshot)
      changes.clean()
    }
    var reported = ObjectChanges()
    reported.refreshed.append(object)
    reported.sets.postChange(of: self)
  }

  /// Brings every object of the context up to date: those with unsaved changes keep them, over the newest values; all others
  /// become faults. References between them are released.
  ///
  /// Complexity: O(*n*) for *n* registered objects.
  public final func refreshAllObjects() {
    touch("refreshAllObjects")
    if ContextWatch.isOn { ContextWatch.tell(.renewed(ContextWatch.Context(self), nil)) }
    var reported = ObjectChanges()
    for object in registry?.objects.objects ?? [] where object.snapshot != nil && !object.state.contains(.gone) {
      if object.state.isDirty {
        object.refreshKeepingChanges(in: self)
      } else {
        object.dropRelationshipChanges()
        object.turnIntoFault(keeping: object.snapshot)
      }
      reported.refreshed.append(object)
    }
    SideSettling(in: self).settleMovedPartners()
    reported.sets.postChange(of: self)
  }

  /// Has the next save check for a newer row of the object, though the object is unchanged; it is retained until then.
  ///
  /// A save without any changes looks at nothing. In a child the root's save compares.
  public final func detectConflicts(for object: NSManagedObject) {
    touch("detectConflicts(for:)")
    if object.registry !== registry { ContextWatch.refuse(object, in: self, "detectConflicts(for:)") }
    guard object.state.isDisjoint(with: [.gone, .inserted]), !object.isDeletedWithoutRow else { return }
    if object.snapshot == nil { object.snapshot = storedRow(for: object) }
    held.lock(object)
  }
}

extension NSManagedObject {
  /// Whether the object is inserted, was never saved, and has its values.
  fileprivate final var isUnsaved: Bool { state.contains(.inserted) && !state.contains(.deleted) && values != nil }

  /// Makes a fault of an object that was never saved: it has no row to read again, so that its values are kept.
  fileprivate final func setAside(in context: NSManagedObjectContext) {
    willTurnIntoFault()
    if let row = values { context.held.setAside(row, of: self) }
    values = nil
    didTurnIntoFault()
  }

  fileprivate final func refreshKeepingChanges(in context: NSManagedObjectContext) {
    guard values != nil else { return }
    if let row = context.storedRow(for: self) {
      forgetUnchangedRelations()
      take(row)
      withoutTracking { awake(fromSnapshotEvents: .refresh) }
    } else if !state.isDirty {
      // Its row is gone, as its next reader finds out. Unsaved changes are left to the save and its merge policy.
      turnIntoFault(keeping: nil)
    }
  }

  /// Takes the context from the object.
  final func detach() {
    guard let registry else { return }
    registry.contextOnQueue?.held.remove(self)
    loseRegistry()
  }

  /// Takes an object that was never saved out of its context; its attributes can still be read.
  final func leaveUnsaved() {
    registry?.objects.remove(identity, ifItIs: self)
    detach()
    state = .gone
    if !relations.isEmpty { relations = .unread }
  }

  /// Takes the object out of its context; its values are gone.
  final func leaveContext() {
    registry?.objects.remove(identity, ifItIs: self)
    loseContext()
  }

  /// The same for an object that the identity map no longer lists.
  final func loseContext() {
    detach()
    forgetAll()
    state = .gone
  }

  /// The same in a context that was reset, which holds none of its objects any more.
  @inline(__always)
  fileprivate final func loseReset() {
    loseRegistry()
    forgetAll()
    state = [.gone, .wasReset]
  }

  @inline(__always)
  private final func forgetAll() {
    values = nil
    snapshot = nil
    if !relations.isEmpty { relations = .unread }
    changed.removeAll()
  }

  /// Takes a newer row: unsaved changes and transient values stay on top, everything else is the row's.
  final func take(_ row: Row) {
    guard let values else { return adoptSnapshot(row) }
    if isDeletedWithoutRow || !canHold(row) { return }
    markSeenSaves()
    defer { snapshot = row }
    guard values !== row else { return }
    if state.contains(.deleted) { noteOvertakenDeletion() }
    dropEqualChanges()
    rebaseMoves(onto: row)
    forgetUnchangedRelations()
    var merged = keepingTransients(over: row)
    if !changed.isEmpty {
      if merged === row { merged = row.mutableCopy() }
      for property in layout.properties where changed.contains(property.index) {
        merged[property.index] = values[property.index]
      }
    }
    self.values = merged
  }

  /// Drops changes to the value that the row has anyway: beside a newer row they are none.
  final func dropEqualChanges() {
    guard !changed.isEmpty, snapshot != nil else { return }
    for property in layout.properties where changed.contains(property.index) && !property.isTransient {
      if case .toMany = property.kind { continue }
      if !isReallyChanged(property) { changed.remove(property.index) }
    }
  }

  /// Has unchanged objects on the other sides of unsaved relationships read their members again, without this object.
  fileprivate final func forgetOnOtherSides() {
    for property in layout.relationships where changed.contains(property.index) {
      guard let inverse = property.relation.inverse, inverse.relation.isToMany else { continue }
      for other in touched(property) where !other.state.isDirty { other.knownToMany(inverse)?.reread(without: self) }
    }
  }

  /// The objects on the other side of a relationship's unsaved changes, as far as they are in memory.
  private final func touched(_ property: PropertyLayout) -> ContiguousArray<NSManagedObject> {
    if property.relation.isToMany {
      guard let known = knownToMany(property) else { return [] }
      return known.additions + known.removed.objects
    }
    guard let context = registry?.contextOnQueue else { return [] }
    let rows = [values, snapshot].compactMap(\.self)
    return ContiguousArray(rows.compactMap { context.known($0[property.index], property) })
  }

  /// Forgets moves of this object; members that others gave or took from it are their changes, and stay.
  final func dropRelationshipChanges() {
    guard values != nil else { return }
    for property in layout.relationships where changed.contains(property.index) { forgetMove(property) }
  }
}
