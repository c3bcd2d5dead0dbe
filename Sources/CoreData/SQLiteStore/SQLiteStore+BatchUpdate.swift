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
      var parameters: [Slot] = []
      var columns: [String] = []
      for assignment in assignments {
        if case .reference(let reference) = assignment.value, !tag.owns(reference.key) {
          throw NSError.coreData(
            NSManagedObjectReferentialIntegrityError,
            "A batch update cannot let \(entity.name).\(assignment.property.name) of objects in \(place.label) lead to an "
              + "object of another store; set affectedStores.")
        }
        for (column, slot) in table.values(of: assignment) {
          columns.append("\(column) = ?")
          parameters.append(slot)
        }
      }
      let update = "UPDATE \(table.name) SET \((columns + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", "))"
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
        let rows = SQLGenerator(schema: schema).select("t0.Z_PK", query)
        try run(
          GeneratedSQL(sql: "\(update) WHERE Z_PK IN (\(rows.sql))", parameters: parameters + rows.parameters))
      case .objects(let find):
        for id in try find() where tag.owns(id.key) {
          try run(
            GeneratedSQL(sql: "\(update) WHERE Z_PK = ?", parameters: parameters + [.integer(primaryKey(id.key))]))
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
