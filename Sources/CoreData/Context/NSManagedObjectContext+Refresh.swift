extension NSManagedObjectContext {
  /// Drops every object and every unsaved change; objects held elsewhere have no context afterwards.
  public final func reset() {
    touch("reset")
    let objects = registry?.objects.objects ?? []
    changes.removeAll()
    deniedDeletes = []
    registry?.objects.removeAll()
    for object in objects { object.loseContext() }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: [NSInvalidatedAllObjectsKey: objects])
  }

  /// Drops every unsaved change: inserted objects leave the context, changed ones have the values last read or saved,
  /// deleted ones are back.
  public final func rollback() {
    touch("rollback")
    var told = ObjectChanges()
    changes.clean()
    let (inserted, updated, deleted) = (changes.inserted, changes.updated, changes.deleted)
    changes.removeAll()
    deniedDeletes = []
    for object in inserted {
      object.state.rollback()
      object.leaveContext()
      told.deleted.append(object)
    }
    for object in updated + deleted {
      object.state.rollback()
      object.dropChanges()
      told.refreshed.append(object)
    }
    post(.NSManagedObjectContextObjectsDidChange, told.sets)
  }

  /// Brings the object's values up to the row cache's: unsaved changes are laid over them with `flag`, else dropped,
  /// and the object becomes a fault.
  public final func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    touch("refresh")
    precondition(object.registry === registry, "\(object) belongs to another context")
    guard object.snapshot != nil, !object.state.contains(.gone) else { return }
    if flag, object.values != nil, let row = storedRow(for: object) {
      object.take(row)
    } else if !flag {
      object.state.subtract([.updated, .pendingUpdate])
      changes.noteOther()
      object.turnIntoFault(keeping: object.snapshot)
      changes.clean()
    }
    var told = ObjectChanges()
    told.refreshed.append(object)
    post(.NSManagedObjectContextObjectsDidChange, told.sets)
  }
}

extension NSManagedObject {
  /// The object no longer belongs to a context; what it held is gone.
  final func leaveContext() {
    registry?.objects.remove(identity, ifItIs: self)
    loseContext()
  }

  /// The same for an object that the identity map no longer lists.
  final func loseContext() {
    detach()
    values = nil
    snapshot = nil
    relations = []
    changed = .empty
    state = .gone
  }

  /// Takes a newer row: unsaved changes stay on top, everything else is the row's.
  final func take(_ row: Row) {
    defer { snapshot = row }
    guard let values, values !== row else { return }
    forgetUnchangedRelations()
    guard !changed.isEmpty else {
      self.values = row
      return
    }
    let merged = row.mutableCopy()
    for property in layout.properties where changed.contains(property.index) {
      merged[property.index] = values[property.index]
    }
    self.values = merged
  }
}
