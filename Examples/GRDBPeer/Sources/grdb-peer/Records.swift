import Foundation
import GRDB
import HarnessKit

/// A note as GRDB's guide writes a record. Names are those of the harness's file, so that the same checks read it.
struct NoteRecord: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "ZNOTE"
  static let words = hasMany(WordRecord.self)

  enum CodingKeys: String, CodingKey, ColumnExpression {
    case id = "Z_PK"
    case number = "ZNUMBER"
    case uuid = "ZUUID"
    case title = "ZTITLE"
    case body = "ZBODY"
    case language = "ZLANGUAGE"
    case createdAt = "ZCREATEDAT"
    case modifiedAt = "ZMODIFIEDAT"
    case isPinned = "ZISPINNED"
    case revision = "ZREVISION"
  }

  var id: Int64?
  var number: Int64
  var uuid: UUID
  var title: String
  var body: String
  var language: String
  var createdAt: Date
  var modifiedAt: Date
  var isPinned: Bool
  var revision: Int64 = 1

  init(_ row: NoteRow) {
    number = row.number
    uuid = row.uuid
    title = row.title
    body = row.body
    language = row.language
    createdAt = row.createdAt
    modifiedAt = row.modifiedAt
    isPinned = row.isPinned
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

  // Numbers, as in Core Data's files. By default they would be texts.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  /// The newest notes first, as a list shows them.
  static func newest(_ limit: Int) -> QueryInterfaceRequest<NoteRecord> {
    NoteRecord.order(CodingKeys.createdAt.desc).limit(limit)
  }
}

/// A word of a note.
struct WordRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZWORD"

  enum CodingKeys: String, CodingKey {
    case number = "ZNUMBER"
    case term = "ZTERM"
    case meaning = "ZMEANING"
    case level = "ZLEVEL"
    case note = "ZNOTE"
  }

  var number: Int64
  var term: String
  var meaning: String
  var level: Int16
  var note: Int64?

  init(_ row: WordRow, of note: NoteRecord) {
    number = row.number
    term = row.term
    meaning = row.meaning
    level = row.level
    self.note = note.id
  }
}

extension VocabularyNotebook {
  /// Inserts the note of that number with its words.
  func insert(_ number: Int, into database: Database, by inserts: GRDBPoolStrategy.Inserts) throws {
    switch inserts {
    case .records:
      var note = NoteRecord(self.note(number))
      try note.insert(database)
      for word in wordNumbers(ofNote: number) { try WordRecord(self.word(word), of: note).insert(database) }
    case .statements:
      try insert(self.note(number), into: database)
      let key = database.lastInsertedRowID
      for word in wordNumbers(ofNote: number) { try insert(self.word(word), of: key, into: database) }
    }
  }

  private func insert(_ note: NoteRow, into database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO ZNOTE (ZNUMBER, ZUUID, ZTITLE, ZBODY, ZLANGUAGE, ZCREATEDAT, ZMODIFIEDAT, ZISPINNED, ZREVISION)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
        """)
    try statement.execute(arguments: [
      note.number, note.uuid, note.title, note.body, note.language, note.createdAt.timeIntervalSinceReferenceDate,
      note.modifiedAt.timeIntervalSinceReferenceDate, note.isPinned,
    ])
  }

  private func insert(_ word: WordRow, of note: Int64, into database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT INTO ZWORD (ZNUMBER, ZTERM, ZMEANING, ZLEVEL, ZNOTE) VALUES (?, ?, ?, ?, ?)")
    try statement.execute(arguments: [word.number, word.term, word.meaning, word.level, note])
  }
}

/// The tables: columns and indexes as in the file that Core Data makes, with a foreign key that deletes words with their note.
enum NotebookTables {
  /// Core Data counts the keys that it gives; SQLite gives them here, and none is as large as this.
  private static let largestKey: Int64 = 1 << 40

  /// Makes them anew, in the file of a container where there is one.
  static func create(_ database: Database) throws {
    for table in ["ZWORD", "ZNOTE"] where try database.tableExists(table) { try database.drop(table: table) }
    try database.create(table: "ZNOTE") { table in
      addBookkeeping(to: table, entity: 1)
      table.column("ZISPINNED", .boolean).notNull()
      table.column("ZNUMBER", .integer).notNull()
      table.column("ZREVISION", .integer).notNull()
      table.column("ZCREATEDAT", .double).notNull()
      table.column("ZMODIFIEDAT", .double).notNull()
      table.column("ZBODY", .text).notNull()
      table.column("ZLANGUAGE", .text).notNull()
      table.column("ZTITLE", .text).notNull()
      table.column("ZUUID", .blob).notNull()
    }
    try database.create(table: "ZWORD") { table in
      addBookkeeping(to: table, entity: 2)
      table.column("ZLEVEL", .integer).notNull()
      table.column("ZNUMBER", .integer).notNull()
      table.column("ZNOTE", .integer).notNull().indexed().references("ZNOTE", onDelete: .cascade)
      table.column("ZMEANING", .text).notNull()
      table.column("ZTERM", .text).notNull()
    }
    if try database.tableExists("Z_PRIMARYKEY") {
      try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ?", arguments: [largestKey])
    }
  }

  private static func addBookkeeping(to table: TableDefinition, entity: Int) {
    table.column("Z_PK", .integer).primaryKey()
    table.column("Z_ENT", .integer).notNull().defaults(to: entity)
    table.column("Z_OPT", .integer).notNull().defaults(to: 1)
  }
}
