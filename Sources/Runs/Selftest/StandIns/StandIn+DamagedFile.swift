import Checking
import Foundation
import SQLite

extension StandIn {
  /// A store's file with damage written into it: by the seed a key that will be given twice, a row without a version, a row
  /// of no entity, or an index that lacks a row.
  static let damagedFile = StandIn(
    "damaged-file", of: .storeCorruption,
    broken: { seed in try evidence(damages[Int(seed % UInt64(damages.count))]) },
    sound: { _ in try evidence("") })

  private static let damages = [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1", "UPDATE ZNOTE SET Z_OPT = 0 WHERE Z_PK = 2",
    "UPDATE ZNOTE SET Z_ENT = 7 WHERE Z_PK = 2",
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE INDEX ZNOTE_INDEX ON ZNOTE (Z_OPT)' WHERE type = 'index'
    """,
  ]

  private static func evidence(_ damage: String) throws -> Evidence {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("stand-in-\(UUID().uuidString).sqlite")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let connection = try Connection(path: path)
    connection.allowSchemaWrites()
    try connection.execute(
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER);
      CREATE INDEX ZNOTE_INDEX ON ZNOTE (ZNUMBER);
      INSERT INTO Z_METADATA VALUES (1, 'A-UUID', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2);
      INSERT INTO ZNOTE VALUES (1, 1, 1, 10), (2, 1, 3, 20);
      \(damage)
      """)
    var evidence = try StandInHistory().evidence()
    evidence.condition = .success(try StoreCondition(ofStoreAt: path))
    return evidence
  }
}
