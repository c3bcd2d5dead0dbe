import SQLite

extension StoreContents {
  /// Reads a store's file after its stack was let go or its process died, without the stack and without writing.
  ///
  /// Holds two arrays of integers an entity; 105,000 rows take about 2 MB.
  ///
  /// - Throws: `Unusable`, when the file cannot be opened, is damaged by SQLite's `integrity_check`, or has not the
  ///   tables and columns of `layout`.
  package init(storeAt path: String, layout: StoreLayout) throws(Unusable) {
    do {
      let connection = try Connection(path: path, mode: .readOnly)
      // Statements refer to their connection without holding it.
      rows = try withExtendedLifetime(connection) {
        let integrity = try connection.string("PRAGMA integrity_check(1)") ?? "no answer"
        guard integrity == "ok" else { throw Unusable("integrity_check: \(integrity)") }
        var rows: [UInt16: EntityRows] = [:]
        for entity in layout.entities { rows[entity.number] = try Self.rows(of: entity, in: connection) }
        return rows
      }
    } catch let error as Unusable {
      throw Unusable("\(path): \(error.reason)")
    } catch {
      throw Unusable("\(path): the store cannot be read: \(error)")
    }
  }

  private static func rows(of entity: EntityLayout, in connection: Connection) throws -> EntityRows {
    let table = quoted(entity.table)
    // With its table's name, because SQLite takes a quoted name that is no column for a text.
    let key = "\(table).\(quoted(entity.keyColumn))"
    let revision = entity.revisionColumn.map { "\(table).\(quoted($0))" } ?? "0"
    let ofEntity = "\(table).Z_ENT = \(entity.number)"
    var keys: [Int64] = []
    var revisions: [Int64] = []
    var keylessCount = 0
    let statement = try connection.prepare("SELECT \(key), \(revision) FROM \(table) WHERE \(ofEntity)")
    while try statement.step() {
      if statement.isNull(at: 0) {
        keylessCount += 1
      } else {
        keys.append(statement.int64(at: 0))
        if entity.revisionColumn != nil { revisions.append(statement.int64(at: 1)) }
      }
    }
    return EntityRows(
      keys: keys, revisions: revisions, keylessCount: keylessCount,
      orphans: try entity.owner.map { owner in
        try orphans(
          """
          SELECT \(key) FROM \(table)
          LEFT JOIN \(quoted(owner.table)) AS owner ON owner.Z_PK = \(table).\(quoted(owner.column))
          WHERE \(ofEntity) AND owner.Z_PK IS NULL
          """, in: connection)
      })
  }

  private static func orphans(_ sql: String, in connection: Connection) throws -> [Int64] {
    let statement = try connection.prepare(sql)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.int64(at: 0)) }
    return keys
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
