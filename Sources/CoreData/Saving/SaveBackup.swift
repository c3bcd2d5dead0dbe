import RowStore

/// A context's objects before a merge policy changed them, so that a save that fails after all leaves everything as it was.
///
/// Only made once a conflict is found. Complexity: O(*n*) for *n* objects with unsaved changes.
struct SaveBackup {
  private struct Entry {
    let object: NSManagedObject
    let values: Row?
    let snapshot: Row?
    let relations: Relations
    let changed: PropertyMask
    let state: ChangeState
  }

  private let lists: ChangeLists
  private let deniedDeletes: [DeniedDelete]
  private let locked: ContiguousArray<NSManagedObject>
  private let entries: [Entry]

  init(_ context: NSManagedObjectContext) {
    lists = context.changes
    deniedDeletes = context.changes.unsettled.denied
    locked = context.held.locked
    entries = (lists.all + locked.filter { !$0.state.isDirty }).map { object in
      Entry(
        object: object, values: object.values.map { $0.isFrozen ? $0 : $0.mutableCopy() }, snapshot: object.snapshot,
        relations: object.relations.copy, changed: object.changed.mask, state: object.state)
    }
  }

  /// The changes that merge policies made to the objects since, as the context reports them: values and members taken over from
  /// the store, objects that went, came back, or were drawn in.
  func resolution(_ context: NSManagedObjectContext) -> ObjectSets {
    let known = Set(entries.map { ObjectIdentifier($0.object) })
    func drawnIn(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> {
      Set(objects.filter { !known.contains(ObjectIdentifier($0)) })
    }
    var sets = ObjectSets(updated: drawnIn(context.changes.updated), deleted: drawnIn(context.changes.deleted))
    for entry in entries {
      let object = entry.object
      let wasDeleted = entry.state.contains(.deleted)
      if object.registry == nil || !object.state.isDisjoint(with: [.deleted, .gone]) {
        if !wasDeleted { sets.deleted.insert(object) }
      } else if wasDeleted {
        sets.inserted.insert(object)
      } else if let old = entry.values, let new = object.values,
        !new.hasValues(of: old) || !object.relations.haveMembers(of: entry.relations)
      {
        sets.refreshed.insert(object)
      }
    }
    return sets
  }

  /// Objects of which a merge policy has left nothing to save, with the store's rows: none of those that are gone.
  var settled: ContiguousArray<SavedRow> {
    ContiguousArray(
      entries.lazy.map(\.object).compactMap { object in
        if object.state.contains(.gone) { return SavedRow(key: object.key, layout: object.layout, row: nil) }
        return object.state.isEmpty ? object.snapshot.map { SavedRow($0) } : nil
      })
  }

  func restore(_ context: NSManagedObjectContext) {
    let known = Set(entries.map { ObjectIdentifier($0.object) })
    context.changes.clean()
    for object in context.changes.all where !known.contains(ObjectIdentifier(object)) {
      // Clean before the save; the policy's changes to it are undone.
      object.state = []
      object.dropChanges()
    }
    for entry in entries {
      let object = entry.object
      object.values = entry.values
      object.snapshot = entry.snapshot
      object.relations = entry.relations
      object.changed.mask = entry.changed
      object.state = entry.state
      guard let registry = context.registry else { continue }
      if object.registry == nil { object.enter(registry) }
      context.register(object, in: registry)
    }
    for object in locked { context.held.lock(object) }
    context.changes = lists
    context.changes.unsettled.denied = deniedDeletes
    // Relationships settled since are unsettled again.
    context.changes.unsettled.partnersMayDiffer = true
  }
}

extension Relations {
  /// The same state, of its own.
  fileprivate var copy: Relations {
    var copy = self
    for (position, relation) in enumerated() {
      if case .many(let toMany) = relation { copy[position] = .many(toMany.copy()) }
    }
    return copy
  }

  /// Whether the members that were known before are known to be the same.
  fileprivate func haveMembers(of old: Relations) -> Bool {
    for (position, relation) in old.enumerated() {
      guard case .many(let before) = relation, let members = before.members else { continue }
      guard position < count, case .many(let now) = self[position], let current = now.members,
        current.objects.elementsEqual(members.objects, by: ===)
      else { return false }
    }
    return true
  }
}
