import RowStore

/// One changed object of a child, by value, so that nothing of the child is touched on its parent's queue.
struct PushedObject {
  let key: Int64
  /// Alive as long as the model, which the child keeps.
  let layoutReference: Unmanaged<EntityLayout>
  var layout: EntityLayout { layoutReference.takeUnretainedValue() }
  /// Nil where there was no row as the deletion was followed.
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
  /// The members of an ordered relationship that the child knows, in its order.
  let order: [RowReference]?
}

/// The changes of a child's save.
struct Push {
  let inserted: ContiguousArray<PushedObject>
  let updated: ContiguousArray<PushedObject>
  let deleted: ContiguousArray<PushedObject>
  /// Unchanged objects for the root's save to check, with the rows that the child read.
  let locked: [(reference: RowReference, row: Row?)]

  /// The changes that the child's save pushes.
  init(of child: NSManagedObjectContext) {
    inserted = Self.pushed(child.changes.inserted)
    updated = Self.pushed(child.changes.updated)
    deleted = Self.pushed(child.changes.deleted)
    locked = child.held.locked.filter { !$0.state.isDirty && $0.key > 0 }.map { ($0.reference, $0.snapshot) }
  }

  private static func pushed(_ objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<PushedObject> {
    var pushed: ContiguousArray<PushedObject> = []
    pushed.reserveCapacity(objects.count)
    objects.forEachBorrowed { pushed.append(Self.pushed($0)) }
    return pushed
  }

  private static func pushed(_ object: NSManagedObject) -> PushedObject {
    object.valuesReference?._withUnsafeGuaranteedRef { $0.freeze() }
    return object.layoutReference._withUnsafeGuaranteedRef { layout in
      PushedObject(
        key: object.key, layoutReference: object.layoutReference, values: object.values ?? object.snapshot,
        changed: object.state.contains(.inserted) ? PropertyMask(all: layout.propertyList.count) : object.changesToPush,
        toMany: layout.hasToMany ? pushedMembers(object, layout) : [])
    }
  }

  private static func pushedMembers(_ object: NSManagedObject, _ layout: EntityLayout) -> [PushedMembers] {
    layout.relationships.compactMap { property in
      guard property.relation.isToMany, let known = object.knownToMany(property), known.hasChanges else { return nil }
      var order: [RowReference]?
      if property.relation.isOrdered {
        order = (known.order?.isArranged ?? false ? object.members(property).objects : known.additions)
          .placed.map(\.reference)
      }
      return PushedMembers(
        property: property, added: known.additions.map(\.reference), removed: known.removed.objects.map(\.reference),
        order: order)
    }
  }
}

extension NSManagedObject {
  /// Changed properties for a child's save to push: all to-many and transient ones, and others that really differ.
  fileprivate final var changesToPush: PropertyMask {
    var mask = changed.mask
    changed.mask.forEach { index in
      let property = layout.properties[index]
      if case .toMany = property.kind { return }
      if !property.isTransient, !isReallyChanged(property) { mask.remove(index) }
    }
    return mask
  }
}
