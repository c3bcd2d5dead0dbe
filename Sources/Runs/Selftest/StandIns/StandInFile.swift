import Checking
import Foundation
import SQLite

/// A small store's file of Apple's layout, for stand-ins and cases: it is made whole, changed by SQL, read and removed.
///
/// Folders with a parent, a cover and friends; covers with their folder.
enum StandInFile {
  /// Where the checkers look.
  static let layout = StoreLayout(
    entities: [
      EntityLayout(
        number: 1, name: "Folder", table: "ZFOLDER", keyColumn: "ZNUMBER",
        references: [
          ReferenceLayout(
            name: "parent", column: "ZPARENT", table: "ZFOLDER", entities: [1],
            need: .requiredWhere(column: "ZDEPTH")),
          ReferenceLayout(name: "cover", column: "ZCOVER", table: "ZCOVER", entities: [2], inverseColumn: "ZFOLDER"),
          ReferenceLayout(
            name: "target", column: "ZTARGET", entityColumn: "Z2_TARGET", table: "ZCOVER", entities: [2, 3]),
        ]),
      EntityLayout(
        number: 2, name: "Cover", table: "ZCOVER", keyColumn: "ZNUMBER",
        references: [
          ReferenceLayout(
            name: "folder", column: "ZFOLDER", table: "ZFOLDER", entities: [1], need: .required,
            inverseColumn: "ZCOVER")
        ]),
    ],
    joins: [
      JoinLayout(
        name: "Folder.covers", table: "Z_1COVERS", owner: .init(column: "Z_1FOLDERS", table: "ZFOLDER", entities: [1]),
        member: .init(column: "Z_2COVERS", table: "ZCOVER", entities: [2])),
      JoinLayout(
        name: "Folder.friends", table: "Z_1FRIENDS", owner: .init(column: "REFLEXIVE", table: "ZFOLDER"),
        member: .init(column: "Z_1FRIENDS", table: "ZFOLDER"), isReflexive: true),
    ])

  private static let whole = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZDEPTH INTEGER,
      ZPARENT INTEGER, ZCOVER INTEGER, ZTARGET INTEGER, Z2_TARGET INTEGER);
    CREATE TABLE ZCOVER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZFOLDER INTEGER);
    CREATE TABLE Z_1COVERS (Z_1FOLDERS INTEGER, Z_2COVERS INTEGER);
    CREATE TABLE Z_1FRIENDS (REFLEXIVE INTEGER, Z_1FRIENDS INTEGER);
    CREATE INDEX ZFOLDER_INDEX ON ZFOLDER (ZNUMBER);
    INSERT INTO Z_METADATA VALUES (1, 'A-UUID', NULL);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 3), (2, 'Cover', 0, 3), (3, 'Sleeve', 2, 0), (4, 'Unused', 0, 0);
    INSERT INTO ZFOLDER VALUES (1, 1, 1, 10, 0, NULL, 1, NULL, NULL), (2, 1, 3, 20, 1, 1, NULL, 3, 2),
      (3, 1, 1, 30, 2, 2, 3, NULL, NULL);
    INSERT INTO ZCOVER VALUES (1, 2, 1, 100, 1), (3, 2, 2, 300, 3);
    INSERT INTO Z_1COVERS VALUES (1, 1), (2, 3);
    INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1);
    """

  /// A history of the file from its beginning, in three transactions: inserts, updates, and a row that came and went.
  static let history = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
      ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 10), (16002, 'TRANSACTION', 0, 3);
    INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1.5), (2, 16002, NULL, 1.5), (3, 16002, NULL, 2);
    INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1, NULL), (2, 16001, NULL, 0, 1, 2, 1, NULL),
      (3, 16001, NULL, 0, 1, 3, 1, NULL), (4, 16001, NULL, 0, 2, 1, 1, NULL), (5, 16001, NULL, 0, 3, 2, 1, NULL),
      (6, 16001, NULL, 0, 2, 3, 1, NULL), (7, 16001, NULL, 1, 1, 2, 2, x'80'), (8, 16001, NULL, 1, 2, 3, 2, x'80'),
      (9, 16001, NULL, 1, 1, 2, 3, x'40'), (10, 16001, NULL, 2, 3, 2, 3, NULL);

    """

  /// The evidence of a cell that came to its end and reported nothing, with its file changed by SQL.
  static func evidence(_ change: String = "") throws -> Evidence {
    try withStore(whole + "\n" + change, evidence(ofStoreAt:))
  }

  /// The same of a file with its beginning overwritten.
  static func overwritten() throws -> Evidence {
    try withStore(whole) { path in
      try Data(repeating: 0xA5, count: 4096).write(to: URL(fileURLWithPath: path))
      return evidence(ofStoreAt: path)
    }
  }

  private static func evidence(ofStoreAt path: String) -> Evidence {
    let records = RecordsInMemory()
    _ = records.makeHistory(process: 0)
    return Evidence(
      .memory(records), storePath: path, parameters: CheckParameters(layout: layout, counters: CheckCounters()))
  }

  /// Makes a file by SQL, hands its path over and removes it.
  static func withStore<Result>(_ sql: String, _ body: (String) throws -> Result) throws -> Result {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("stand-in-\(UUID().uuidString).sqlite")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let connection = try Connection(path: path)
    connection.allowSchemaWrites()
    try connection.execute(sql)
    connection.close()
    return try body(path)
  }
}
