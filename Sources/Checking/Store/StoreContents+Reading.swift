import SQLite

extension StoreContents {
  /// Reads a store's file after its stack was released or its process died, without the stack and without writing.
  ///
  /// Holds two arrays of integers an entity; 105,000 rows take about 2 MB.
  ///
  /// - Parameter isKnownToBeWhole: whether `integrity_check` found nothing, so that it need not be asked again.
  /// - Throws: `Unusable`, when the file cannot be opened, is damaged by SQLite's `integrity_check`, or has not the
  ///   tables and columns of `layout`.
  package init(storeAt path: String, layout: StoreLayout, isKnownToBeWhole: Bool = false) throws(Unusable) {
    do {
      let connection = try Connection(path: path, mode: .readOnly)
      // Statements refer to their connection without holding it.
      self = try withExtendedLifetime(connection) {
        if !isKnownToBeWhole {
          let integrity = try connection.string("PRAGMA integrity_check(1)") ?? "no answer"
          guard integrity == "ok" else { throw Unusable("integrity_check: \(integrity)") }
        }
        var rows: [UInt16: EntityRows] = [:]
        var references: [ReferenceRows] = []
        for entity in layout.entities {
          let own = try entity.references.map { try ReferenceRows(of: $0, in: entity, connection) }
          let needed = zip(entity.references, own).filter { $0.0.need != .optional }.flatMap(\.1.orphans)
          let needsOwner = entity.references.contains { $0.need != .optional }
          var read = try Self.rows(of: entity, orphans: needsOwner ? Set(needed).sorted() : nil, in: connection)
          if layout.ownedEntities.contains(entity.number) {
            read.owners = try Self.owners(of: entity, layout, in: connection)
          }
          rows[entity.number] = read
          references += own
        }
        for join in layout.joins { references.append(try ReferenceRows(of: join, connection)) }
        var versions: [UInt16: [Int64: Int64]] = [:]
        if layout.readsVersions {
          for entity in layout.entities { versions[entity.number] = try Self.versions(of: entity, in: connection) }
        }
        return StoreContents(rows: rows, references: references, versions: versions)
      }
    } catch let error as Unusable {
      throw Unusable("\(path): \(error.reason)")
    } catch {
      throw Unusable("\(path): the store cannot be read: \(error)")
    }
  }

  private static func rows(
    of entity: EntityLayout, orphans: [Int64]?, in connection: Connection
  ) throws -> EntityRows {
    let table = SQLText.quoted(entity.table)
    // With its table's name, because SQLite takes a quoted name that is no column for a text.
    let key = "\(table).\(SQLText.quoted(entity.keyColumn))"
    let revision = entity.revisionColumn.map { "\(table).\(SQLText.quoted($0))" } ?? "0"
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
    var read = EntityRows(keys: keys, revisions: revisions, keylessCount: keylessCount, orphans: orphans)
    if let column = entity.valueColumn {
      let sums = try connection.prepare(
        "SELECT \(key), sum(\(table).\(SQLText.quoted(column))) FROM \(table) WHERE \(ofEntity) GROUP BY 1")
      var values: [Int64: Int64] = [:]
      while try sums.step() { values[sums.int64(at: 0)] = sums.int64(at: 1) }
      read.values = values
    }
    if let column = entity.listColumn {
      let lists = try connection.prepare(
        "SELECT \(key), \(table).\(SQLText.quoted(column)) FROM \(table) WHERE \(ofEntity)")
      while try lists.step() {
        let list = try Self.list(lists.string(at: 1), column: column)
        if list.count >= read.lists[lists.int64(at: 0)]?.count ?? 0 { read.lists[lists.int64(at: 0)] = list }
      }
    }
    if !entity.propertyColumns.isEmpty { read.properties = try properties(of: entity, in: connection) }
    if !entity.recordedColumns.isEmpty { read.recorded = try recorded(of: entity, in: connection) }
    return read
  }

  /// The numbers of a text like `3 1 2`.
  private static func list(_ text: String, column: String) throws(Unusable) -> [Int64] {
    var list: [Int64] = []
    for word in text.split(separator: " ") {
      guard let value = Int64(word) else { throw Unusable("\(column) holds \(word), which is no whole number") }
      list.append(value)
    }
    return list
  }

  /// By primary key.
  private static func versions(of entity: EntityLayout, in connection: Connection) throws -> [Int64: Int64] {
    let statement = try connection.prepare(
      "SELECT Z_PK, Z_OPT FROM \(SQLText.quoted(entity.table)) WHERE Z_ENT = \(entity.number)")
    var versions: [Int64: Int64] = [:]
    while try statement.step() { versions[statement.int64(at: 0)] = statement.int64(at: 1) }
    return versions
  }

  private static func properties(of entity: EntityLayout, in connection: Connection) throws -> [Int64: [Int64]] {
    let table = SQLText.quoted(entity.table)
    precondition(!entity.propertyColumns.isEmpty, "a row is read with properties that it has")
    let columns = ([entity.keyColumn] + entity.propertyColumns).map { "\(table).\(SQLText.quoted($0))" }
    let statement = try connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(table).Z_ENT = \(entity.number)")
    var values: [Int64: [Int64]] = [:]
    while try statement.step() {
      values[statement.int64(at: 0)] = (1..<columns.count).map { statement.int64(at: Int32($0)) }
    }
    return values
  }
}

/// Names in SQL.
enum SQLText {
  /// A name as SQL has it.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
