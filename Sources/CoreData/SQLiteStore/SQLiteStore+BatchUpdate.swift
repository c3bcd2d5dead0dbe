import SQLite

/// One property that a batch update sets.
struct BatchAssignment {
  let property: PropertyLayout
  let value: Slot
}

extension SQLiteStore {
  /// Sets properties of the rows selected, and raises their versions.
  ///
  /// - Returns: the IDs only `ifWanted`.
  func batchUpdate(
    _ entity: EntityLayout, _ selection: BatchSelection, _ assignments: [BatchAssignment], wantsIDs: Bool
  ) throws -> BatchOutcome {
    try batch { changes in
      let table = schema.table(entity)
      for assignment in assignments {
        if case .reference(let reference) = assignment.value, !tag.owns(reference.key) {
          throw NSError.coreData(
            NSManagedObjectReferentialIntegrityError,
            "A batch update cannot let \(entity.name).\(assignment.property.name) of objects in \(place.label) lead to an "
              + "object of another store; set affectedStores.")
        }
      }
      let values = assignments.flatMap { table.values(of: $0) }
      /// The update of the rows whose keys are given, whose parameters are numbered from 1.
      func update(_ keys: GeneratedSQL) -> GeneratedSQL {
        let settings = values.enumerated().map { "\($1.column) = ?\(keys.parameters.count + $0 + 1)" }
        let sql = "UPDATE \(table.name) SET \((settings + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", "))"
        return GeneratedSQL(
          sql: "\(sql) WHERE Z_PK IN (\(keys.sql))", parameters: keys.parameters + values.map { .slot($0.slot) })
      }
      var outcome = BatchOutcome()
      func run(_ generated: GeneratedSQL) throws {
        let statement = try connection.cached(generated.sql + " RETURNING Z_PK, Z_ENT")
        generated.bind(to: statement, tag)
        try forEachRow(of: statement) { key, layout in
          changes.noteUpdate(RowIdentity(key: key, layout: layout))
          outcome.count += 1
          if wantsIDs { outcome.objectIDs.append(objectID(key, layout)) }
        }
      }
      switch selection {
      case .query(let query):
        try run(update(SQLGenerator(schema: schema).select("t0.Z_PK", query)))
      case .objects(let find):
        for id in try find() where tag.owns(id.key) {
          try run(update(GeneratedSQL(sql: "?1", parameters: [.slot(.integer(primaryKey(id.key)))])))
        }
      }
      return outcome
    }
  }
}

extension TableSchema {
  /// The columns of a property, each with what it gets.
  fileprivate func values(of assignment: BatchAssignment) -> [(column: String, slot: Slot)] {
    columns.filter { $0.property === assignment.property }.map { column in
      switch (column.codec, assignment.value) {
      case (.order, _): (column.name, .null)
      case (.keyEntity, .reference(let reference)): (column.name, .integer(Int64(reference.entity)))
      case (_, let value): (column.name, value.comparable)
      }
    }
  }
}
