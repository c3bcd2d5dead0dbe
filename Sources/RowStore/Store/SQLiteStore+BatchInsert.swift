import Foundation
import SQLite

/// How a batch insert treats a row that has the values of a uniqueness constraint already.
package enum BatchCollision {
  /// It fails.
  case fail
  /// The store's row stays as it is.
  case keep
  /// The store's row gets the values that were given.
  case takeGiven
  /// The store's row gets every attribute.
  case takeAll
}

/// The values of one row that a batch inserts.
package struct BatchRow {
  /// One for each property of the entity.
  package var slots: ContiguousArray<Slot>
  /// The properties that were given, and not left at their defaults.
  package var given: PropertyMask

  package init(slots: ContiguousArray<Slot>, given: PropertyMask) {
    self.slots = slots
    self.given = given
  }
}

extension SQLiteStore {
  /// Inserts rows of an entity until there is none any more.
  package func batchInsert(
    _ entity: EntityLayout, _ collision: BatchCollision, wantsRows: Bool, by stamp: HistoryStamp,
    next: () throws -> BatchRow?
  ) throws -> OpenBatch {
    try batch(by: stamp) { changes in
      var result = BatchResult()
      var insertion = BatchInsertion(self, entity, collision, first: try highestKey(entity) + 1)
      while var row = try next() {
        let stored = try storeFiles(of: &row, entity)
        let written = try insertion.write(row)
        // A row that was there already took only some of the values.
        for (index, file) in stored where !(written.map { $0.isNew || insertion.takes(index, of: row) } ?? false) {
          files.discard(file)
        }
        guard let written else { continue }
        guard let key = tag.key(written.primaryKey) else {
          throw SQLiteError(code: .full, message: "\(entity.root.name) has no primary keys left")
        }
        if written.isNew {
          // The row is not in use yet, and there may be many.
          _ = derivedValues.take(root: entity.rootNumber, key: written.primaryKey)
          history?.note(.insert, entity: entity.number, written.primaryKey)
        } else {
          changes.note(RowIdentity(key: key, layout: entity))
          noteBatchUpdate(entity, written.primaryKey, insertion.changed(by: row))
        }
        result.count += 1
        if wantsRows { result.add(key, entity) }
      }
      let raise = try connection.cached("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
      raise.bind(insertion.nextKey - 1, at: 1)
      raise.bind(Int64(entity.rootNumber), at: 2)
      try raise.run()
      return result
    }
  }

  /// Writes the large values of a row into files, which it refers to from then on.
  private func storeFiles(of row: inout BatchRow, _ entity: EntityLayout) throws -> [(index: Int, file: ExternalData)] {
    var stored: [(index: Int, file: ExternalData)] = []
    for index in entity.encodedIndices {
      guard case .external? = entity.properties[index].encoding else { continue }
      guard let file = try storeFile(row.slots[index], entity.properties[index]) else { continue }
      row.slots[index] = .boxed(SlotBox(file))
      stored.append((index, file))
    }
    return stored
  }

  /// The highest key of a hierarchy; no other writer gets the next one before the transaction ends.
  private func highestKey(_ entity: EntityLayout) throws -> Int64 {
    let read = try connection.cached("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    defer { read.reset() }
    read.bind(Int64(entity.rootNumber), at: 1)
    guard try read.step() else {
      throw SQLiteError(code: .corrupt, message: "Z_PRIMARYKEY has no row for \(entity.root.name)", sql: read.sql)
    }
    return read.int64(at: 0)
  }
}

/// Writes the rows of one batch insert; inside its transaction.
package struct BatchInsertion {
  private struct Upsert {
    package let statement: Statement
    let bindings: [ColumnBinding]
  }

  private let store: SQLiteStore
  private let entity: EntityLayout
  private let collision: BatchCollision
  private let table: TableSchema
  /// In the order they are bound; relationships cannot be given, and are left out.
  private let columns: [Column]
  /// The attributes with columns, but for those that the store computes.
  private let written: PropertyMask
  private var upserts: [PropertyMask: Upsert] = [:]
  private(set) var nextKey: Int64
  /// Of the first row that is new.
  private let firstKey: Int64

  package init(_ store: SQLiteStore, _ entity: EntityLayout, _ collision: BatchCollision, first: Int64) {
    precondition(first > 0, "rows are numbered from 1")
    self.store = store
    self.entity = entity
    table = store.schema.table(entity)
    let isUnique = table.constraints.contains { entity.isKind(of: $0.reach) }
    self.collision = isUnique ? collision : .fail
    columns = (table.columnsByEntity[entity.number] ?? []).map { [table] in table.columns[$0] }
      .filter { !$0.property.isRelationship }
    var written = PropertyMask.empty
    for column in columns where !column.property.isDerived { written.insert(column.property.index) }
    self.written = written
    (nextKey, firstKey) = (first, first)
  }

  /// Nil where the store's row stays as it is.
  package mutating func write(_ row: BatchRow) throws -> (primaryKey: Int64, isNew: Bool)? {
    precondition(row.slots.count == entity.properties.count, "a row to insert has a slot for each property")
    let changed = changed(by: row)
    let upsert = try upserts[changed] ?? prepare(changed)
    let statement = upsert.statement
    defer { statement.reset() }
    statement.bind(nextKey, at: 1)
    for (position, binding) in upsert.bindings.enumerated() {
      binding.write(row.slots[binding.property], to: Parameter(Int32(position) + 2, of: statement))
    }
    if collision != .fail, collision != .keep { statement.bind(firstKey, at: Int32(upsert.bindings.count) + 2) }
    guard collision != .fail else {
      _ = try statement.step()
      nextKey += 1
      return (nextKey - 1, true)
    }
    guard try statement.step() else { return nil }
    let (key, found) = (statement.int64(at: 0), statement.int64(at: 1))
    // The change is only made when the statement has run to its end.
    while try statement.step() {}
    guard found == entity.number else { throw collidesWithAnotherEntity(found) }
    guard key == nextKey else { return (key, false) }
    nextKey += 1
    return (key, true)
  }

  /// The properties that a row in the store gets from the given one.
  func changed(by row: BatchRow) -> PropertyMask {
    switch collision {
    case .fail, .keep: .empty
    case .takeGiven: row.given
    case .takeAll: written
    }
  }

  /// Whether a row that is there already gets the value of that property.
  package func takes(_ index: Int, of row: BatchRow) -> Bool { changed(by: row).contains(index) }

  private mutating func prepare(_ changed: PropertyMask) throws -> Upsert {
    precondition(upserts[changed] == nil, "a statement is prepared once for its columns")
    let names = columns.map { ", \($0.name)" }.joined()
    let places = String(repeating: ", ?", count: columns.count)
    var sql = "INSERT INTO \(table.name)(Z_PK, Z_ENT, Z_OPT\(names)) VALUES (?, \(entity.number), 1\(places))"
    if collision != .fail {
      let assignments = columns.filter { changed.contains($0.property.index) }
        .map { "\($0.name) = excluded.\($0.name), " }.joined()
      // A row that this request has inserted was seen by no one, and keeps its first version.
      let raised = "Z_OPT = Z_OPT + (\(table.name).Z_PK < ?\(columns.count + 2))"
      let action = collision == .keep ? "NOTHING" : "UPDATE SET \(assignments)\(raised)"
      for constraint in table.constraints where entity.isKind(of: constraint.reach) {
        let keys = constraint.properties.map { table.column($0).name }.joined(separator: ", ")
        sql += " ON CONFLICT (\(keys)) DO \(action)"
      }
      sql += " RETURNING Z_PK, Z_ENT"
    }
    let upsert = Upsert(
      statement: try store.connection.cached(sql), bindings: columns.map { ColumnBinding($0, store.crossing) })
    upserts[changed] = upsert
    return upsert
  }

  private func collidesWithAnotherEntity(_ number: Int64) -> NSError {
    NSError.coreData(
      StoreErrorCode.constraintMerge,
      "A uniqueness constraint does not allow a \(entity.name) with the values of a row of "
        + "\(store.schema.model.entity(number: Int(number))?.name ?? "another entity").")
  }
}
