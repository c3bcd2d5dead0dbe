import Foundation
import SQLite
import Testing

@testable import Checking

struct StoreContentsTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("store.sqlite")
  }

  /// A store with the columns that the layout names.
  private func connection() throws -> Connection {
    let connection = try Connection(path: path)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER, ZREVISION INTEGER);
      CREATE TABLE ZWORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER, ZNOTE INTEGER);
      """)
    return connection
  }

  @Test func keysRevisionsAndOrphansAreRead() throws {
    let connection = try connection()
    try connection.execute(
      """
      INSERT INTO ZNOTE VALUES (1, 1, 30, 3), (2, 1, 10, 1), (3, 1, 30, 5), (4, 1, NULL, 1), (5, 9, 99, 1);
      INSERT INTO ZWORD VALUES (1, 2, 7, 1), (2, 2, 6, NULL), (3, 2, 5, 77), (4, 2, 4, 2);
      """)
    let contents = try StoreContents(storeAt: path, layout: .notebook)
    #expect(contents.rows[1] == EntityRows(keys: [10, 30, 30], revisions: [1, 3, 5], keylessCount: 1))
    #expect(contents.rows[2] == EntityRows(keys: [4, 5, 6, 7], orphans: [5, 6]))
    #expect(contents.rows[1]?.revision(of: 30) == 5)
    #expect(contents.rows[1]?.revision(of: 20) == nil)
  }

  @Test func whatIsOnlyInTheWriteAheadLogIsReadToo() throws {
    let connection = try connection()
    try connection.execute("INSERT INTO ZNOTE VALUES (1, 1, 1, 1)")
    // The files as a killed process leaves them: the log was never copied into the database.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: directory.file("killed.sqlite" + suffix))
    }
    let contents = try StoreContents(storeAt: directory.file("killed.sqlite"), layout: .notebook)
    #expect(contents.rows[1]?.keys == [1])
  }

  @Test func aFileThatIsNoStoreIsUnusable() throws {
    #expect(throws: Unusable.self) { try StoreContents(storeAt: directory.file("none"), layout: .notebook) }
    try Data("no database, though long enough to look like one".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: Unusable.self) { try StoreContents(storeAt: path, layout: .notebook) }
  }

  @Test func aStoreWithoutTheTablesIsUnusable() throws {
    try Connection(path: path).execute("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER)")
    let error = #expect(throws: Unusable.self) { try StoreContents(storeAt: path, layout: .notebook) }
    #expect(error?.reason.contains("ZREVISION") == true)
  }

  @Test func aDamagedIndexIsUnusable() throws {
    let connection = try connection()
    connection.allowSchemaWrites()
    try connection.execute(
      """
      CREATE INDEX ZWORD_ZNOTE_INDEX ON ZWORD (ZNOTE);
      INSERT INTO ZWORD VALUES (1, 2, 7, 1);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX ZWORD_ZNOTE_INDEX ON ZWORD (ZNUMBER)' WHERE type = 'index';
      """)
    let error = #expect(throws: Unusable.self) { try StoreContents(storeAt: path, layout: .notebook) }
    #expect(error?.reason.contains("integrity_check") == true)
  }
}
