import Foundation
import SQLite
import Testing

@testable import Checking

/// Broken stand-ins for a store's file: each damage is found and named, and a whole file has none.
struct StoreConditionTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("store.sqlite")
  }

  /// A whole store with two notes and three words, changed by `damage`.
  private func condition(_ damage: String = "") throws -> StoreCondition {
    let connection = try Connection(path: path)
    connection.allowSchemaWrites()
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER);
      CREATE TABLE ZWORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE INTEGER, Z1_NOTE INTEGER);
      CREATE INDEX ZWORD_ZNOTE_INDEX ON ZWORD (ZNOTE);
      INSERT INTO Z_METADATA VALUES (1, 'A-UUID', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 9), (2, 'Word', 0, 3), (3, 'Verb', 2, 0);
      INSERT INTO ZNOTE VALUES (1, 1, 1, 10), (9, 1, 4, 20);
      INSERT INTO ZWORD VALUES (1, 2, 1, 1, 1), (2, 3, 1, 9, 1), (3, 2, 1, NULL, NULL);
      """)
    try connection.execute(damage)
    return try StoreCondition(ofStoreAt: path)
  }

  @Test func aWholeStoreHasNoDamage() throws {
    #expect(try condition() == StoreCondition(rows: 5))
  }

  @Test(arguments: [
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_ENT = 1", "Z_PRIMARYKEY of Note"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3", "ZWORD"),
    ("UPDATE ZNOTE SET Z_ENT = 2 WHERE Z_PK = 9; UPDATE ZWORD SET ZNOTE = NULL WHERE ZNOTE = 9", "ZNOTE"),
    ("UPDATE ZWORD SET Z_OPT = 0 WHERE Z_PK = 1", "ZWORD"),
    ("UPDATE ZWORD SET Z1_NOTE = 2 WHERE Z_PK = 1", "ZWORD"),
    ("UPDATE ZWORD SET Z1_NOTE = NULL WHERE Z_PK = 1", "ZWORD"),
    ("UPDATE ZNOTE SET Z_OPT = NULL WHERE Z_PK = 1", "ZNOTE"),
    ("UPDATE ZNOTE SET Z_PK = -1 WHERE Z_PK = 1; UPDATE ZWORD SET ZNOTE = -1 WHERE ZNOTE = 1", "ZNOTE"),
    ("DROP TABLE ZWORD", "Z_PRIMARYKEY"),
    ("DROP TABLE Z_METADATA", "Z_METADATA"),
    ("UPDATE Z_METADATA SET Z_UUID = ''", "Z_METADATA"),
  ])
  func wrongBookkeepingIsFound(damage: String, place: String) throws {
    let damages = try condition(damage).damages
    #expect(damages.map(\.kind) == [.bookkeeping])
    #expect(damages.map(\.place) == [place])
  }

  /// A history that gives the rows of the store: two notes and three words.
  private static let history = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
      ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 8), (16002, 'TRANSACTION', 0, 3);
    INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 10.0), (2, 16002, NULL, 11.0), (3, 16002, NULL, 12.0);
    INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1), (2, 16001, NULL, 0, 2, 1, 1), (3, 16001, NULL, 0, 3, 2, 1),
      (4, 16001, NULL, 0, 2, 3, 1), (5, 16001, NULL, 0, 1, 9, 1), (6, 16001, NULL, 1, 1, 9, 2),
      (7, 16001, NULL, 1, 1, 1, 2), (8, 16001, NULL, 1, 1, 9, 3);
    UPDATE ZNOTE SET Z_OPT = 3 WHERE Z_PK = 9;
    """

  @Test func aWholeHistoryHasNoDamage() throws { #expect(try condition(Self.history).damages == []) }

  @Test(arguments: [
    ("UPDATE ACHANGE SET ZTRANSACTIONID = 2 WHERE Z_PK = 8; DELETE FROM ACHANGE WHERE Z_PK = 6", "ATRANSACTION"),
    ("UPDATE ATRANSACTION SET ZTIMESTAMP = 9.0 WHERE Z_PK = 2", "ATRANSACTION"),
    ("UPDATE ACHANGE SET ZTRANSACTIONID = 4 WHERE Z_PK = 7", "ACHANGE"),
    ("UPDATE ACHANGE SET ZENTITYPK = 9 WHERE Z_PK = 7", "ACHANGE"),
  ])
  func aWrongHistoryIsFound(damage: String, place: String) throws {
    #expect(try condition(Self.history + damage).damages.map(\.place).contains(place))
  }

  @Test func aRowTakenOutOfAnIndexIsFound() throws {
    let condition = try condition(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX ZWORD_ZNOTE_INDEX ON ZWORD (Z_OPT)' WHERE type = 'index';
      """)
    #expect(!condition.isReadable)
    #expect(condition.damages.map(\.kind) == [.integrity])
  }

  @Test func anOverwrittenPageIsFound() throws {
    _ = try condition("PRAGMA wal_checkpoint(TRUNCATE)")
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let pageSize: UInt64 = 4096
    for page in 2...6 as ClosedRange<UInt64> {
      try file.seek(toOffset: (page - 1) * pageSize)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 512))
    }
    try file.close()
    let condition = try StoreCondition(ofStoreAt: path)
    #expect(!condition.isReadable)
    let evidence = Evidence(
      .folder(directory.path), storePath: path, parameters: CheckParameters(layout: .notebook))
    #expect(CheckerCatalogue.check(evidence, by: ["store-corruption"]).map(\.verdict) == [.violated])
    #expect(CheckerCatalogue.check(evidence, by: ["duplicate-record"]).map(\.verdict) == [.unknown])
  }

  @Test func aFileThatIsNoDatabaseIsDamagedAndNoFileIsUnusable() throws {
    #expect(throws: Unusable.self) { try StoreCondition(ofStoreAt: directory.file("none")) }
    try Data(repeating: UInt8(ascii: "x"), count: 2000).write(to: URL(fileURLWithPath: path))
    #expect(try !StoreCondition(ofStoreAt: path).isReadable)
  }
}
