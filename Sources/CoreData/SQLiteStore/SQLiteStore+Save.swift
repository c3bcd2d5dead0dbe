import SQLite

extension SQLiteStore {
  // MARK: Transactions

  /// - Throws: 134030 when the store is only read, 132001 inside a batch request.
  func begin() throws {
    guard !options.isReadOnly else {
      throw NSError.coreData(
        NSPersistentStoreSaveError, "The store \(place.label) was opened only for reading; nothing can be saved to it.",
        userInfo: [NSFilePathErrorKey: place.path])
    }
    try requireNoTransaction()
    try beginWriting()
  }

  /// What was written is taken back, and a new transaction begins.
  func beginAgain() throws {
    files.undo()
    try connection.execute("ROLLBACK")
    try beginWriting()
  }

  /// Makes what was written final; ``publish(_:of:wasResolved:)`` is next.
  func commit(_ changes: ChangeLists) throws {
    cache.hide(replacedRows(changes), inserted: insertedRows(changes))
    do {
      try commitWriting()
    } catch {
      cache.unhide()
      throw error
    }
    Checkpoints.committed.reach(place.label)
    noteMetadataWritten()
    files.finish()
  }

  private func insertedRows(_ changes: ChangeLists) -> ContiguousArray<RowIdentity> {
    var rows: ContiguousArray<RowIdentity> = []
    rows.reserveCapacity(changes.inserted.count)
    changes.inserted.forEachBorrowed { rows.append(RowIdentity(key: $0.permanentKey, rootNumber: $0.rootNumber)) }
    return rows
  }

  /// The rows in the file that a save replaces or deletes, those with derived values included.
  private func replacedRows(_ changes: ChangeLists) -> ContiguousArray<RowIdentity> {
    var rows: ContiguousArray<RowIdentity> = []
    rows.reserveCapacity(changes.updated.count + changes.deleted.count)
    changes.updated.forEachBorrowed { rows.append($0.identity) }
    changes.deleted.forEachBorrowed { rows.append($0.identity) }
    changes.inserted.forEachBorrowed { if $0.key > 0, $0.lastVersion > 0 { rows.append($0.identity) } }
    if !derivedValues.isEmpty {
      for (root, keys) in derivedValues.keys {
        guard let layout = schema.model.entity(number: root) else { continue }
        for key in keys.compactMap(tag.key) { rows.append(RowIdentity(key: key, layout: layout)) }
      }
    }
    return rows
  }

  // MARK: Writing

  /// How a try to write ended.
  enum WriteOutcome {
    case written
    /// A row is not as it was read.
    case isStale
    /// A uniqueness constraint is violated, perhaps only by the order of the statements.
    case isNotUnique
  }

  func write(_ changes: ChangeLists) throws -> WriteOutcome {
    crossing.forget()
    derivedValues.removeAll()
    try encodeValues(changes)
    try reserveKeys(changes.inserted)
    try planOrder(changes)
    do {
      guard try insert(changes.inserted) else { return .isStale }
      for object in changes.updated {
        guard try update(object) else { return .isStale }
      }
    } catch let error as SQLiteError where error.code == .constraintUnique {
      return .isNotUnique
    }
    try writeJoins(changes)
    try crossing.check()
    for object in changes.deleted {
      guard try delete(object) else { return .isStale }
    }
    return .written
  }

  /// The same in an order in which a value may go from one row to another: rows first give up what others get.
  func writeGivingUpFirst(_ changes: ChangeLists) throws -> WriteOutcome {
    crossing.forget()
    derivedValues.removeAll()
    try encodeValues(changes)
    try reserveKeys(changes.inserted)
    try planOrder(changes)
    for object in changes.deleted {
      guard try delete(object) else { return .isStale }
    }
    for object in changes.updated { try giveUpUniqueValues(object) }
    do {
      for object in changes.updated {
        guard try update(object) else { return .isStale }
      }
      guard try insert(changes.inserted) else { return .isStale }
    } catch let error as SQLiteError where error.code == .constraintUnique {
      return .isNotUnique
    }
    try writeJoins(changes)
    try crossing.check()
    return .written
  }

  private func giveUpUniqueValues(_ object: NSManagedObject) throws {
    let mask = object.maskToWrite
    let table = schema.table(object.layout)
    for property in table.constraints.filter({ object.layout.isKind(of: $0.owner) }).flatMap(\.properties)
    where mask.contains(property.index) {
      let column = table.column(property).name
      let statement = try connection.cached("UPDATE \(table.name) SET \(column) = NULL WHERE Z_PK = ?")
      statement.bind(primaryKey(object.key), at: 1)
      try statement.run()
    }
  }

  /// Every inserted object without a permanent key gets one; it becomes the object's when the save is committed.
  private func reserveKeys(_ inserted: ContiguousArray<NSManagedObject>) throws {
    guard !inserted.isEmpty else { return }
    // By the number of the root entity.
    var counts = [Int](repeating: 0, count: schema.model.entities.count + 1)
    inserted.forEachBorrowed { object in
      if object.key < 0 { counts[Int(object.rootNumber)] += 1 }
    }
    var next = [Int64](repeating: 0, count: counts.count)
    for table in schema.orderedTables where counts[table.root.number] > 0 {
      let count = counts[table.root.number]
      next[table.root.number] = try allot(count, root: table.root)
    }
    inserted.forEachBorrowed { object in
      guard object.key < 0 else { return }
      let root = Int(object.rootNumber)
      object.reservedKey = next[root]
      next[root] += 1
    }
  }

  /// False when a row that comes back is there already: somebody else inserted it again.
  private func insert(_ objects: ContiguousArray<NSManagedObject>) throws -> Bool {
    do {
      try insertAll(objects)
      return true
    } catch let error as SQLiteError where error.code == .constraintPrimaryKey {
      guard objects.contains(where: { $0.key > 0 && $0.lastVersion > 0 }) else { throw error }
      return false
    }
  }

  private func insertAll(_ objects: ContiguousArray<NSManagedObject>) throws {
    defer { statements.dropPending() }
    try objects.forEachBorrowed { try statements.insert($0).add($0) }
    for insert in statements.inserts where !insert.isEmpty { try insert.run() }
  }

  /// True when the row was as expected, or nothing had to be written.
  private func update(_ object: NSManagedObject) throws -> Bool {
    let mask = object.maskToWrite
    guard !mask.isEmpty, let snapshot = object.snapshot else { return true }
    let update = try statements.update(object.layout, mask)
    let statement = update.statement
    bind(object, update.bindings, to: statement, from: 1)
    var next = Int32(update.bindings.count) + 1
    if !update.orders.isEmpty {
      try bindOrders(object, update.orders, to: statement, from: next)
      next += Int32(update.orders.count)
    }
    statement.bind(snapshot.version + 1, at: next)
    statement.bind(primaryKey(object.key), at: next + 1)
    statement.bind(snapshot.version, at: next + 2)
    try statement.run()
    return connection.changedRows == 1
  }

  private func delete(_ object: NSManagedObject) throws -> Bool {
    for property in object.layout.relationships {
      let clear: Statement
      if let join = schema.join(property) {
        clear = try statements.clearJoin(join, isOwner: property === join.owner)
      } else if property.relation.isToMany, property.relation.inverse == nil {
        clear = try statements.clearMemberships(schema.members(property))
      } else {
        continue
      }
      clear.bind(primaryKey(object.key), at: 1)
      try clear.run()
    }
    // A fault that was never read has no version to compare, and may have no row.
    guard let snapshot = object.snapshot, object.key > 0 else { return true }
    let statement = try statements.delete(object.layout)
    statement.bind(primaryKey(object.key), at: 1)
    statement.bind(snapshot.version, at: 2)
    try statement.run()
    return connection.changedRows == 1
  }

  private func writeJoins(_ changes: ChangeLists) throws {
    if schema.hasJoins {
      try changes.inserted.forEachBorrowed(writeJoins)
      try changes.updated.forEachBorrowed(writeJoins)
    }
    try writeOrder(changes)
  }

  private func writeJoins(_ object: NSManagedObject) throws {
    guard object.layoutReference._withUnsafeGuaranteedRef({ $0.hasJoins }) else { return }
    for property in object.layout.relationships where property.relation.isToMany {
      guard let known = object.knownToMany(property), known.hasChanges else { continue }
      if let join = schema.join(property) {
        guard property === join.owner else { continue }
        try write(known.removed.objects, of: object, property, try statements.join(join, insert: false))
        try write(known.additions, of: object, property, try statements.join(join, insert: true))
      } else if property.relation.inverse == nil {
        let place = schema.members(property)
        try write(known.removed.objects, of: object, property, try statements.membership(place, insert: false))
        try write(known.additions, of: object, property, try statements.membership(place, insert: true))
      }
    }
  }

  private func write(
    _ members: ContiguousArray<NSManagedObject>, of object: NSManagedObject, _ property: PropertyLayout,
    _ statement: Statement
  ) throws {
    for member in members {
      if !tag.owns(member.permanentKey) { crossing.note(object, property) }
      statement.bind(primaryKey(object.permanentKey), at: 1)
      statement.bind(primaryKey(member.permanentKey), at: 2)
      try statement.run()
    }
  }

  private func bind(_ object: NSManagedObject, _ bindings: [ColumnBinding], to statement: Statement, from first: Int32)
  {
    guard let values = object.values else { preconditionFailure("an object to be written is realised") }
    values.withUnsafeMutablePointerToElements { slots in
      for (position, binding) in bindings.enumerated() {
        binding.write(slots, of: object, to: Parameter(first + Int32(position), of: statement))
      }
    }
  }

  // MARK: After the commit

  /// Keys and versions become the objects', which are clean from now on, and rows the cache's; what other contexts merge.
  func publish(_ changes: ChangeLists, of context: NSManagedObjectContext, wasResolved: Bool) -> SaveRecord {
    let reinserted = context.makePermanent(changes.inserted)
    if !schema.derived.isEmpty {
      for object in changes.inserted + changes.updated { takeDerived(object) }
    }
    var inserted: ContiguousArray<SaveRecord.Entry> = []
    inserted.reserveCapacity(changes.inserted.count)
    changes.inserted.forEachBorrowed { object in
      inserted.append(SaveRecord.Entry(saved: object.takeSavedRow(version: cache.insertVersion(object))))
      object.becomeClean()
    }
    var updated: ContiguousArray<SaveRecord.Entry> = []
    updated.reserveCapacity(changes.updated.count)
    changes.updated.forEachBorrowed { object in
      if let snapshot = object.snapshot, !object.maskToWrite.isEmpty {
        updated.append(SaveRecord.Entry(saved: object.takeSavedRow(version: snapshot.version + 1)))
      } else if object.values != nil {
        object.values = object.snapshot.map { object.keepingTransients(over: $0) }
      }
      object.becomeClean()
    }
    let deleted = changes.deleted.map { SaveRecord.Entry(key: $0.key, layout: $0.layout, row: nil) }
    let record = SaveRecord(
      source: context.nextSave(), family: context.coordinator?.family, model: context.model, inserted: inserted,
      updated: updated, deleted: ContiguousArray(deleted), wasResolved: wasResolved)
    for object in changes.deleted {
      if let snapshot = object.snapshot { cache.noteDeleted(snapshot) }
    }
    cache.commit(record, reinserted: reinserted)
    if !schema.derived.isEmpty { publishDerived(context) }
    return record
  }
}

extension SQLiteStore {
  /// The primary key in the file; of another store's object a number that no row has.
  @inline(__always)
  func primaryKey(_ key: Int64) -> Int64 { tag.primaryKey(key) }

  /// So many keys of a hierarchy that follow each other; the first of them. In the writer's transaction.
  func allot(_ count: Int, root: EntityLayout) throws -> Int64 {
    let first = try statements.allot(count, root: root) - Int64(count) + 1
    guard let key = tag.key(first), tag.key(first + Int64(count)) != nil else {
      throw SQLiteError(code: .full, message: "\(root.name) has no primary keys left")
    }
    return key
  }
}

extension NSManagedObject {
  /// The key the object has, or has been given by the save that is under way.
  final var permanentKey: Int64 { key > 0 ? key : reservedKey }

  /// The permanent key of an unsaved object this one refers to.
  final func permanentKey(of reference: RowReference, _ property: PropertyLayout) -> Int64 {
    if property.relation.position < relations.count, case .one(let object) = relations[property.relation.position] {
      return object.permanentKey
    }
    return liveContext.object(for: reference, in: property.relation.destination).permanentKey
  }

  /// The last version that the row of an inserted object is known to have had before it was deleted; 0 for a new object.
  @inline(__always)
  final var lastVersion: Int64 {
    let version = values?.version ?? 0
    return version == 0 ? snapshot?.version ?? 0 : version
  }

  /// The properties whose columns a save has to write; of a changed to-many relationship only the version is written.
  final var maskToWrite: PropertyMask {
    var mask = PropertyMask.empty
    guard !changed.isEmpty else { return mask }
    for property in layout.properties where isReallyChanged(property) { mask.insert(property.index) }
    return mask
  }

  /// The row as it was just written, frozen and without transient values: with its key and version, and references to what was saved with it.
  fileprivate final func takeSavedRow(version: Int64) -> Row {
    guard var row = values else { preconditionFailure("an object that was written is realised") }
    if row.isFrozen {
      row = row.mutableCopy()
      values = row
    }
    row.key = key
    row.version = version
    row.withUnsafeMutablePointerToElements { slots in
      for index in layoutReference._withUnsafeGuaranteedRef({ $0.toOneSlots }) {
        if case .reference(var reference) = slots[index], reference.key < 0 {
          reference.key = permanentKey(of: reference, layout.properties[index])
          slots[index] = .reference(reference)
        }
      }
    }
    let shared = withoutTransients(row)
    if shared !== row { snapshot = shared }
    return shared
  }
}
