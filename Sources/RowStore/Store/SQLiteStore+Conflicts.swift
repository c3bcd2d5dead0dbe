import SQLite

extension SQLiteStore {
  // MARK: Versions

  /// The rows of a plan that are not as they were read, those that it only checks last; in the transaction that will write.
  package func staleRows(_ plan: SavePlan) throws -> [StaleRow] {
    var stale: [StaleRow] = []
    for (index, update) in plan.updates.enumerated() {
      if let conflict = try conflict(update.base, update.key, at: .update(index)) { stale.append(conflict) }
    }
    for (index, insert) in plan.inserts.enumerated() where insert.isReturning {
      if let row = try storedRow(insert.key, insert.row.layout) {
        stale.append(StaleRow(place: .insert(index), row: row, isPersisted: false))
      }
    }
    for (index, delete) in plan.deletes.enumerated() where delete.key > 0 {
      if let base = delete.base, let conflict = try conflict(base, delete.key, at: .delete(index)) {
        stale.append(conflict)
      }
    }
    for (index, row) in plan.locked.enumerated() {
      if let conflict = try conflict(row, row.key, at: .locked(index)) { stale.append(conflict) }
    }
    return stale
  }

  /// The conflict of a row that was read as `base`; nil when the row is still that.
  package func conflict(_ base: Row, _ key: Int64, at place: SavePlan.Place) throws -> StaleRow? {
    let row = try storedRow(key, base.layout)
    if let row, row.version == base.version { return nil }
    // The cache still lists the version this context read: then it was not this coordinator that wrote.
    let cached = cache.row(base.identity)
    // Values that a policy takes from the file now may be newer than those that the cache would give out afterwards.
    if let cached, cached.version != row?.version { cache.drop([key], root: base.layout) }
    return StaleRow(place: place, row: row, isPersisted: cached?.version == base.version && row != nil)
  }

  private func storedRow(_ key: Int64, _ layout: EntityLayout) throws -> Row? {
    let reader = readersByRoot[layout.root.number]!
    let statement = try connection.cached(
      "SELECT \(reader.selection) FROM \(schema.table(layout).name) t0 WHERE t0.Z_PK = ?")
    defer { statement.reset() }
    statement.bind(primaryKey(key), at: 1)
    let row = try statement.step() ? reader.row(statement) : nil
    // One of another entity is another object's.
    guard let row, row.layout.isKind(of: layout) else { return nil }
    row.freeze()
    return row
  }

  // MARK: Uniqueness

  /// The rows of a plan that a constraint does not allow side by side, each group with the row of the store that has its
  /// values.
  package func collidingRows(_ plan: SavePlan) throws -> [CollidingRows] {
    var collisions: [CollidingRows] = []
    for table in schema.orderedTables {
      for constraint in table.constraints { collisions += try self.collisions(constraint, table, plan) }
    }
    return collisions
  }

  private func collisions(
    _ constraint: ConstraintLayout, _ table: TableSchema, _ plan: SavePlan
  ) throws -> [CollidingRows] {
    // Rows that will not have their values any more.
    var leaving = Set(plan.deletes.map(\.identity))
    var order: [[Slot]] = []
    var claims: [[Slot]: [SavePlan.Place]] = [:]
    func claim(_ row: Row, _ place: SavePlan.Place) {
      guard let values = constraint.values(of: row) else { return }
      if claims[values] == nil { order.append(values) }
      claims[values, default: []].append(place)
    }
    for (index, insert) in plan.inserts.enumerated() where insert.row.layout.isKind(of: constraint.reach) {
      claim(insert.row, .insert(index))
    }
    for (index, update) in plan.updates.enumerated() where update.row.layout.isKind(of: constraint.reach) {
      guard constraint.originals.contains(where: { update.mask.contains($0.index) }) else { continue }
      leaving.insert(update.identity)
      claim(update.row, .update(index))
    }
    return try order.compactMap { values in
      let places = claims[values] ?? []
      let row = try holder(of: values, constraint, table, besides: leaving)
      guard row != nil || places.count > 1 else { return nil }
      return CollidingRows(constraint: constraint, row: row, places: places)
    }
  }

  /// The row that has the values of a constraint.
  private func holder(
    of values: [Slot], _ constraint: ConstraintLayout, _ table: TableSchema, besides leaving: Set<RowIdentity>
  ) throws -> Row? {
    precondition(values.count == constraint.properties.count, "a constraint has a value for each of its properties")
    guard let reader = readersByRoot[table.root.number] else { return nil }
    let columns = constraint.properties.map { table.column($0) }
    let conditions = columns.map { "t0.\($0.name) = ?" }.joined(separator: " AND ")
    let statement = try connection.cached("SELECT \(reader.selection) FROM \(table.name) t0 WHERE \(conditions)")
    defer { statement.reset() }
    for (position, value) in values.enumerated() {
      ColumnBinding(columns[position], crossing).write(value, to: Parameter(Int32(position) + 1, of: statement))
    }
    while try statement.step() {
      guard let row = try reader.row(statement) else { continue }
      row.freeze()
      if !leaving.contains(row.identity) { return row }
    }
    return nil
  }
}
