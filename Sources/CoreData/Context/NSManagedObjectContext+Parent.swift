import RowStore

extension NSManagedObjectContext {
  // MARK: What a child asks; on this context's queue, in the child's thread where the queue allows

  /// One object of this context, as a child takes it over.
  struct ChildRow {
    let key: Int64
    let layout: EntityLayout
    let row: Row
  }

  /// The values of an object with its unsaved changes; nil when there is no such object, or it is deleted.
  final func rowForChild(key: Int64, layout: EntityLayout) throws -> Row? {
    let object = parentObject(key: key, layout: layout)
    guard object.state.isDisjoint(with: [.deleted, .gone]) else { return nil }
    if object.values == nil {
      guard let row = try row(for: object) else { return nil }
      object.fill(row)
    }
    recordTaken(object.key, object.values)
    return object.values.map(object.withoutTransients)
  }

  /// The members of a to-many relationship with the unsaved changes made here.
  final func membersForChild(key: Int64, layout: EntityLayout, _ property: PropertyLayout) throws -> [ChildRow] {
    let object = parentObject(key: key, layout: layout)
    guard try rowForChild(key: key, layout: layout) != nil else { return [] }
    // Who was deleted here, or found gone, is none for the child either, though a row may be back under that ID.
    return try childRows(object.loadMembers(property).objects.filter { $0.state.isDisjoint(with: .gone) })
  }

  /// The objects as a child takes them over; deleted ones are left out.
  final func childRows(_ objects: some Sequence<NSManagedObject>) throws -> [ChildRow] {
    try objects.compactMap { object in
      try rowForChild(key: object.key, layout: object.layout).map {
        ChildRow(key: object.key, layout: object.layout, row: $0)
      }
    }
  }

  /// This context's object for a key a child uses.
  final func parentObject(key: Int64, layout: EntityLayout) -> NSManagedObject {
    object(for: RowReference(key: key, entity: UInt16(truncatingIfNeeded: layout.number)), in: layout)
  }

  /// Permanent keys for objects of a child; an object that is here under its temporary key becomes permanent as well.
  ///
  /// - Throws: when the store cannot be written.
  final func permanentKeysForChild(_ wanted: [(key: Int64, layout: EntityLayout)]) throws -> [Int64] {
    let keys = try allotKeys(wanted)
    for (object, key) in zip(wanted, keys) {
      if let own = registry?.objects.object(RowIdentity(key: object.key, layout: object.layout)) {
        makePermanent(own, key, isAliased: true)
      }
    }
    tellTrackersOfNewIDs()
    return keys
  }

  // MARK: What a child pushes

  /// One changed object of a child, by value, so that nothing of the child is touched on this context's queue.
  struct PushedObject {
    let key: Int64
    let layout: EntityLayout
    let values: Row?
    let changed: PropertyMask
    /// Keys of the to-many members added and removed, by property.
    let toMany: [PushedMembers]
  }

  /// The changes of one to-many relationship, as keys.
  struct PushedMembers {
    let property: PropertyLayout
    let added: [RowReference]
    let removed: [RowReference]
    /// Of an ordered relationship: the members known to the child, in its order.
    let order: [RowReference]?
  }

  /// What a child's save brings.
  struct Push {
    var inserted: [PushedObject] = []
    var updated: [PushedObject] = []
    var deleted: [PushedObject] = []
    /// Unchanged objects whose versions the root's save has to check, with the rows the child read.
    var locked: [(reference: RowReference, row: Row?)] = []
  }

  /// Takes a child's changes as changes of this context's objects.
  final func receive(_ push: Push) {
    // Insertions first, without values: what they and others refer to must be there.
    for pushed in push.inserted {
      let known = registered(key: pushed.key, layout: pushed.layout)
      // Deleted by an earlier push, and brought back by the child's undo.
      if let known, known.state.contains(.deleted) {
        revive([known])
        continue
      }
      // Known already: inserted by an earlier push, unless it is a fault made from a permanent ID.
      if let known, known.values != nil || known.snapshot != nil { continue }
      insertPushed(pushed, as: known)
    }
    for pushed in push.inserted { apply(pushed, to: parentObject(key: pushed.key, layout: pushed.layout)) }
    for pushed in push.updated {
      let object = parentObject(key: pushed.key, layout: pushed.layout)
      // What is gone here, or further up, is changed no more.
      guard object.state.isDisjoint(with: [.deleted, .gone]), object.values != nil || storedRow(for: object) != nil
      else { continue }
      apply(pushed, to: object)
    }
    for (reference, row) in push.locked {
      guard let layout = registry?.layout?.entity(number: Int(reference.entity)) else { continue }
      let object = object(for: reference, in: layout)
      if object.snapshot == nil, let row { object.adoptSnapshot(row) }
      held.lock(object)
    }
    for pushed in push.deleted {
      let object = parentObject(key: pushed.key, layout: pushed.layout)
      // Nothing is left to delete of what is gone here already.
      if object.values == nil, object.state.isEmpty, storedRow(for: object) == nil { continue }
      delete(object)
    }
    processPendingChanges()
  }

  private final func insertPushed(_ pushed: PushedObject, as known: NSManagedObject?) {
    guard let registry else { return }
    let object = known ?? pushed.layout.makeObject()
    object.registry = registry
    object.key = pushed.key
    let values = object.makeInitialValues()
    // Brought back by the child's undo after its deletion was saved.
    values.version = pushed.values?.version ?? 0
    object.values = values
    object.state.insert()
    register(object, in: registry)
    changes.recordInsert(object)
  }

  /// The child's changed properties win, untouched ones stay as they are here.
  private final func apply(_ pushed: PushedObject, to object: NSManagedObject) {
    guard let values = pushed.values else { return }
    for property in pushed.layout.properties
    where pushed.changed.contains(property.index) {
      switch property.kind {
      case .attribute where property.isTransient:
        // No change of this object either.
        if object.attribute(property.index) != values[property.index] {
          object.untrackedValues(property.index)[property.index] = values[property.index]
        }
      case _ where property.isTransient: break
      case .attribute: object.setAttribute(property.index, values[property.index])
      case .toOne:
        if case .reference(let reference) = values[property.index] {
          object.setToOne(property, self.object(for: reference, in: property.relation.destination))
        } else {
          object.setToOne(property, nil)
        }
      case .toMany:
        _ = object.readableValues(property.index)
        object.markChanged(property.index)
      }
    }
    for members in pushed.toMany {
      let property = members.property
      let destination = property.relation.destination
      for reference in members.removed { object.remove(property, self.object(for: reference, in: destination)) }
      for reference in members.added { object.add(property, self.object(for: reference, in: destination)) }
      guard let order = members.order else { continue }
      object.arrangeMembers(property, like: order.map { self.object(for: $0, in: destination) })
    }
  }

  /// What this child's save pushes.
  final func makePush() -> Push {
    var push = Push()
    push.inserted = changes.inserted.map(pushed)
    push.updated = changes.updated.map(pushed)
    push.deleted = changes.deleted.map(pushed)
    push.locked = held.locked.filter { !$0.state.isDirty && $0.key > 0 }.map { ($0.reference, $0.snapshot) }
    return push
  }

  private final func pushed(_ object: NSManagedObject) -> PushedObject {
    var toMany: [PushedMembers] = []
    for property in object.layout.relationships where property.relation.isToMany {
      guard let known = object.knownToMany(property), known.hasChanges else { continue }
      var order: [RowReference]?
      if property.relation.isOrdered {
        order = (known.order?.isArranged ?? false ? object.members(property).objects : known.additions)
          .map(\.reference)
      }
      toMany.append(
        PushedMembers(
          property: property, added: known.additions.map(\.reference), removed: known.removed.objects.map(\.reference),
          order: order))
    }
    object.values?.freeze()
    return PushedObject(
      key: object.key, layout: object.layout, values: object.values,
      changed: object.state.contains(.inserted) ? PropertyMask(all: object.layout.properties.count) : object.changed,
      toMany: toMany)
  }
}

extension NSManagedObject {
  /// How rows name this object.
  final var reference: RowReference {
    RowReference(key: key, entity: layoutReference._withUnsafeGuaranteedRef { UInt16(truncatingIfNeeded: $0.number) })
  }
}
