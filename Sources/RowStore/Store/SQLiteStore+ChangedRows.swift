import SQLite

extension SQLiteStore {
  // MARK: Rows that are there already

  /// False when a row is not as it was read.
  func delete(_ deletes: ContiguousArray<SavePlan.Delete>) throws -> Bool {
    guard !deletes.isEmpty else { return true }
    // By the number of the root entity.
    var wanted = [ContiguousArray<RowScan.Wanted>](repeating: [], count: schema.model.entities.count + 1)
    var index = 0
    try deletes.forEachInPlace { delete in
      // Without a version the row was gone when it was deleted. One that came back since is another object's.
      if let version = delete.pointee.version, delete.pointee.key > 0 {
        if delete.pointee.hasMemberships { try clearMemberships(delete.pointee) }
        wanted[delete.pointee.rootNumber].append(
          RowScan.Wanted(primaryKey: primaryKey(delete.pointee.key), version: version, index: index))
      }
      index += 1
    }
    for table in schema.orderedTables where !wanted[table.root.number].isEmpty {
      guard try self.delete(&wanted[table.root.number], of: table) else { return false }
    }
    return true
  }

  private func delete(_ wanted: inout ContiguousArray<RowScan.Wanted>, of table: TableSchema) throws -> Bool {
    precondition(!wanted.isEmpty, "some rows of the table are deleted")
    let writer = try statements.delete(table)
    let (together, alone) = schema.derived.isEmpty ? RowScan.stretches(&wanted) : ([], wanted)
    if together == [wanted.indices], try statements.scan.clear(writer.all, of: wanted) { return true }
    guard try statements.scan.run(writer.together, together, of: wanted) else { return false }
    for row in alone {
      writer.alone.bind(row.primaryKey, at: 1)
      writer.alone.bind(row.version, at: 2)
      try writer.alone.run()
      guard connection.changedRows == 1 else { return false }
    }
    return true
  }

  private func clearMemberships(_ delete: SavePlan.Delete) throws {
    for property in delete.layout.relationships {
      let clear: Statement
      if let join = schema.join(property) {
        // Where the relationship is its own inverse, the table has each pair twice.
        if property.relation.inverse === property {
          let other = try statements.clearJoin(join, isOwner: false)
          other.bind(primaryKey(delete.key), at: 1)
          try other.run()
        }
        clear = try statements.clearJoin(join, isOwner: property === join.owner)
      } else if property.relation.isToMany, property.relation.inverse == nil, property.isStored {
        clear = try statements.clearMemberships(schema.members(property))
      } else {
        continue
      }
      clear.bind(primaryKey(delete.key), at: 1)
      try clear.run()
    }
  }

  /// False when a row is not as it was read.
  func update(_ updates: ContiguousArray<SavePlan.Update>, _ keys: KeyTable) throws -> Bool {
    var writers: [WriterStatements.EntityUpdate] = []
    defer { for writer in writers { writer.wanted = [] } }
    // One of `writers`, without a reference counted for each row.
    var writer: Unmanaged<WriterStatements.EntityUpdate>?
    var index = 0
    try updates.forEachInPlace { update in
      if writer?._withUnsafeGuaranteedRef({ $0.writes(update) }) != true {
        let other = try statements.update(update.pointee)
        if other.wanted.isEmpty { writers.append(other) }
        writer = .passUnretained(other)
      }
      let row = RowScan.Wanted(
        primaryKey: primaryKey(update.pointee.key), version: update.pointee.version, index: index)
      writer?._withUnsafeGuaranteedRef { $0.wanted.append(row) }
      index += 1
    }
    for writer in writers {
      guard try write(writer, updates, keys) else { return false }
    }
    return true
  }

  private func write(
    _ writer: WriterStatements.EntityUpdate, _ updates: ContiguousArray<SavePlan.Update>, _ keys: KeyTable
  ) throws -> Bool {
    precondition(!writer.wanted.isEmpty, "a statement updates at least one row")
    // Numbers of members are of one row each, and triggers read the new values of the rows before.
    guard writer.orders.isEmpty, schema.derived.isEmpty else {
      return try writer.wanted.allSatisfy { try self.update(updates[$0.index], by: writer, keys) }
    }
    let (together, alone) = RowScan.stretches(&writer.wanted)
    let isAsRead = try statements.scan.run(
      writer.together, together, of: writer.wanted, updates, writer.bindings, keys)
    guard isAsRead else { return false }
    return try alone.allSatisfy { try update(updates[$0.index], by: writer, keys) }
  }

  /// True when the row was as expected.
  private func update(
    _ update: SavePlan.Update, by writer: WriterStatements.EntityUpdate, _ keys: KeyTable
  ) throws -> Bool {
    let row = Unmanaged.passUnretained(update.row)
    let values = row._withUnsafeGuaranteedRef { $0.values }
    let statement = writer.alone
    withUnsafePointer(to: keys) { keys in
      for (position, binding) in writer.bindings.enumerated() {
        binding.write(values, of: row, owner: update.key, keys, to: Parameter(Int32(position) + 1, of: statement))
      }
    }
    var next = Int32(writer.bindings.count) + 1
    if !writer.orders.isEmpty {
      try bindOrders(update, writer.orders, keys, to: statement, from: next)
      next += Int32(writer.orders.count)
    }
    statement.bind(update.version + 1, at: next)
    statement.bind(primaryKey(update.key), at: next + 1)
    statement.bind(update.version, at: next + 2)
    try statement.run()
    return connection.changedRows == 1
  }
}
