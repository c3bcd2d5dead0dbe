import Foundation

extension StoreSchema {
  /// The statements that make an empty store.
  func definition(_ model: any StoredModel) -> [String] {
    var statements: [String] = []
    for table in orderedTables {
      let columns = table.columns.map { ", \($0.name) \($0.sqlType)" }.joined()
      statements.append(
        "CREATE TABLE \(table.name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns) )")
      for column in table.columns where column.codec == .key || column.codec == .ownerKey {
        statements.append("CREATE INDEX \(table.name)_\(column.name)_INDEX ON \(table.name) (\(column.name))")
      }
      for constraint in table.constraints {
        let names = constraint.properties.map { "\(table.column($0).name) COLLATE BINARY ASC" }
        statements.append(
          "CREATE UNIQUE INDEX \(constraint.indexName) ON \(table.name) (\(names.joined(separator: ", ")))")
      }
      if table.hasSubentities {
        statements.append("CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)")
      }
      statements += indexes(table, model)
    }
    for join in joins {
      statements.append(
        "CREATE TABLE \(join.name) ( \(join.ownerColumn) INTEGER, \(join.memberColumn) INTEGER, "
          + [join.ownerOrderColumn, join.memberOrderColumn].compactMap { $0 }.map { "\($0) INTEGER, " }.joined()
          + "PRIMARY KEY (\(join.ownerColumn), \(join.memberColumn)) )")
      statements.append(
        "CREATE INDEX \(join.name)_\(join.memberColumn)_INDEX ON \(join.name) (\(join.memberColumn), \(join.ownerColumn))"
      )
    }
    statements += [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
    for entity in entities {
      statements.append(
        "INSERT INTO Z_PRIMARYKEY VALUES (\(entity.number), '\(entity.name.replacing("'", with: "''"))', \(entity.parent?.number ?? 0), 0)"
      )
    }
    return statements
  }
}
