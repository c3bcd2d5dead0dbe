import RowStore

/// For which entities the objects that a child inserts can have its rows here, too.
private struct RowSharing {
  /// By the entity's number.
  private var known: [Bool?] = []

  /// Whether nothing of such a row belongs to the child alone, and its targets need nothing but to list the object.
  mutating func isAllowed(_ layout: EntityLayout) -> Bool {
    if layout.number < known.count, let isAllowed = known[layout.number] { return isAllowed }
    while known.count <= layout.number { known.append(nil) }
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

/// Takes over what a child pushes; on the parent's queue.
struct PushReception {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Takes a child's changes as changes of the parent's objects.
  func receive(_ push: Push) {
    context.held.returnAll()
    // Insertions first, without relationships: the objects that they and others refer to must exist.
    let inserted = insertPushedObjects(push.inserted)
    precondition(inserted.count == push.inserted.count, "each object that was pushed is inserted here")
    join(inserted, push.inserted)
    forEach(inserted, push.inserted) { object, sharesRow, pushed in
      if !sharesRow {
        apply(pushed.pointee, to: object)
      } else if !pushed.pointee.toMany.isEmpty, !hasJoinedMembers(object, pushed.pointee.toMany) {
        applyMembers(pushed.pointee, to: object)
      }
    }
    let answers = ParentAnswers(of: context)
    for pushed in push.updated {
      let object = answers.object(key: pushed.key, layout: pushed.layout)
      // An object that is gone here, or further up, changes no more.
      guard object.state.isDisjoint(with: [.deleted, .gone]),
        object.values != nil || context.storedRow(for: object) != nil
      else { continue }
      apply(pushed, to: object)
    }
    for (reference, row) in push.locked {
      guard let layout = context.registry?.layout?.entity(number: Int(reference.entity)) else { continue }
      let object = context.object(for: reference, in: layout)
      if object.snapshot == nil, let row { object.adoptSnapshot(row) }
      context.held.lock(object)
    }
    // A row that has come back since the deletion was followed is another's.
    for pushed in push.deleted where pushed.values != nil {
      let object = answers.object(key: pushed.key, layout: pushed.layout)
      // An object that is gone here already has nothing left to delete.
      if object.values == nil, object.state.isEmpty, context.storedRow(for: object) == nil { continue }
      context.delete(object)
    }
    context.processPendingChanges()
  }

  /// An object that a child inserted, as it is here.
  private struct PushedInsertion {
    let object: NSManagedObject
    /// Whether it has the child's row, with all its values.
    let sharesRow: Bool
  }

  private func insertPushedObjects(_ inserted: ContiguousArray<PushedObject>) -> ContiguousArray<PushedInsertion> {
    var sharing = RowSharing()
    var taken: ContiguousArray<PushedInsertion> = []
    taken.reserveCapacity(inserted.count)
    inserted.forEachInPlace { pushed in
      pushed.pointee.layoutReference._withUnsafeGuaranteedRef { taken.append(insertPushedObject(pushed, $0, &sharing)) }
    }
    return taken
  }

  /// An inserted object of a child: it is known already, or inserted here as well.
  private func insertPushedObject(
    _ pushed: UnsafePointer<PushedObject>, _ layout: EntityLayout, _ sharing: inout RowSharing
  ) -> PushedInsertion {
    var known = context.registered(key: pushed.pointee.key, layout: layout)
    if let gone = known, gone.state.contains(.gone) {
      // The object was asked for before the child had pushed it.
      GoneObjects(in: context).giveUp(gone)
      known = nil
    }
    if let known {
      // Deleted by an earlier push, and brought back by the child's undo.
      if known.state.contains(.deleted) {
        context.revive([known])
        return PushedInsertion(object: known, sharesRow: false)
      }
      // Known already: inserted by an earlier push, unless it is a fault made from a permanent ID.
      if known.values != nil || known.snapshot != nil { return PushedInsertion(object: known, sharesRow: false) }
    }
    let object = known ?? layout.makeObject()
    let sharesRow = known == nil && pushed.pointee.values != nil && sharing.isAllowed(layout)
    if sharesRow {
      object.values = pushed.pointee.values
      object.changed.mask = pushed.pointee.changed
    } else {
      let values = object.makeInitialValues()
      // Brought back by the child's undo after its deletion was saved.
      values.version = pushed.pointee.values?.version ?? 0
      object.values = values
    }
    guard let registry = context.registry else { return PushedInsertion(object: object, sharesRow: sharesRow) }
    object.enter(registry)
    object.key = pushed.pointee.key
    object.state.insert()
    context.register(object, in: registry)
    context.changes.recordInsert(object)
    return PushedInsertion(object: object, sharesRow: sharesRow)
  }

  /// Calls `body` with each inserted object, and its pushed values, without a reference counted.
  @inline(__always)
  private func forEach(
    _ taken: ContiguousArray<PushedInsertion>, _ inserted: ContiguousArray<PushedObject>,
    _ body: (NSManagedObject, Bool, UnsafePointer<PushedObject>) -> Void
  ) {
    taken.withUnsafeBufferPointer { taken in
      var index = 0
      inserted.forEachInPlace { pushed in
        let sharesRow = taken[index].sharesRow
        Unmanaged.passUnretained(taken[index].object)._withUnsafeGuaranteedRef { body($0, sharesRow, pushed) }
        index += 1
      }
    }
  }

  /// Lists objects that have the child's rows with the objects that the rows name.
  private func join(_ taken: ContiguousArray<PushedInsertion>, _ inserted: ContiguousArray<PushedObject>) {
    // As a rule one owner has several in a row.
    var last: (reference: RowReference, object: NSManagedObject)?
    forEach(taken, inserted) { object, sharesRow, pushed in
      guard sharesRow else { return }
      pushed.pointee.layoutReference._withUnsafeGuaranteedRef { layout in
        for index in layout.toOneIndices {
          guard let reference = object.reference(at: index) else { continue }
          layout.propertyList[index]._withUnsafeGuaranteedRef { property in
            if last?.reference != reference {
              last = present(reference, in: property.relation.destination).map { (reference, $0) }
            }
            guard let owner = last.map({ Unmanaged.passUnretained($0.object) }) else {
              return object.assignToOne(property, nil)
            }
            owner._withUnsafeGuaranteedRef { object.join($0, named: reference, property) }
          }
        }
      }
    }
  }

  /// Whether each member that the child pushes has come to the new object's list already, because its own row named it.
  private func hasJoinedMembers(_ object: NSManagedObject, _ pushed: [PushedMembers]) -> Bool {
    pushed.allSatisfy { members in
      guard members.order == nil, members.removed.isEmpty, members.property.relation.inverse?.relation.isToMany == false
      else { return false }
      // The joined members are some of the added ones; no others can have come to the list of a new object.
      return object.knownToMany(members.property)?.members?.count == members.added.count
    }
  }

  /// Applies a child's changed properties; the others stay as they are here.
  private func apply(_ pushed: PushedObject, to object: NSManagedObject) {
    guard let values = pushed.values else { return }
    for property in pushed.layout.properties
    where pushed.changed.contains(property.index) {
      switch property.kind {
      case .attribute where property.isTransient:
        // A child takes all of them along, those that were set and those that it has from here.
        if object.attribute(property.index) != values[property.index] {
          object.setAttribute(property.index, values[property.index])
        }
      case _ where property.isTransient: break
      case .attribute: object.setAttribute(property.index, values[property.index])
      case .toOne:
        if case .reference(let reference) = values[property.index] {
          object.setToOne(property, present(reference, in: property.relation.destination))
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

  /// The target of a child's relation; nil where that is deleted or gone here, or has no row here or further up: then the
  /// relation is dropped.
  private func present(_ reference: RowReference, in destination: EntityLayout) -> NSManagedObject? {
    var object = context.object(for: reference, in: destination)
    if object.state.contains(.gone) {
      guard let other = GoneObjects(in: context).returned(object) else { return nil }
      object = other
    }
    if object.state.contains(.deleted) { return nil }
    if object.values != nil || context.storedRow(for: object) != nil { return object }
    GoneObjects(in: context).lose(object)
    return nil
  }

  private func applyMembers(_ pushed: PushedObject, to object: NSManagedObject) {
    for members in pushed.toMany {
      let property = members.property
      let destination = property.relation.destination
      for reference in members.removed {
        let member = context.object(for: reference, in: destination)
        // Only where the member has an inverse is its row looked at; the context is not asked about one without.
        if property.relation.inverse != nil, member.state.isEmpty, (try? member.isFilled(in: context)) == false {
          FaultWithoutRow(member, nil, in: context).fillUnasked()
        }
        object.remove(property, member)
      }
      for reference in members.added { present(reference, in: destination).map { object.add(property, $0) } }
      guard let order = members.order else { continue }
      object.arrangeMembers(property, like: order.map { context.object(for: $0, in: destination) })
    }
  }
}
