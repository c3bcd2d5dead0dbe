import RowStore

extension NSManagedObjectContext {
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

  /// For which entities the objects that a child inserts can have its rows here, too.
  struct RowSharing {
    /// By the entity's number.
    private var known: [Bool?] = []

    /// Whether nothing of such a row belongs to the child alone, and who it leads to needs nothing but to list the object.
    mutating func isAllowed(_ layout: EntityLayout) -> Bool {
      while known.count <= layout.number { known.append(nil) }
      if let isAllowed = known[layout.number] { return isAllowed }
      let isAllowed =
        !layout.hasTransients
        && layout.relationships.allSatisfy { property in
          guard !property.relation.isToMany, let inverse = property.relation.inverse else { return true }
          return inverse.relation.isToMany && !inverse.relation.isOrdered
        }
      known[layout.number] = isAllowed
      return isAllowed
    }
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
    var sharing = RowSharing()
    // Insertions first, without relationships: what they and others refer to must be there.
    let inserted = ContiguousArray(push.inserted.map { takeInsertion($0, &sharing) })
    join(inserted, push.inserted)
    for (pushed, taken) in zip(push.inserted, inserted) {
      if taken.sharesRow { applyMembers(pushed, to: taken.object) } else { apply(pushed, to: taken.object) }
    }
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

  /// An inserted object of a child: it is known already, or inserted here as well.
  ///
  /// - Returns: the object here, and whether it has the child's row, with all its values.
  private final func takeInsertion(
    _ pushed: PushedObject, _ sharing: inout RowSharing
  ) -> (object: NSManagedObject, sharesRow: Bool) {
    let known = registered(key: pushed.key, layout: pushed.layout)
    if let known {
      // Deleted by an earlier push, and brought back by the child's undo.
      if known.state.contains(.deleted) {
        revive([known])
        return (known, false)
      }
      // Known already: inserted by an earlier push, unless it is a fault made from a permanent ID.
      if known.values != nil || known.snapshot != nil { return (known, false) }
    }
    let object = known ?? pushed.layout.makeObject()
    let sharesRow = known == nil && pushed.values != nil && sharing.isAllowed(pushed.layout)
    if sharesRow {
      object.values = pushed.values
      object.changed = pushed.changed
    } else {
      let values = object.makeInitialValues()
      // Brought back by the child's undo after its deletion was saved.
      values.version = pushed.values?.version ?? 0
      object.values = values
    }
    guard let registry else { return (object, sharesRow) }
    object.registry = registry
    object.key = pushed.key
    object.state.insert()
    register(object, in: registry)
    changes.recordInsert(object)
    return (object, sharesRow)
  }

  /// Those that have the child's rows are listed by who the rows name.
  private final func join(
    _ inserted: ContiguousArray<(object: NSManagedObject, sharesRow: Bool)>, _ pushed: [PushedObject]
  ) {
    var last: (reference: RowReference, object: NSManagedObject)?
    for (taken, pushed) in zip(inserted, pushed) where taken.sharesRow {
      guard let row = pushed.values else { continue }
      for index in pushed.layout.toOneIndices {
        guard case .reference(let reference) = row[index] else { continue }
        let property = pushed.layout.properties[index]
        // As a rule one owner has several in a row.
        if last?.reference != reference {
          last = (reference, object(for: reference, in: property.relation.destination))
        }
        if let object = last?.object { taken.object.join(object, named: reference, property) }
      }
    }
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
    applyMembers(pushed, to: object)
  }

  private final func applyMembers(_ pushed: PushedObject, to object: NSManagedObject) {
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
          .placed.map(\.reference)
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
