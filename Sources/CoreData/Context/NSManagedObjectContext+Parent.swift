import RowStore

extension NSManagedObjectContext {
  // MARK: Requests of a child; on this context's queue, in the child's thread where the queue allows

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
    // A member that was deleted here, or found gone, is none for the child either, though a row may be back under that ID.
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
    let known = registry?.objects.objects(wanted.count) { RowIdentity(key: wanted[$0].key, layout: wanted[$0].layout) }
    let own = zip(known ?? [], keys).compactMap { object, key in object.map { (object: $0, key: key) } }
    makePermanent(ContiguousArray(own.map(\.object)), isAliased: true) { own[$0].key }
    tellTrackersOfNewIDs()
    return keys
  }
}

extension NSManagedObject {
  /// How rows name this object.
  final var reference: RowReference {
    RowReference(key: key, entity: layoutReference._withUnsafeGuaranteedRef { UInt16(truncatingIfNeeded: $0.number) })
  }
}
