import Foundation
import SQLite

/// The differences of a store's file from a model: entities, tables, columns, join tables.
///
/// Version hashes are compared first. Entities with the same hash have the structure of the model; an entity that surely has
/// another hash is of another version, whatever its table looks like. Only where a hash says nothing, the structure decides.
/// Indexes are left out, since a store works without them.
package struct StoreComparison {
  /// Entities numbered above this are the file's own (history, mirroring), no model's.
  private static let largestModelEntity = 16_000

  /// The differences, one sentence part each, sorted; empty when the file fits the model.
  package private(set) var differences: [String] = []

  /// Whether every entity has the version hash that the model gives it.
  private(set) var isSameVersion = false

  package var fits: Bool { differences.isEmpty }

  /// Looks at the file behind `connection`.
  ///
  /// - Parameter hashes: the file's version hashes; nil where it has none that can be compared.
  /// - Throws: `SQLiteError` when it cannot be read.
  package init(_ connection: Connection, schema: StoreSchema, model: any StoredModel, hashes: [String: Data]?) throws {
    var same: Set<Int> = []
    for entity in schema.entities {
      guard let stored = hashes?[entity.name] else { continue }
      if stored == model.versionHash(of: entity) {
        same.insert(entity.number)
      } else if model.isVersionHashVerified(of: entity) {
        differences.append("entity \(entity.name) is of another version: its version hash differs")
      }
    }
    isSameVersion = !schema.entities.isEmpty && same.count == schema.entities.count
    try compareEntities(connection, schema, same)
    for table in schema.orderedTables {
      let columns = table.columns.map { ($0.name, $0.sqlType) }
      let isKnown = table.root.family.allSatisfy { same.contains($0.number) }
      try compare(table.name, columns, label: "entity \(table.root.name)", isKnown: isKnown, connection)
    }
    for join in schema.joins {
      let names =
        [join.ownerColumn, join.memberColumn] + [join.ownerOrderColumn, join.memberOrderColumn].compactMap(\.self)
      try compare(
        join.name, names.map { ($0, "INTEGER") }, label: "relationship \(join.owner.name)", isKnown: false, connection)
    }
    if isSameVersion, !differences.isEmpty {
      differences.append("the version hashes are the model's, so that the file itself was changed or is broken")
      return
    }
    try compareJoinTables(connection, schema)
    differences.sort()
  }

  /// - Parameter same: the numbers of the entities that have the file's version hash.
  private mutating func compareEntities(_ connection: Connection, _ schema: StoreSchema, _ same: Set<Int>) throws {
    let model = schema.model
    var seen: Set<String> = []
    let keys = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
    while try keys.step() {
      let (number, name, parent) = (keys.int64(at: 0), keys.string(at: 1), keys.int64(at: 2))
      // A sub-entity that was renamed keeps its old name here.
      let renamed =
        same.contains(Int(number)) && model.entitiesByName[name] == nil ? model.entity(number: Int(number)) : nil
      guard let entity = model.entitiesByName[name] ?? renamed, schema.tables[entity.rootNumber] != nil else {
        if number <= Self.largestModelEntity { differences.append("entity \(name) is not in the model") }
        continue
      }
      seen.insert(entity.name)
      if number != entity.number { differences.append("entity \(name) has number \(number), not \(entity.number)") }
      if parent != entity.parent?.number ?? 0 {
        let expected = entity.parent.map { "inherits from \($0.name) (\($0.number))" } ?? "inherits from none"
        differences.append("entity \(name) has Z_SUPER \(parent); in the model it \(expected)")
      }
    }
    for entity in schema.entities where !seen.contains(entity.name) {
      differences.append("entity \(entity.name) is missing")
    }
  }

  private mutating func compare(
    _ table: String, _ wanted: [(name: String, type: String)], label: String, isKnown: Bool, _ connection: Connection
  ) throws {
    var types: [String: String] = [:]
    // A view of the name is no table.
    let info = try connection.prepare(
      "SELECT c.name, c.type FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name = ?"
    )
    info.bind(table, at: 1)
    while try info.step() { types[info.string(at: 0)] = info.string(at: 1) }
    guard !types.isEmpty else {
      differences.append("table \(table) of \(label) is missing")
      return
    }
    for column in ["Z_PK", "Z_ENT", "Z_OPT"] where table.hasPrefix("Z_") == false && types[column] == nil {
      differences.append("\(table).\(column) is missing")
    }
    for (name, type) in wanted {
      switch types[name] {
      case nil: differences.append("\(table).\(name) is missing")
      case let found? where found.uppercased() != type:
        differences.append("\(table).\(name) is \(found.isEmpty ? "of no type" : found), not \(type)")
      default: break
      }
    }
    // Of an entity that is the model's, the rest is left over from something else.
    if isKnown { return }
    let known = Set(wanted.map(\.name) + ["Z_PK", "Z_ENT", "Z_OPT"])
    for name in types.keys where !known.contains(name) && !Self.isEntityColumn(name) {
      differences.append("\(table).\(name) is not in the model")
    }
  }

  private mutating func compareJoinTables(_ connection: Connection, _ schema: StoreSchema) throws {
    let known = Set(schema.joins.map(\.name))
    let tables = try connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    while try tables.step() {
      let name = tables.string(at: 0)
      if !known.contains(name) { differences.append("join table \(name) is not in the model") }
    }
  }

  /// Whether a column has the entity of a reference (`Z4_OWNER`): without it the key leads to the same row.
  private static func isEntityColumn(_ name: String) -> Bool {
    let rest = name.dropFirst()
    let digits = rest.prefix { $0.isNumber }
    return name.hasPrefix("Z") && !digits.isEmpty && rest.dropFirst(digits.count).hasPrefix("_")
  }
}
