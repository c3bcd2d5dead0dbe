import SQLite

extension SQLiteStore {
  // MARK: Versions

  /// Objects whose rows are not as they were read; in the transaction that will write.
  func findConflicts(_ changes: ChangeLists) throws -> [NSMergeConflict] {
    var conflicts: [NSMergeConflict] = []
    for object in changes.updated where !object.maskToWrite.isEmpty {
      if let conflict = try conflict(of: object) { conflicts.append(conflict) }
    }
    for object in changes.inserted where object.key > 0 && object.lastVersion > 0 {
      if let row = try storedRow(of: object) { conflicts.append(NSMergeConflict(object, row: row, isPersisted: false)) }
    }
    for object in changes.deleted where object.key > 0 {
      if let conflict = try conflict(of: object) { conflicts.append(conflict) }
    }
    return conflicts
  }

  /// The same of unchanged objects that `detectConflicts(for:)` named.
  func findLockConflicts(_ context: NSManagedObjectContext) throws -> [NSMergeConflict] {
    try context.held.locked.filter { !$0.state.isDirty && $0.key > 0 && tag.owns($0.key) }
      .compactMap(conflict)
  }

  private func conflict(of object: NSManagedObject) throws -> NSMergeConflict? {
    guard let snapshot = object.snapshot else { return nil }
    let row = try storedRow(of: object)
    if let row, row.version == snapshot.version { return nil }
    // The cache still lists the version this context read: then it was not this coordinator that wrote.
    let cached = cache.row(snapshot.identity)
    // What a policy may take from the file now is newer than what the cache would give out afterwards.
    if let cached, cached.version != row?.version { cache.drop([object.key], root: object.layout) }
    return NSMergeConflict(object, row: row, isPersisted: cached?.version == snapshot.version && row != nil)
  }

  private func storedRow(of object: NSManagedObject) throws -> Row? {
    let reader = readersByRoot[object.layout.root.number]!
    let statement = try connection.cached(
      "SELECT \(reader.selection) FROM \(schema.table(object.layout).name) t0 WHERE t0.Z_PK = ?")
    defer { statement.reset() }
    statement.bind(primaryKey(object.key), at: 1)
    let row = try statement.step() ? reader.row(statement) : nil
    row?.freeze()
    return row
  }

  // MARK: Uniqueness

  /// Objects that a constraint does not allow side by side, each with the row of the store that has its values.
  func findConstraintConflicts(
    _ changes: ChangeLists, of context: NSManagedObjectContext
  ) throws -> [NSConstraintConflict] {
    var conflicts: [NSConstraintConflict] = []
    for table in schema.orderedTables {
      for constraint in table.constraints {
        conflicts += try findConflicts(of: constraint, table, changes, context)
      }
    }
    return conflicts
  }

  private func findConflicts(
    of constraint: ConstraintLayout, _ table: TableSchema, _ changes: ChangeLists, _ context: NSManagedObjectContext
  ) throws -> [NSConstraintConflict] {
    // Rows that will not have their values any more.
    var leaving = Set(changes.deleted.map(\.identity))
    var order: [[Slot]] = []
    var claims: [[Slot]: [NSManagedObject]] = [:]
    for object in changes.inserted + changes.updated where object.layout.isKind(of: constraint.owner) {
      if object.snapshot != nil, object.state.contains(.updated) {
        let mask = object.maskToWrite
        guard constraint.properties.contains(where: { mask.contains($0.index) }) else { continue }
        leaving.insert(object.identity)
      }
      guard let values = object.values.flatMap(constraint.values) else { continue }
      if claims[values] == nil { order.append(values) }
      claims[values, default: []].append(object)
    }
    return try order.compactMap { values in
      let objects = claims[values] ?? []
      let row = try holder(of: values, constraint, table, besides: leaving)
      guard row != nil || objects.count > 1 else { return nil }
      let database = row.map(context.object(of:))
      if let database, let row, database.values == nil { database.fill(row) }
      return NSConstraintConflict(constraint, row: row, database: database, objects)
    }
  }

  /// The row that has the values of a constraint.
  private func holder(
    of values: [Slot], _ constraint: ConstraintLayout, _ table: TableSchema, besides leaving: Set<RowIdentity>
  ) throws -> Row? {
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
