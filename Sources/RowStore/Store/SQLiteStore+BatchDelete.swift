import Foundation
import SQLite

extension SQLiteStore {
  /// Deletes the rows selected under the delete rules of their relationships.
  ///
  /// - Returns: of the rows selected, not of those that cascades took along.
  /// - Throws: 1600 where a deny rule forbids it, 134050 where a relationship that is not optional would be left empty.
  package func batchDelete(
    _ entity: EntityLayout, _ selection: BatchSelection, wantsRows: Bool, by stamp: HistoryStamp
  ) throws -> OpenBatch {
    try batch(by: stamp) { changes in
      var result = BatchResult()
      func note(_ key: Int64, _ layout: EntityLayout) {
        result.count += 1
        if wantsRows { result.add(key, layout) }
      }
      if case .query(let query) = selection, entity.family.allSatisfy(\.relationships.isEmpty) {
        let rows = SQLGenerator(schema: schema).select("t0.Z_PK", query)
        let table = schema.table(entity)
        let delete = try connection.cached(
          "DELETE FROM \(table.name) WHERE Z_PK IN (\(rows.sql)) RETURNING Z_PK, Z_ENT\(tombstoneColumns(table))")
        rows.bind(to: delete, tag)
        try forEachRow(of: delete) { key, layout in
          changes.note(RowIdentity(key: key, layout: layout))
          noteDeletion(delete, table, layout)
          note(key, layout)
        }
        return result
      }
      let deletion = try BatchDeletion(self)
      try deletion.select(entity, selection)
      try forEachRow(of: connection.cached(deletion.selected), note)
      try deletion.carryOut(&changes)
      return result
    }
  }
}

/// Deletes rows under their delete rules, set by set; inside a transaction.
///
/// The rows to delete are listed in a temporary table of the connection.
private struct BatchDeletion {
  private static let doomed = "temp.Z_DOOMED"

  private let store: SQLiteStore
  private let relationships: [PropertyLayout]

  package init(_ store: SQLiteStore) throws {
    self.store = store
    relationships = store.schema.model.entities.flatMap { entity in
      entity.relationships.filter { $0.owner === entity && !$0.isTransient }
    }
    // Level 0 was selected; rows that a cascade finds among level *n* are of level *n* + 1.
    try store.connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS Z_DOOMED "
        + "(Z_ROOT INTEGER, Z_PK INTEGER, Z_ENT INTEGER, Z_LEVEL INTEGER, PRIMARY KEY (Z_ROOT, Z_PK)) WITHOUT ROWID")
    try store.connection.execute("DELETE FROM \(Self.doomed)")
  }

  /// A query for the selected rows.
  var selected: String { "SELECT Z_PK, Z_ENT FROM \(Self.doomed) WHERE Z_LEVEL = 0 ORDER BY Z_PK" }

  func select(_ entity: EntityLayout, _ selection: BatchSelection) throws {
    let insert = "INSERT OR IGNORE INTO \(Self.doomed) SELECT \(entity.rootNumber), Z_PK, Z_ENT, 0 FROM"
    switch selection {
    case .query(let query):
      let rows = SQLGenerator(schema: store.schema).select("t0.Z_PK, t0.Z_ENT", query)
      let statement = try store.connection.cached("\(insert) (\(rows.sql))")
      rows.bind(to: statement, store.tag)
      try statement.run()
    case .keys(let find):
      let statement = try store.connection.cached("\(insert) \(table(entity)) WHERE Z_PK = ?")
      for key in try find() where store.tag.owns(key) {
        statement.bind(store.primaryKey(key), at: 1)
        try statement.run()
      }
    }
  }

  package func carryOut(_ changes: inout BatchChanges) throws {
    try cascade()
    for property in relationships where property.relation.deleteRule == .deny { try deny(property) }
    try nullify(&changes)
    for join in store.schema.joins { try clear(join) }
    for property in relationships where property.relation.isToMany && property.relation.inverse == nil {
      try release(property)
    }
    for table in store.schema.orderedTables {
      let delete = try store.connection.cached(
        "DELETE FROM \(table.name) WHERE Z_PK IN (\(keys(table.root))) RETURNING Z_PK, Z_ENT"
          + store.tombstoneColumns(table))
      try store.forEachRow(of: delete) { key, layout in
        changes.note(RowIdentity(key: key, layout: layout))
        store.noteDeletion(delete, table, layout)
      }
    }
    try run("DELETE FROM \(Self.doomed)")
  }

  // MARK: Rules

  private func cascade() throws {
    let cascades = relationships.filter { $0.relation.deleteRule == .cascade }
    var level = 0
    var isGrowing = !cascades.isEmpty
    while isGrowing {
      isGrowing = false
      for property in cascades {
        let destination = property.relation.destination
        try run(
          "INSERT OR IGNORE INTO \(Self.doomed) SELECT \(destination.rootNumber), t.Z_PK, t.Z_ENT, \(level + 1) "
            + "FROM \(pairs(property)) CROSS JOIN \(table(destination)) t ON t.Z_PK = e.target "
            + "WHERE \(isOwner(property)) AND d.Z_LEVEL = \(level)")
        if store.connection.changedRows > 0 { isGrowing = true }
      }
      level += 1
    }
  }

  private func deny(_ property: PropertyLayout) throws {
    precondition(property.relation.deleteRule == .deny, "only a relationship with that rule denies a deletion")
    let destination = property.relation.destination
    let obstacle = try store.connection.cached(
      "SELECT d.Z_PK, d.Z_ENT, t.Z_PK, t.Z_ENT FROM \(pairs(property)) "
        + "CROSS JOIN \(table(destination)) t ON t.Z_PK = e.target "
        + "WHERE \(isOwner(property)) AND t.Z_PK NOT IN (\(keys(destination))) LIMIT 1")
    try store.forEachRow(of: obstacle) { key, layout in
      let other = store.schema.model.entity(number: Int(obstacle.int64(at: 3))) ?? destination
      throw NSError.coreData(
        StoreErrorCode.deniedDelete,
        "\(store.identity.uri(key, layout)) cannot be deleted: \(property.name) still has "
          + "\(store.identity.uri(store.tag.key(obstacle.int64(at: 2)) ?? key, other)). Nothing was deleted.",
        userInfo: [StoreErrorKey.validationKey: property.name])
    }
  }

  /// A to-one relationship that may lead to a row to delete.
  private struct Reference {
    let inverse: PropertyLayout
    /// The condition, in SQL, on rows that lead to a row to delete.
    var condition: String
  }

  /// Rows that stay lead nowhere where they led to one that goes; each counts as changed once, however many of its
  /// relationships did.
  private func nullify(_ changes: inout BatchChanges) throws {
    var references: [(table: TableSchema, references: [Reference])] = []
    for property in relationships where property.relation.deleteRule == .nullify {
      guard let inverse = property.relation.inverse, inverse.isStored else { continue }
      if inverse.relation.isToMany {
        if inverse.isMandatory { try requireOther(property, inverse) }
        continue
      }
      let table = store.schema.table(property.relation.destination)
      let condition = "\(table.column(inverse).name) IN (\(keys(property.owner)))"
      if inverse.isMandatory { try requireNone(inverse, table, condition) }
      let place = references.firstIndex { $0.table === table } ?? references.count
      if place == references.count { references.append((table, [])) }
      if let known = references[place].references.firstIndex(where: { $0.inverse === inverse }) {
        references[place].references[known].condition += " OR \(condition)"
      } else {
        references[place].references.append(Reference(inverse: inverse, condition: condition))
      }
    }
    for (table, references) in references { try clear(references, in: table, &changes) }
  }

  private func clear(_ references: [Reference], in table: TableSchema, _ changes: inout BatchChanges) throws {
    precondition(!references.isEmpty, "some references to deleted rows are cleared")
    let conditions = references.map { "(\($0.condition))" }
    let rows = "(\(conditions.joined(separator: " OR "))) AND Z_PK NOT IN (\(keys(table.root)))"
    let select = try store.connection.cached(
      "SELECT Z_PK, Z_ENT, \(conditions.joined(separator: ", ")) FROM \(table.name) WHERE \(rows)")
    try store.forEachRow(of: select) { key, layout in
      var changed = PropertyMask.empty
      for (place, reference) in references.enumerated() where select.int64(at: Int32(place + 2)) != 0 {
        changed.insert(reference.inverse.index)
      }
      changes.note(RowIdentity(key: key, layout: layout))
      store.noteBatchUpdate(layout, store.primaryKey(key), changed)
    }
    precondition(references.count == conditions.count, "each reference has its condition")
    let columns = zip(references, conditions).flatMap { reference, condition in
      table.columns.filter { $0.property === reference.inverse }.map {
        "\($0.name) = CASE WHEN \(condition) THEN NULL ELSE \($0.name) END, "
      }
    }
    try run("UPDATE \(table.name) SET \(columns.joined())Z_OPT = Z_OPT + 1 WHERE \(rows)")
  }

  /// Checks that no row that stays loses the target of a mandatory to-one relationship.
  private func requireNone(_ inverse: PropertyLayout, _ table: TableSchema, _ condition: String) throws {
    precondition(inverse.isMandatory, "a reference may be left empty unless it is mandatory")
    let left = try store.connection.cached(
      "SELECT Z_PK, Z_ENT FROM \(table.name) WHERE \(condition) AND Z_PK NOT IN (\(keys(table.root))) LIMIT 1")
    try store.forEachRow(of: left) { key, layout in throw leavesEmpty(inverse, store.identity.uri(key, layout)) }
  }

  /// Checks that every object that loses members of a mandatory to-many relationship has one that stays.
  private func requireOther(_ property: PropertyLayout, _ inverse: PropertyLayout) throws {
    precondition(inverse.isMandatory, "the last member may leave unless one is needed")
    let destination = property.relation.destination
    let left = try store.connection.cached(
      "SELECT t.Z_PK, t.Z_ENT FROM \(pairs(property)) CROSS JOIN \(table(destination)) t ON t.Z_PK = e.target "
        + "WHERE \(isOwner(property)) AND t.Z_PK NOT IN (\(keys(destination))) AND NOT EXISTS "
        + "(SELECT 1 FROM (\(edges(inverse))) o WHERE o.source = t.Z_PK AND o.target NOT IN (\(keys(property.owner)))) "
        + "LIMIT 1")
    try store.forEachRow(of: left) { key, layout in throw leavesEmpty(inverse, store.identity.uri(key, layout)) }
  }

  private func leavesEmpty(_ property: PropertyLayout, _ id: String) -> NSError {
    let reason = "\(property.owner.name).\(property.name) is not optional, and \(id) would be left without it."
    return NSError.coreData(
      StoreErrorCode.saveConflicts, reason + " Nothing was deleted.",
      userInfo: [NSLocalizedFailureReasonErrorKey: reason, StoreErrorKey.validationKey: property.name])
  }

  private func clear(_ join: JoinSchema) throws {
    let other = join.owner.relation.destination
    try run(
      "DELETE FROM \(join.name) WHERE \(join.ownerColumn) IN (\(keys(join.owner.owner))) "
        + "OR \(join.memberColumn) IN (\(keys(other)))")
  }

  /// Members of a relationship without inverse, which their rows know nothing of, no longer have their owner's key.
  private func release(_ property: PropertyLayout) throws {
    precondition(
      property.relation.isToMany && property.relation.inverse == nil,
      "members without an inverse have the key of their owner")
    let place = store.schema.members(property)
    let columns = [place.owner, place.order].compactMap { $0 }.map { "\($0) = NULL" }.joined(separator: ", ")
    try run("UPDATE \(place.table) SET \(columns) WHERE \(place.owner) IN (\(keys(property.owner)))")
  }

  // MARK: SQL

  private func run(_ sql: String) throws { try store.connection.cached(sql).run() }

  private func table(_ entity: EntityLayout) -> String { store.schema.table(entity).name }

  /// The keys of the rows to delete that are of an entity's hierarchy: keys are unique there.
  private func keys(_ entity: EntityLayout) -> String {
    "SELECT Z_PK FROM \(Self.doomed) WHERE Z_ROOT = \(entity.rootNumber)"
  }

  /// The rows to delete as `d`, with the other sides of a relationship as `e`.
  private func pairs(_ property: PropertyLayout) -> String {
    "\(Self.doomed) d CROSS JOIN (\(edges(property))) e ON e.source = d.Z_PK"
  }

  private func isOwner(_ property: PropertyLayout) -> String { "d.Z_ROOT = \(property.owner.rootNumber)" }

  /// Keys of owners (`source`) and of the objects their relationship leads to (`target`).
  private func edges(_ property: PropertyLayout) -> String {
    if property.relation.isToMany {
      let place = store.schema.members(property)
      return "SELECT \(place.owner) AS source, \(place.member) AS target FROM \(place.table) "
        + "WHERE \(place.owner) IS NOT NULL"
    }
    let column = store.schema.table(property.owner).column(property).name
    return "SELECT Z_PK AS source, \(column) AS target FROM \(table(property.owner)) WHERE \(column) IS NOT NULL"
  }
}
