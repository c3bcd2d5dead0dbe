import SQLite
import RowStore

/// The contents of a store's file, read without a model: metadata, tables, counts.
package struct StoreInspection {
  /// One entity of the file.
  package struct Entity {
    /// `Z_ENT`.
    package let number: Int64
    package let name: String
    /// The entity it inherits from.
    package let superName: String?
    /// The table with its rows, that of its root; nil when the file has none of that name.
    package let table: String?
    /// Rows of exactly this entity.
    package let rows: Int64
    /// The largest key given so far; of a root entity.
    package let largestKey: Int64
  }

  /// A table that is no entity's.
  package struct Table {
    package let name: String
    package let rows: Int64
  }

  package let uuid: String
  /// The plist of `Z_METADATA`; empty when it cannot be read.
  package let metadata: [String: Any]
  /// By number.
  package let entities: [Entity]
  /// Join tables of many-to-many relationships.
  package let joinTables: [Table]
  /// Tables that are neither: of history, of mirroring, or foreign.
  package let otherTables: [Table]

  /// The model that the file keeps a copy of; nil where it keeps none that can be read.
  package let keptModel: NSManagedObjectModel?

  /// Rows of all entities.
  package var total: Int64 { entities.reduce(0) { $0 + $1.rows } }

  /// Reads the file; neither it nor anything beside it is changed.
  ///
  /// - Throws: 260 when there is no file, 259 for one that is no database, is encrypted, broken, or no Core Data store.
  package init(path: String) throws {
    self = try Self.reading(path) { try StoreInspection($0, path: path) }
  }

  /// The differences of the file from the model; empty when it fits.
  ///
  /// - Throws: as ``init(path:)``; the error of the model.
  package static func differences(path: String, model: NSManagedObjectModel) throws -> [String] {
    let layout = try model.freeze()
    return try reading(path) { connection in
      let schema = StoreSchema(layout, file: try FileNames(connection))
      let hashes = StoreMetadata.versionHashes(try StoreMetadata.read(connection))
      return try StoreComparison(connection, schema: schema, model: model, hashes: hashes).differences
    }
  }

  /// Runs `body` with a connection to the file, which nothing of it changes.
  static func reading<Result>(_ path: String, _ body: (Connection) throws -> Result) throws -> Result {
    try requireDatabase(path)
    let file = try ReadOnlySnapshot(path)
    return try withExtendedLifetime(file) {
      do {
        let connection = try Connection(path: file.path, mode: .readOnly)
        connection.setBusyTimeout(milliseconds: 5_000)
        return try body(connection)
      } catch let error as SQLiteError {
        throw SQLiteStore.openFailure(path, error)
      }
    }
  }

  private static func requireDatabase(_ path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw NSError.coreData(CocoaError.Code.fileReadNoSuchFile.rawValue, "\(path): no such file.")
    }
    let corrupt = CocoaError.Code.fileReadCorruptFile.rawValue
    guard !isFolder.boolValue else { throw NSError.coreData(corrupt, "\(path) is a folder; give the store's file.") }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw NSError.coreData(CocoaError.Code.fileReadNoPermission.rawValue, "\(path) cannot be opened for reading.")
    }
    defer { try? handle.close() }
    let header = try handle.read(upToCount: 16) ?? Data()
    guard !header.isEmpty else { throw NSError.coreData(corrupt, "\(path) is empty: there is no store in it yet.") }
    guard header == Data("SQLite format 3\0".utf8) else {
      throw NSError.coreData(corrupt, "\(path) is no SQLite database; if it should be one, it is encrypted or broken.")
    }
  }

  private init(_ connection: Connection, path: String) throws {
    var tables: [String: Int64] = [:]
    let names = try connection.column(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    guard names.contains("Z_PRIMARYKEY"), names.contains("Z_METADATA") else {
      throw NSError.coreData(
        CocoaError.Code.fileReadCorruptFile.rawValue,
        "\(path) is a database, but not a Core Data store: it has "
          + (names.isEmpty ? "no tables." : "the tables \(names.sorted().prefix(10).joined(separator: ", ")).")
      )
    }
    for name in names { tables[name] = try connection.int64("SELECT count(*) FROM \(Self.quoted(name))") ?? 0 }
    let metadata = try StoreMetadata.read(connection)
    self.metadata = metadata
    uuid = metadata[NSStoreUUIDKey] as? String ?? ""
    keptModel = try KeptModel.read(connection)
    entities = try Self.entities(connection, Set(names))
    let used = Set(entities.compactMap(\.table) + ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    let rest = tables.filter { !used.contains($0.key) }.map { Table(name: $0.key, rows: $0.value) }
      .sorted { $0.name < $1.name }
    joinTables = rest.filter { Self.isJoinTable($0.name) }
    otherTables = rest.filter { !Self.isJoinTable($0.name) }
  }

  private static func entities(_ connection: Connection, _ tables: Set<String>) throws -> [Entity] {
    struct Known {
      let number: Int64
      let name: String
      let parent: Int64
      let largestKey: Int64
    }
    var known: [Int64: Known] = [:]
    let keys = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
    while try keys.step() {
      let number = keys.int64(at: 0)
      known[number] = Known(
        number: number, name: keys.string(at: 1), parent: keys.int64(at: 2), largestKey: keys.int64(at: 3))
    }
    var taken: Set<String> = []
    var tableOfRoot: [Int64: String] = [:]
    let all = known.values.sorted { $0.number < $1.number }
    for entity in all where known[entity.parent] == nil {
      let name = TableSchema.unique("Z" + entity.name.uppercased(), &taken)
      if let table = [name, "A" + entity.name.uppercased()].first(where: tables.contains) {
        tableOfRoot[entity.number] = table
      }
    }
    func root(_ entity: Known) -> Int64 {
      var current = entity
      // A broken file may go round in circles.
      for _ in 0..<known.count {
        guard let parent = known[current.parent] else { return current.number }
        current = parent
      }
      return current.number
    }
    var counts: [String: [Int64: Int64]] = [:]
    for table in Set(tableOfRoot.values) {
      let statement = try connection.prepare("SELECT Z_ENT, count(*) FROM \(quoted(table)) GROUP BY Z_ENT")
      while try statement.step() { counts[table, default: [:]][statement.int64(at: 0)] = statement.int64(at: 1) }
    }
    return all.map { entity in
      let table = tableOfRoot[root(entity)]
      return Entity(
        number: entity.number, name: entity.name, superName: known[entity.parent]?.name, table: table,
        rows: table.flatMap { counts[$0]?[entity.number] } ?? 0, largestKey: entity.largestKey)
    }
  }

  private static func isJoinTable(_ name: String) -> Bool {
    name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

extension Connection {
  /// The first column of a query's rows.
  fileprivate func column(_ query: String) throws -> [String] {
    let statement = try prepare(query)
    var values: [String] = []
    while try statement.step() { values.append(statement.string(at: 0)) }
    return values
  }
}
