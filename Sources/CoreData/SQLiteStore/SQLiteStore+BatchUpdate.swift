import SQLite

/// One property that a batch update sets.
struct BatchAssignment {
  /// What it gets.
  enum Value {
    case constant(Slot)
    /// Of the row as it was before.
    case expression(ResolvedExpression)
  }

  let property: PropertyLayout
  let value: Value
}

extension SQLiteStore {
  /// Sets properties of the rows selected, and raises their versions.
  func batchUpdate(
    _ entity: EntityLayout, _ selection: BatchSelection, _ assignments: [BatchAssignment], wantsIDs: Bool
  ) throws -> BatchOutcome {
    try batch { changes in
      for assignment in assignments {
        if case .constant(.reference(let reference)) = assignment.value, !tag.owns(reference.key) {
          throw NSError.coreData(
            NSManagedObjectReferentialIntegrityError,
            "A batch update cannot let \(entity.name).\(assignment.property.name) of objects in \(place.label) lead to an "
              + "object of another store; set affectedStores.")
        }
      }
      var query = StoreQuery(entity: entity)
      switch selection {
      case .query(let found): query = found
      case .objects(let find):
        let keys = try find().map { Slot.reference(RowReference(key: $0.key, entity: 0)) }
        query.predicate = .membership(.object(0), ConstantSet(keys), [])
      }
      let generated = update(query, assignments)
      var outcome = BatchOutcome()
      let statement = try connection.cached(generated.sql)
      generated.bind(to: statement, tag)
      try forEachRow(of: statement) { key, layout in
        changes.noteUpdate(RowIdentity(key: key, layout: layout))
        outcome.count += 1
        if wantsIDs { outcome.objectIDs.append(objectID(key, layout)) }
      }
      return outcome
    }
  }

  /// The rows are all found, and their new values computed, before the first is changed.
  private func update(_ query: StoreQuery, _ assignments: [BatchAssignment]) -> GeneratedSQL {
    let table = schema.table(query.entity)
    var selected: [ResolvedExpression] = [.object(0)]
    var constants: [(column: String, slot: Slot)] = []
    var computed: [(column: String, position: Int)] = []
    for assignment in assignments {
      switch assignment.value {
      case .constant(let slot): constants += table.values(of: assignment.property, slot)
      case .expression(let expression):
        computed.append((table.column(assignment.property).name, selected.count))
        selected.append(expression)
      }
    }
    var rows = SQLGenerator(schema: schema).select(columns: selected, query)
    var settings: [String] = []
    for (column, slot) in constants {
      rows.parameters.append(.slot(slot))
      settings.append("\(column) = ?\(rows.parameters.count)")
    }
    let names = selected.indices.map { "c\($0)" }
    for (column, position) in computed { settings.append("\(column) = s.\(names[position])") }
    settings.append("Z_OPT = Z_OPT + 1")
    let source =
      computed.isEmpty
      ? "WHERE Z_PK IN (\(rows.sql))"
      : "FROM s WHERE \(table.name).Z_PK = s.c0"
    // Materialised: a row's new value may depend on rows that are changed before it.
    let with =
      computed.isEmpty ? "" : "WITH s(\(names.joined(separator: ", "))) AS MATERIALIZED (\(rows.sql)) "
    rows.sql =
      "\(with)UPDATE \(table.name) SET \(settings.joined(separator: ", ")) \(source) RETURNING Z_PK, Z_ENT"
    return rows
  }
}

extension TableSchema {
  /// The columns of a property, each with what it gets.
  fileprivate func values(of property: PropertyLayout, _ value: Slot) -> [(column: String, slot: Slot)] {
    columns.filter { $0.property === property }.map { column in
      switch (column.codec, value) {
      case (.order, _): (column.name, .null)
      case (.keyEntity, .reference(let reference)): (column.name, .integer(Int64(reference.entity)))
      case (_, let value): (column.name, value.stored)
      }
    }
  }
}

extension Slot {
  /// The value as a column has it: a URL and a decimal as text.
  fileprivate var stored: Slot {
    guard case .boxed(let box) = self else { return self }
    switch box.value {
    case let url as URL: return .string(url.absoluteString)
    case let decimal as Decimal: return .string("\(decimal)")
    default: preconditionFailure("a slot holds a \(type(of: box.value)), which no column can")
    }
  }
}
