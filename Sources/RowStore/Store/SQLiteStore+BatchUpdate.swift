import Foundation
import SQLite

/// One property that a batch update sets.
package struct BatchAssignment {
  /// The new value of the property.
  package enum Value {
    case constant(Slot)
    /// Of the row as it was before.
    case expression(ResolvedExpression)
  }

  package let property: PropertyLayout
  package let value: Value

  package init(property: PropertyLayout, value: Value) {
    self.property = property
    self.value = value
  }
}

extension SQLiteStore {
  /// Sets properties of the rows selected, and raises their versions.
  package func batchUpdate(
    _ entity: EntityLayout, _ selection: BatchSelection, _ assignments: [BatchAssignment], wantsRows: Bool,
    by stamp: HistoryStamp
  ) throws -> OpenBatch {
    try batch(by: stamp) { changes in
      for assignment in assignments {
        if case .constant(.reference(let reference)) = assignment.value, !tag.owns(reference.key) {
          throw NSError.coreData(
            StoreErrorCode.referentialIntegrity,
            "A batch update cannot let \(entity.name).\(assignment.property.name) of objects in \(place.label) lead to an "
              + "object of another store; set affectedStores.")
        }
      }
      var query = StoreQuery(entity: entity)
      switch selection {
      case .query(let found): query = found
      case .keys(let find):
        let keys = try find().map { Slot.reference(RowReference(key: $0, entity: 0)) }
        query.predicate = .membership(.object(0), ConstantSet(keys), [])
      }
      let large = assignments.filter(isLarge)
      let update = update(
        query, assignments.map { isLarge($0) ? BatchAssignment(property: $0.property, value: .constant(.null)) : $0 })
      var keys: [Int64] = []
      var changed = PropertyMask.empty
      for assignment in assignments { changed.insert(assignment.property.index) }
      var result = BatchResult()
      let statement = try connection.cached(update.generated.sql)
      update.generated.bind(to: statement, tag)
      for (position, constant) in update.constants.enumerated() {
        let parameter = Parameter(Int32(update.generated.parameters.count + position) + 1, of: statement)
        ColumnBinding(constant.column, crossing).write(constant.slot, to: parameter)
      }
      try forEachRow(of: statement) { key, layout in
        changes.noteUpdate(RowIdentity(key: key, layout: layout))
        history?.noteUpdate(of: layout, primaryKey(key), changed, elsewhere: changed)
        result.count += 1
        if wantsRows { result.add(key, layout) }
        if !large.isEmpty { keys.append(primaryKey(key)) }
      }
      for assignment in large { try setFiles(assignment, entity, keys) }
      for assignment in assignments {
        guard case .constant(.reference(let owner)) = assignment.value else { continue }
        try numberLast(assignment.property, ownedBy: owner.key)
      }
      return result
    }
  }

  /// Whether each row gets a file with the value.
  private func isLarge(_ assignment: BatchAssignment) -> Bool {
    guard case .external? = assignment.property.encoding, files.folder != nil,
      case .constant(.data(let data)) = assignment.value
    else { return false }
    return data.count > ExternalFolder.largestInRow
  }

  /// Rows get one value, each in a file of its own.
  private func setFiles(_ assignment: BatchAssignment, _ entity: EntityLayout, _ keys: [Int64]) throws {
    guard case .constant(var slot) = assignment.value else { return }
    let table = schema.table(entity)
    let update = try connection.cached(
      "UPDATE \(table.name) SET \(table.column(assignment.property).name) = ? WHERE Z_PK = ?")
    for key in keys {
      guard let file = try storeFile(slot, assignment.property) else { continue }
      ExternalReference.bytes(inFile: file.name).withUnsafeBytes { update.bind($0, at: 1) }
      update.bind(key, at: 2)
      try update.run()
      // The next file is another name of this one.
      slot = .boxed(SlotBox(file))
    }
  }

  /// The rows are all found, and their new values computed, before the first is changed.
  ///
  /// - Returns: the constants are bound behind the generated parameters.
  private func update(
    _ query: StoreQuery, _ assignments: [BatchAssignment]
  ) -> (generated: GeneratedSQL, constants: [(column: Column, slot: Slot)]) {
    let table = schema.table(query.entity)
    var selected: [ResolvedExpression] = [.object(0)]
    var constants: [(column: Column, slot: Slot)] = []
    var computed: [(column: String, position: Int)] = []
    for assignment in assignments {
      switch assignment.value {
      case .constant(let slot): constants += table.values(of: assignment.property, slot)
      case .expression(let expression):
        computed.append((table.column(assignment.property).name, selected.count))
        selected.append(expression)
      }
    }
    precondition(
      selected.count == computed.count + 1, "the first column is the key, and each computed value has one behind it")
    var rows = SQLGenerator(schema: schema).select(columns: selected, query)
    var settings: [String] = []
    for (position, constant) in constants.enumerated() {
      let (name, parameter) = (constant.column.name, "?\(rows.parameters.count + position + 1)")
      settings.append("\(name) = \(parameter)")
      // Who is a member already keeps its place.
      if constant.column.codec == .key, let order = table.orderColumn(constant.column.property) {
        settings.append("\(order) = CASE WHEN \(name) IS \(parameter) THEN \(order) END")
      }
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
    return (rows, constants)
  }
}

extension TableSchema {
  /// The columns of a property's value, each with the new one.
  fileprivate func values(of property: PropertyLayout, _ value: Slot) -> [(column: Column, slot: Slot)] {
    columns.filter { $0.property === property && $0.codec != .order }.map { ($0, value) }
  }
}
