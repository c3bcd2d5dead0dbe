import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// Differences between a file and the model that opens it: by version hash, and by structure where no hash says. S6.3, S6.4
@Suite struct StoreComparisonTests {
  /// The error of opening the store after `sql` changed its file.
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

  // S6.4: a difference that does not touch the objects is none: hashes, indexes, the tables of history and mirroring.
  @Test(arguments: [
    "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 7); CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)",
    "DROP INDEX ZBADGE_ZKEEPER_INDEX", "CREATE INDEX Z_Sample_byString ON ZSAMPLE (ZASTRING)",
    "ALTER TABLE ZSAMPLE ADD COLUMN Z9_WHATEVER INTEGER", "ALTER TABLE ZSAMPLE ADD COLUMN ZOTHER VARCHAR",
  ])
  func whatDoesNotTouchTheObjectsIsNoDifference(sql: String) throws {
    #expect(try refusal(Zoo.model(), after: sql) == nil)
  }

  /// The error of opening the store after its metadata was changed.
  private func refusal(
    _ model: () -> NSManagedObjectModel, after sql: String = "", metadata change: (inout [String: Any]) -> Void
  ) throws -> NSError? {
    let made = try TestStack(.file, model: model())
    let connection = try Connection(path: made.url.path)
    if !sql.isEmpty { try connection.execute(sql) }
    var metadata = try StoreMetadata.read(connection)
    change(&metadata)
    metadata[NSStoreUUIDKey] = nil
    try StoreMetadata.write(
      connection, try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0))
    return caught { _ = try TestStack(model: model(), url: made.url) }
  }

  private static func hash(of name: String, in metadata: inout [String: Any], _ hash: Data?) {
    var hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    hashes[name] = hash
    metadata[NSStoreModelVersionHashesKey] = hashes
  }

  // S6.3
  @Test func anotherVersionHashIsADifferenceThoughTheTableFits() throws {
    let error = try refusal(Zoo.model) { Self.hash(of: "Badge", in: &$0, Data(repeating: 7, count: 32)) }
    #expect(error?.localizedDescription.contains("entity Badge is of another version") ?? false)
  }

  // S6.4: where no hash can be compared, the structure decides.
  @Test func withoutAHashToCompareTheStructureDecides() throws {
    let other = Data(repeating: 7, count: 32)
    let noHash = try refusal(Zoo.model) { Self.hash(of: "Badge", in: &$0, nil) }
    #expect(noHash == nil)
    let noHashes = try refusal(Zoo.model) { $0[NSStoreModelVersionHashesKey] = nil }
    #expect(noHashes == nil)
    let extra = try refusal(Zoo.model, after: "ALTER TABLE ZSAMPLE ADD COLUMN ZOTHER VARCHAR") {
      $0[NSStoreModelVersionHashesKey] = nil
    }
    #expect(extra?.localizedDescription.contains("ZSAMPLE.ZOTHER is not in the model") ?? false)
    // A store of an older version of this stack.
    let older = try refusal(Zoo.model) {
      Self.hash(of: "Badge", in: &$0, other)
      $0["NSStoreModelVersionHashesDigest"] = nil
      $0["NSStoreModelVersionChecksumKey"] = nil
    }
    #expect(older == nil)
    let unverified = try refusal({
      let model = Zoo.model()
      model.entitiesByName["Badge"]?.versionHashModifier = "2"
      return model
    }) { Self.hash(of: "Badge", in: &$0, other) }
    #expect(unverified == nil)
  }

  // S6.3: a file that no reader can make sense of.
  @Test(arguments: ["DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = NULL", "DROP TABLE Z_METADATA"])
  func aFileWithoutMetadataIsCorrupt(sql: String) throws {
    #expect(try refusal(Zoo.model(), after: sql)?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
  }
}
