import RowStore

/// A save's writes to one store, and the objects that they are about: those of ``plan`` in the same order.
struct PlannedSave {
  var plan: SavePlan
  let inserted: ContiguousArray<NSManagedObject>
  let updated: ContiguousArray<NSManagedObject>
  let deleted: ContiguousArray<NSManagedObject>
  /// Unchanged objects that must have their rows as they were read.
  let locked: ContiguousArray<NSManagedObject>
  /// Changed objects that have the values of their rows again: nothing of them is written.
  let unchanged: ContiguousArray<NSManagedObject>
  /// Whether no object has a row in another store.
  let isWhole: Bool

  /// Plans the part of a context's changes that one store gets; on the context's queue.
  ///
  /// Complexity: O(*n*) for *n* changed objects.
  init(_ changes: ChangeLists, of context: NSManagedObjectContext, in tag: StoreTag) {
    var plan = SavePlan()
    var isWhole = true
    func look(_ key: Int64) { if key > 0, !tag.owns(key) { isWhole = false } }
    inserted = changes.inserted
    deleted = changes.deleted
    plan.inserts.reserveCapacity(inserted.count)
    var temporary: ContiguousArray<Int64> = []
    temporary.reserveCapacity(inserted.count)
    inserted.forEachBorrowed { object in
      let insert = object.plannedInsert
      look(insert.key)
      if insert.key < 0 { temporary.append(insert.key) }
      plan.inserts.append(insert)
    }
    plan.keys = KeyTable(temporary)
    inserted.forEachBorrowed { object in
      object.resolveReferences(into: &plan.keys)
      object.planMembers(&plan.members)
    }
    var unchanged: ContiguousArray<NSManagedObject> = []
    plan.updates.reserveCapacity(changes.updated.count)
    changes.updated.forEachBorrowed { object in
      look(object.key)
      object.dropDerivedChanges()
      guard let update = object.plannedUpdate else { return unchanged.append(object) }
      plan.updates.append(consume update)
      // While the object is at hand.
      object.resolveReferences(into: &plan.keys)
      object.planMembers(&plan.members)
    }
    if unchanged.isEmpty {
      updated = changes.updated
    } else {
      let others = Set(distinct: unchanged)
      updated = changes.updated.filter { !others.contains($0) }
    }
    self.unchanged = unchanged
    plan.deletes.reserveCapacity(deleted.count)
    deleted.forEachBorrowed { object in
      look(object.key)
      let keepsValues = object.layoutReference._withUnsafeGuaranteedRef { $0.keepsValues }
      plan.deletes.append(
        SavePlan.Delete(
          key: object.key, layout: object.layoutReference, base: object.snapshot,
          last: keepsValues ? object.values : nil))
    }
    locked = context.held.locked.filter { object in
      object.snapshot != nil && !object.state.isDirty && object.key > 0 && tag.owns(object.key)
    }
    plan.locked = ContiguousArray(locked.compactMap(\.snapshot))
    self.plan = plan
    self.isWhole = isWhole
    precondition(
      plan.inserts.count == inserted.count && plan.updates.count == updated.count
        && plan.deletes.count == deleted.count && plan.locked.count == locked.count,
      "an object is found at the place of its row in the plan")
  }

  /// The object of a row of the plan.
  func object(at place: SavePlan.Place) -> NSManagedObject {
    switch place {
    case .insert(let index): inserted[index]
    case .update(let index): updated[index]
    case .delete(let index): deleted[index]
    case .locked(let index): locked[index]
    }
  }

  /// The object with a key that the plan has.
  func object(with key: Int64) -> NSManagedObject? {
    inserted.first { $0.key == key } ?? updated.first { $0.key == key } ?? deleted.first { $0.key == key }
  }
}

extension NSManagedObject {
  fileprivate final var plannedInsert: SavePlan.Insert {
    let row = rowToWrite()
    let base = snapshot
    return SavePlan.Insert(
      row: row, key: key, base: base, lastVersion: row.version == 0 ? base?.version ?? 0 : row.version)
  }

  /// Nil where no column has to be written.
  fileprivate final var plannedUpdate: SavePlan.Update? {
    let mask = maskToWrite
    guard !mask.isEmpty, let snapshot else { return nil }
    return SavePlan.Update(key: key, row: rowToWrite(), base: snapshot, mask: mask)
  }

  /// Drops values set of derived attributes, by a program or by the overwrite policy: the store computes them, and where
  /// nothing that they depend on changes they stay as they are.
  fileprivate final func dropDerivedChanges() {
    guard layoutReference._withUnsafeGuaranteedRef({ $0.hasDerived }), let snapshot, let values else { return }
    let derived = layout.properties.filter { $0.isDerived && changed.contains($0.index) }
    guard !derived.isEmpty else { return }
    let row = values.isFrozen ? values.mutableCopy() : values
    for property in derived {
      row[property.index] = snapshot[property.index]
      changed.remove(property.index)
    }
    self.values = row
  }

  /// The properties that a save has to write; of a changed to-many relationship only the version is written.
  private final var maskToWrite: PropertyMask {
    var mask = PropertyMask.empty
    changed.mask.forEach { index in if isReallyChanged(index) { mask.insert(index) } }
    return mask
  }

  /// Whether the value at that place differs from the one last read or saved.
  @inline(__always)
  private final func isReallyChanged(_ index: Int) -> Bool {
    // For whole numbers a look at both shows it.
    let isOther = valuesReference?._withUnsafeGuaranteedRef { values in
      snapshotReference?._withUnsafeGuaranteedRef { values.isOtherInteger(at: index, than: $0) } ?? nil
    }
    guard let isOther = isOther ?? nil, !layoutReference._withUnsafeGuaranteedRef({ $0.hasTransients }) else {
      return isReallyChanged(layout.properties[index])
    }
    return isOther
  }

  /// The row that a save writes and shares afterwards: the object's own, unless others hold it, or it has values that
  /// are the object's alone or that the store keeps in another form.
  private final func rowToWrite() -> Row {
    guard let values else { preconditionFailure("an object to be written is realised") }
    let isPlain = layoutReference._withUnsafeGuaranteedRef { !$0.hasTransients && !$0.hasEncodings }
    if isPlain, !values.isFrozen { return values }
    let layout = layout
    let transients = layout.transientIndices.filter { !values[$0].isNull }
    let mayGetFiles = layout.encodedIndices.contains { index in
      if case .external? = layout.properties[index].encoding { !values[index].isNull } else { false }
    }
    guard values.isFrozen || !transients.isEmpty || mayGetFiles else { return values }
    let row = values.mutableCopy()
    for index in transients { row[index] = .null }
    return row
  }

  /// Adds the permanent keys of objects that the row names by temporary keys and that this save does not insert.
  fileprivate final func resolveReferences(into keys: inout KeyTable) {
    valuesReference?._withUnsafeGuaranteedRef {
      let values = $0.values
      for index in layoutReference._withUnsafeGuaranteedRef({ $0.toOneSlots }) {
        guard let reference = values.reference(index), reference.key < 0, keys[reference.key] == nil else { continue }
        let key = target(of: reference, layout.properties[index]).key
        if key > 0 { keys[reference.key] = key }
      }
    }
  }

  private final func target(of reference: RowReference, _ property: PropertyLayout) -> NSManagedObject {
    if property.relation.position < relations.count, case .one(let object) = relations[property.relation.position] {
      return object
    }
    return liveContext.object(for: reference, in: property.relation.destination)
  }

  fileprivate final func planMembers(_ plan: inout ContiguousArray<SavePlan.Members>) {
    guard !relations.isEmpty, layoutReference._withUnsafeGuaranteedRef({ $0.hasJoins || $0.hasOrder }) else { return }
    for property in layout.relationships where property.relation.isToMany && property.isStored {
      let relation: RelationLayout = property.relation
      guard relation.isOrdered || relation.inverse?.relation.isToMany ?? true, let known = knownToMany(property),
        known.hasChanges
      else { continue }
      plan.append(
        SavePlan.Members(
          owner: key, property: property, added: known.additions.keys, removed: known.removed.objects.keys,
          isNew: !known.tracksChanges, order: known.plannedOrder))
    }
  }
}

extension ToMany {
  /// Nil where the members only came and went.
  fileprivate var plannedOrder: SavePlan.Order? {
    guard tracksChanges, let order, order.isArranged, let wanted = members?.objects ?? order.wanted else { return nil }
    let yields = order.yieldsToStore
    return SavePlan.Order(wanted: wanted.placed.keys, stored: yields ? order.stored?.keys : nil, yieldsToStore: yields)
  }
}

extension ContiguousArray where Element == NSManagedObject {
  fileprivate var keys: ContiguousArray<Int64> { ContiguousArray<Int64>(lazy.map(\.key)) }
}
