import Foundation
import SQLite

// Saves and batch requests put their changes into the history, in their own transactions.

extension SQLiteStore {
  /// The writer of a store that is opened with a history.
  ///
  /// A store that has a history and is opened without is only read: new changes would be missing from it.
  ///
  /// - Parameter isNew: whether no one can have given the file a history.
  static func history(
    _ connection: Connection, _ schema: StoreSchema, _ options: inout StoreOptions, isNew: Bool
  ) throws -> HistoryWriter? {
    guard options.isOn(StoreOptions.Key.history) else {
      if try !isNew && HistorySchema.isKept(connection) { options.refuseWriting() }
      return nil
    }
    let history = HistorySchema(schema)
    try history.prepare(connection)
    return try HistoryWriter(connection, history, schema.model)
  }

  /// Records the changes of a save.
  package func recordHistory(_ plan: SavePlan, by stamp: @autoclosure () -> HistoryStamp) throws {
    guard let history else { return }
    plan.inserts.forEachInPlace { insert in
      let entity = Unmanaged.passUnretained(insert.pointee.row)._withUnsafeGuaranteedRef {
        $0.layoutReference._withUnsafeGuaranteedRef { $0.number }
      }
      history.note(.insert, entity: entity, primaryKey(plan.keys.permanent(insert.pointee.key)))
    }
    plan.updates.forEachInPlace { history.note($0, primaryKey($0.pointee.key)) }
    // Without a version the row was gone when it was deleted.
    plan.deletes.forEachInPlace { delete in
      guard delete.pointee.version != nil, delete.pointee.key > 0 else { return }
      delete.pointee.layoutReference._withUnsafeGuaranteedRef { entity in
        if entity.keepsValues, let row = delete.pointee.last ?? delete.pointee.base {
          history.keepValues(tombstone(of: row, entity, history))
        }
        history.note(.delete, entity: entity.number, primaryKey(delete.pointee.key))
      }
    }
    try finishHistory(stamp())
  }

  private func tombstone(of row: Row, _ entity: EntityLayout, _ history: HistoryWriter) -> [SQLValue] {
    let table = schema.table(entity)
    return history.schema.tombstone(entity).map { property in
      let value = KeptValue()
      ColumnBinding(table.column(property), crossing).write(row[property.index], to: value)
      return value.value
    }
  }

  /// Writes the noted changes, with the derived attributes and the places of members that changed on the way.
  func finishHistory(_ stamp: HistoryStamp) throws {
    guard let history else { return }
    for entry in statements.order.removeMoved() {
      var moved = PropertyMask.empty
      moved.insert(entry.toOne.index)
      try note(root: entry.toOne.owner.rootNumber, primaryKey(entry.member), history) { entity in
        history.schema.columns(.empty, of: entity, moved: moved)
      }
    }
    if !derivedValues.isEmpty {
      // In the order of keys, so that equal saves are equal histories.
      for (root, keys) in derivedValues.keys.sorted(by: { $0.key < $1.key }) {
        for key in keys.sorted() {
          let changed = derivedValues.properties(root: root, key: key)
          try note(root: root, key, history) { history.schema.columns(changed, of: $0) }
        }
      }
    }
    try history.write(stamp)
  }

  /// Notes a row of which only the number of its root entity is known.
  private func note(
    root: Int, _ primaryKey: Int64, _ history: HistoryWriter, _ columns: (EntityLayout) -> [UInt8]
  ) throws {
    guard let table = schema.tables[root] else { return }
    let find = try connection.cachedForChecks("SELECT Z_ENT FROM \(table.name) WHERE Z_PK = ?1")
    defer { find.reset() }
    find.bind(primaryKey, at: 1)
    guard try find.step(), let entity = schema.model.entity(number: Int(find.int64(at: 0))) else { return }
    history.noteFurtherUpdate(of: entity, primaryKey, columns(entity))
  }

  // MARK: Batch requests

  /// Columns that a statement that deletes rows of a table gives behind key and entity, for the history.
  func tombstoneColumns(_ table: TableSchema) -> String {
    guard let history else { return "" }
    let properties = table.root.family.flatMap(history.schema.tombstone)
    return Set(properties.map { table.column($0).name }).sorted().map { ", \($0)" }.joined()
  }

  /// Notes a row that such a statement has deleted.
  func noteDeletion(_ statement: Statement, _ table: TableSchema, _ entity: EntityLayout) {
    guard let history else { return }
    let tombstone = history.schema.tombstone(entity).map { property in
      let name = table.column(property).name
      let position = (2..<Int32(statement.columnCount)).first { statement.columnName(at: $0) == name }
      return position.map { SQLValue(statement, at: $0) } ?? .null
    }
    history.keepValues(tombstone)
    history.note(.delete, entity: entity.number, statement.int64(at: 0))
  }

  /// Notes a row of which a batch request has written some properties, and may write others.
  func noteBatchUpdate(_ entity: EntityLayout, _ primaryKey: Int64, _ changed: PropertyMask) {
    guard let history else { return }
    history.noteFurtherUpdate(of: entity, primaryKey, history.schema.columns(changed, of: entity))
  }
}

extension SQLValue {
  /// A copy of a column's value.
  init(_ values: some ColumnValues, at index: Int32) {
    self =
      switch values.storage(at: index) {
      case .null: .null
      case .integer: .integer(values.int64(at: index))
      case .real: .real(values.double(at: index))
      case .text: .text(values.string(at: index))
      case .blob: .blob(values.withBytes(at: index) { [UInt8]($0) })
      }
  }
}
