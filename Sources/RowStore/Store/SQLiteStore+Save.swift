import CRuntime
import Foundation
import SQLite

extension SQLiteStore {
  // MARK: Transactions

  /// - Throws: 134030 when the store is only read, 132001 inside a batch request.
  package func begin() throws {
    guard !options.isReadOnly else {
      throw NSError.coreData(
        StoreErrorCode.save, "The store \(place.label) was opened only for reading; nothing can be saved to it.",
        userInfo: [NSFilePathErrorKey: place.path])
    }
    try requireNoTransaction()
    try beginWriting()
  }

  /// Takes back the writes, and begins a new transaction.
  package func beginAgain() throws {
    files.undo()
    try connection.execute("ROLLBACK")
    try beginWriting()
  }

  /// Commits the writes; ``publish(_:)`` is next.
  package func commit(_ plan: SavePlan) throws {
    cache.hide(replacedRows(plan), inserted: plan)
    do {
      try commitWriting()
    } catch {
      cache.unhide()
      throw error
    }
    StoreCheckpoints.committed.reach(place.label)
    markMetadataWritten()
    files.finish()
  }

  /// The rows in the file that a save replaces or deletes, those with derived values included.
  private func replacedRows(_ plan: SavePlan) -> ContiguousArray<RowIdentity> {
    var rows: ContiguousArray<RowIdentity> = []
    rows.reserveCapacity(plan.updates.count + plan.deletes.count)
    plan.updates.forEachInPlace { rows.append($0.pointee.identity) }
    plan.deletes.forEachInPlace { rows.append($0.pointee.identity) }
    plan.inserts.forEachInPlace { insert in
      guard insert.pointee.isReturning else { return }
      rows.append(RowIdentity(key: insert.pointee.key, rootNumber: insert.pointee.row.rootNumber))
    }
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
  package enum WriteOutcome {
    case written
    /// A row is not as it was read.
    case isStale
    /// A uniqueness constraint is violated, perhaps only by the order of the statements.
    case isNotUnique
  }

  /// Writes a plan in an order in which its values rarely meet: rows that leave first, and those that come last.
  ///
  /// - Parameter freesValues: whether changed rows first give up the values that have to be unique, so that one may go
  ///   from one of them to another.
  /// - Throws: `CrossStoreReference`, `UnencodableValue`, SQLite's errors; 134030 when a large value cannot be written.
  package func write(_ plan: inout SavePlan, freeingValues freesValues: Bool) throws -> WriteOutcome {
    precondition(connection.isInTransaction, "a save is written in a transaction that was begun")
    crossing.forget()
    derivedValues.removeAll()
    try encodeValues(plan)
    try allotKeys(&plan)
    try planOrder(plan)
    guard try delete(plan.deletes) else { return .isStale }
    if freesValues {
      for update in plan.updates { try freeValues(update) }
    }
    do {
      guard try update(plan.updates, plan.keys) else { return .isStale }
      guard try insert(plan) else { return .isStale }
    } catch let error as SQLiteError where error.code == .constraintUnique {
      return .isNotUnique
    }
    try writeMembers(plan)
    try writeOrder(plan)
    try crossing.check()
    return try plan.locked.allSatisfy { try conflict($0, $0.key, at: .locked(0)) == nil } ? .written : .isStale
  }

  private func freeValues(_ update: SavePlan.Update) throws {
    let layout = update.row.layout
    let table = schema.table(layout)
    for property in table.constraints.filter({ layout.isKind(of: $0.reach) }).flatMap(\.properties)
    where update.mask.contains((property.original?.attribute ?? property).index) {
      let column = table.column(property).name
      let statement = try connection.cached("UPDATE \(table.name) SET \(column) = NULL WHERE Z_PK = ?")
      statement.bind(primaryKey(update.key), at: 1)
      try statement.run()
    }
  }

  /// Gives every inserted row without a permanent key one, and all their versions.
  private func allotKeys(_ plan: inout SavePlan) throws {
    guard !plan.inserts.isEmpty else { return }
    // By the number of the root entity.
    var counts = [Int](repeating: 0, count: schema.model.entities.count + 1)
    plan.inserts.forEachInPlace { insert in
      if insert.pointee.key < 0 { counts[Int(insert.pointee.row.rootNumber)] += 1 }
    }
    var next = [Int64](repeating: 0, count: counts.count)
    for table in schema.orderedTables where counts[table.root.number] > 0 {
      next[table.root.number] = try allot(counts[table.root.number], root: table.root)
    }
    var (inserts, keys) = (plan.inserts, plan.keys)
    (plan.inserts, plan.keys) = ([], KeyTable([]))
    defer { (plan.inserts, plan.keys) = (inserts, keys) }
    try inserts.withUnsafeMutableBufferPointer { inserts in
      for index in inserts.indices {
        inserts[index].version = try inserts[index].isReturning ? returningVersion(inserts[index]) : 1
        let key = inserts[index].key
        guard key < 0 else { continue }
        let root = Int(inserts[index].row.rootNumber)
        keys[key] = next[root]
        next[root] += 1
      }
    }
  }

  /// A row that comes back gets a version above every one that may have been read of it, so that a context that still has one
  /// finds it changed. Only the file knows the versions by others: each such insertion takes a key that no row gets, and begins
  /// at so many versions for each key.
  private func returningVersion(_ insert: SavePlan.Insert) throws -> Int64 {
    precondition(insert.isReturning, "a row that comes back had a version")
    let count = primaryKey(try allot(1, root: insert.row.layout.root))
    return max(insert.lastVersion, count << Self.versionBits) + 1
  }

  /// A row may be updated four million times before it is deleted and comes back; keys of 40 bits leave no more.
  private static let versionBits: Int64 = 22

  /// False when a row that comes back is there already: another context inserted it again.
  private func insert(_ plan: SavePlan) throws -> Bool {
    do {
      defer { statements.dropPending() }
      try plan.inserts.forEachInPlace { insert in
        let key = plan.keys.permanent(insert.pointee.key)
        let layout = Unmanaged.passUnretained(insert.pointee.row)._withUnsafeGuaranteedRef { $0.layoutReference }
        try statements.insert(layout)._withUnsafeGuaranteedRef { $0.add(insert, primaryKey: primaryKey(key)) }
      }
      for insert in statements.inserts where !insert.isEmpty { try insert.run(plan.keys) }
      return true
    } catch let error as SQLiteError where error.code == .constraintPrimaryKey {
      guard plan.inserts.contains(where: \.isReturning) else { throw error }
      return false
    }
  }

  private func writeMembers(_ plan: SavePlan) throws {
    guard schema.hasJoins else { return }
    for members in plan.members {
      if let join = schema.join(members.property) {
        guard members.property === join.owner else { continue }
        try write(members.removed, of: members, plan.keys, try statements.join(join, insert: false))
        try write(members.added, of: members, plan.keys, try statements.join(join, insert: true))
      } else if members.property.relation.inverse == nil {
        let place = schema.members(members.property)
        try write(members.removed, of: members, plan.keys, try statements.membership(place, insert: false))
        try write(members.added, of: members, plan.keys, try statements.membership(place, insert: true))
      }
    }
  }

  private func write(
    _ others: ContiguousArray<Int64>, of members: SavePlan.Members, _ keys: KeyTable, _ statement: Statement
  ) throws {
    let owner = keys.permanent(members.owner)
    for other in others {
      let key = keys.permanent(other)
      if !tag.owns(key) { crossing.note(members.owner, members.property) }
      statement.bind(primaryKey(owner), at: 1)
      statement.bind(primaryKey(key), at: 2)
      try statement.run()
    }
  }

  // MARK: After the commit

  /// Gives the rows of a committed plan their keys and versions, and lists them in the row cache.
  package func publish(_ plan: SavePlan) -> SaveReceipt {
    precondition(!connection.isInTransaction, "rows are published once they are committed")
    var reinserted: [RowIdentity] = []
    var inserted: ContiguousArray<SavedRow> = []
    inserted.reserveCapacity(plan.inserts.count)
    let inserts = plan.inserts.count - Int(CONTEXTBENCH_PREFETCH_DISTANCE)
    plan.inserts.forEachInPlace { insert in
      if inserted.count < inserts {
        let ahead = insert + Int(CONTEXTBENCH_PREFETCH_DISTANCE)
        contextbench_prefetch(Unmanaged.passUnretained(ahead.pointee.row).toOpaque(), 2)
      }
      let key = plan.keys.permanent(insert.pointee.key)
      Unmanaged.passUnretained(insert.pointee.row)._withUnsafeGuaranteedRef {
        finish($0, key: key, version: insert.pointee.version, plan.keys)
      }
      if insert.pointee.isReturning { reinserted.append(insert.pointee.row.identity) }
      inserted.append(SavedRow(insert.pointee.row))
    }
    var updated: ContiguousArray<SavedRow> = []
    updated.reserveCapacity(plan.updates.count)
    let updates = plan.updates.count - Int(CONTEXTBENCH_PREFETCH_DISTANCE)
    plan.updates.forEachInPlace { update in
      if updated.count < updates {
        let ahead = update + Int(CONTEXTBENCH_PREFETCH_DISTANCE)
        contextbench_prefetch(Unmanaged.passUnretained(ahead.pointee.row).toOpaque(), 2)
      }
      Unmanaged.passUnretained(update.pointee.row)._withUnsafeGuaranteedRef {
        finish($0, key: update.pointee.key, version: update.pointee.version + 1, plan.keys)
      }
      updated.append(
        SavedRow(key: update.pointee.key, layoutReference: update.pointee.layoutReference, row: update.pointee.row))
    }
    var deleted: ContiguousArray<SavedRow> = []
    deleted.reserveCapacity(plan.deletes.count)
    plan.deletes.forEachInPlace { deleted.append(SavedRow($0.pointee)) }
    cache.commit(inserted: inserted, updated: updated, deleted: deleted, reinserted: reinserted)
    return SaveReceipt(inserted: inserted, updated: updated, deleted: deleted, derived: refreshDerived())
  }

  private func finish(_ row: Row, key: Int64, version: Int64, _ keys: KeyTable) {
    row.key = key
    row.version = version
    let values = row.values
    for index in row.layoutReference._withUnsafeGuaranteedRef({ $0.toOneSlots }) {
      if var reference = values.reference(index), reference.key < 0 {
        reference.key = keys.permanent(reference.key)
        values[index] = .reference(reference)
      }
    }
    if !schema.derived.isEmpty { applyDerived(row) }
    if schema.hasEncodings { settleValues(row) }
    row.freeze()
  }
}

extension SQLiteStore {
  /// The primary key in the file; of another store's object a number that no row has.
  @inline(__always)
  package func primaryKey(_ key: Int64) -> Int64 { tag.primaryKey(key) }

  /// Reserves `count` keys of a hierarchy that follow each other; returns the first. In the writer's transaction.
  func allot(_ count: Int, root: EntityLayout) throws -> Int64 {
    let first = try statements.allot(count, root: root) - Int64(count) + 1
    guard let key = tag.key(first), tag.key(first + Int64(count)) != nil else {
      throw SQLiteError(code: .full, message: "\(root.name) has no primary keys left")
    }
    return key
  }
}

extension ContiguousArray {
  /// Calls `body` with the place of each element: an element that is handed over is copied, and each reference in it
  /// counted.
  @inlinable @inline(__always)
  package func forEachInPlace(_ body: (UnsafePointer<Element>) throws -> Void) rethrows {
    try withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress else { return }
      for index in elements.indices { try body(first + index) }
    }
  }
}
