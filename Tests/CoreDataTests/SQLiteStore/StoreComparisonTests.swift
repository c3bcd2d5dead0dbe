import SQLite
import Testing

@testable import CoreData

/// What does not fit when a file is opened with a model: by structure, whatever the version hashes are. S6.3, S6.4
@Suite struct StoreComparisonTests {
  /// What opening the store says after `sql` changed its file.
  private func refusal(_ model: NSManagedObjectModel, after sql: String) throws -> NSError? {
    let made = try TestStack(.file, model: model)
    try Connection.write(made.url, sql)
    return caught { _ = try TestStack(model: model, url: made.url) }
  }

  // S6.3
  @Test(arguments: [
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Badge'", "entity Badge is missing"),
    ("INSERT INTO Z_PRIMARYKEY VALUES (9, 'Ghost', 0, 0)", "entity Ghost is not in the model"),
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = 12 WHERE Z_NAME = 'Badge'", "entity Badge has number 12, not 5"),
    (
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Cat'",
      "entity Cat has Z_SUPER 0; in the model it inherits from Animal (1)"
    ),
    ("DROP TABLE ZBADGE", "table ZBADGE of entity Badge is missing"),
    ("DROP TABLE Z_6PUPILS", "table Z_6PUPILS of relationship pupils is missing"),
    ("ALTER TABLE ZSAMPLE DROP COLUMN ZASTRING", "ZSAMPLE.ZASTRING is missing"),
    ("ALTER TABLE ZSAMPLE ADD COLUMN ZOTHER VARCHAR", "ZSAMPLE.ZOTHER is not in the model"),
    (
      "ALTER TABLE ZSAMPLE DROP COLUMN ZANINT16; ALTER TABLE ZSAMPLE ADD COLUMN ZANINT16 VARCHAR",
      "ZSAMPLE.ZANINT16 is VARCHAR, not INTEGER"
    ),
    ("CREATE TABLE Z_6ENEMIES (Z_6ENEMIES INTEGER)", "join table Z_6ENEMIES is not in the model"),
  ])
  func aDifferenceIsNamed(sql: String, difference: String) throws {
    let error = try #require(try refusal(Zoo.model(), after: sql))
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.localizedDescription.contains(difference), "\(error.localizedDescription)")
  }

  // S6.4: what does not touch the objects is no difference: hashes, indexes, the tables of history and mirroring.
  @Test(arguments: [
    "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 7); CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)",
    "DROP INDEX ZBADGE_ZKEEPER_INDEX", "CREATE INDEX Z_Sample_byString ON ZSAMPLE (ZASTRING)",
    "ALTER TABLE ZSAMPLE ADD COLUMN Z9_WHATEVER INTEGER",
  ])
  func whatDoesNotTouchTheObjectsIsNoDifference(sql: String) throws {
    #expect(try refusal(Zoo.model(), after: sql) == nil)
  }

  // S6.4
  @Test func otherVersionHashesAreNoDifference() throws {
    let made = try TestStack(.file, model: Zoo.model())
    let connection = try Connection(path: made.url.path)
    let plist = try PropertyListSerialization.data(
      fromPropertyList: [
        "NSStoreType": "SQLite", "NSStoreModelVersionHashes": ["Badge": Data(repeating: 7, count: 32)],
        "NSStoreModelVersionHashesVersion": 3, "NSStoreModelVersionHashesDigest": "abc==",
      ] as [String: Any], format: .binary, options: 0)
    let update = try connection.prepare("UPDATE Z_METADATA SET Z_PLIST = ?")
    plist.withUnsafeBytes { update.bind($0, at: 1) }
    try update.run()
    let again = try TestStack(model: Zoo.model(), url: made.url)
    let store = try #require(again.container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.metadata["NSStoreModelVersionHashesDigest"] as? String == "abc==")
  }

  // S6.3: a file that no reader can make sense of.
  @Test(arguments: ["DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = NULL", "DROP TABLE Z_METADATA"])
  func aFileWithoutMetadataIsCorrupt(sql: String) throws {
    #expect(try refusal(Zoo.model(), after: sql)?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
  }
}
