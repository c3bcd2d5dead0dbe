import Foundation
import SQLite
import Testing

/// `coredata store`.
@Suite struct StoreCommandTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Author">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      </entity>
      <entity name="Book">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      </entity>
    </model>
    """

  /// A store as Apple's tools lay it out, made by SQL alone.
  private func makeStore(_ tool: Tool, keepsWAL: Bool = false) throws -> Connection {
    let connection = try Connection(path: tool.folder + "/books.sqlite")
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, ZTITLE VARCHAR );
      CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 2), (2, 'Book', 0, 7);
      INSERT INTO ZAUTHOR VALUES (1, 1, 1, 'Ann'), (2, 1, 3, NULL);
      INSERT INTO ZBOOK VALUES (3, 2, 1, 1, 'One'), (5, 2, 1, 1, 'Two'), (7, 2, 2, NULL, 'Three');
      """)
    let plist = try PropertyListSerialization.data(
      fromPropertyList: ["NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": 1251] as [String: Any],
      format: .binary, options: 0)
    let insert = try connection.prepare("INSERT INTO Z_METADATA VALUES (1, '5D1E9E6A-0000-4000-8000-1234567890AB', ?)")
    plist.withUnsafeBytes { insert.bind($0, at: 1) }
    try insert.run()
    if !keepsWAL { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    _ = try tool.write(Self.model, to: "books.xml")
    return connection
  }

  /// The store's files, copied so that they are not open.
  private func quietStore(_ tool: Tool, keepsWAL: Bool) throws {
    let connection = try makeStore(tool, keepsWAL: keepsWAL)
    let files = FileManager.default
    try files.copyItem(atPath: tool.folder + "/books.sqlite", toPath: tool.folder + "/copy.sqlite")
    if keepsWAL {
      try files.copyItem(atPath: tool.folder + "/books.sqlite-wal", toPath: tool.folder + "/copy.sqlite-wal")
    }
    withExtendedLifetime(connection) {}
  }

  @Test func aRowWithAnotherNumberIsNamed() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let connection = try makeStore(tool)
    try connection.execute("UPDATE ZBOOK SET Z_ENT = 9 WHERE Z_PK = 5")
    let listing = try tool.runCoreData(["store", "books.sqlite", "--model", "books.xml"])
    #expect(listing.status == 2)
    #expect(
      listing.output.contains("Book: 2 rows have its number 2 in Z_ENT, and a fetch finds 3"), "\(listing.output)")
    withExtendedLifetime(connection) {}
  }

  private func contents(_ tool: Tool) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder).filter { $0.hasPrefix("copy") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: tool.folder + "/" + $0))) })
  }

  // S6.4
  @Test(arguments: [false, true])
  func entitiesRowsAndTheirTotalArePrintedAndNothingChanges(keepsWAL: Bool) throws {
    let tool = try Tool()
    defer { tool.remove() }
    try quietStore(tool, keepsWAL: keepsWAL)
    let before = try contents(tool)
    let plain = try tool.runCoreData(["store", "copy.sqlite"])
    #expect(plain.status == 0 && plain.errors.isEmpty)
    let words = plain.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(words.contains(["Author", "1", "ZAUTHOR", "2", "2"]) && words.contains(["Book", "2", "ZBOOK", "3", "7"]))
    #expect(words.contains(["total", "5"]))
    let fitting = try tool.runCoreData(["store", "copy.sqlite", "--model", "books.xml"])
    #expect(fitting.status == 0 && fitting.output.contains("books.xml fits; 4 references"))
    #expect(fitting.output.split(separator: "\n").contains { $0.split(separator: " ") == ["total", "5", "5"] })
    #expect(try contents(tool) == before)
  }

  // S10.4
  @Test func theHistoryIsPrinted() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try makeStore(tool).execute(
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
        ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
        ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR,
        ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
      CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 4), (16002, 'TRANSACTION', 0, 3), (16003, 'TRANSACTIONSTRING', 0, 2);
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'Books'), (2, 16003, NULL, 'importer');
      INSERT INTO ATRANSACTION(Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP)
        VALUES (2, 16002, 2, 1, 1, 0), (3, 16002, NULL, 1, 1, 1.5);
      INSERT INTO ACHANGE VALUES (2, 16001, NULL, 0, 2, 5, 2, NULL), (3, 16001, NULL, 1, 2, 5, 3, x'C0'),
        (4, 16001, NULL, 2, 1, 9, 3, NULL);
      """)
    let lines = [
      "history: 2 transactions, 3 changes (1 inserts, 1 updates, 1 deletes)",
      "transaction 2, 2001-01-01T00:00:00.000Z, author importer, process Books, bundle Books",
      "  2 insert Book 5", "transaction 3, 2001-01-01T00:00:01.500Z, process Books, bundle Books",
      "  3 update Book 5: author, title", "  4 delete Author 9",
    ]
    let plain = try tool.runCoreData(["store", "books.sqlite", "--model", "books.xml", "--history"])
    #expect(plain.status == 0 && plain.output.hasSuffix(lines.joined(separator: "\n") + "\n"))
    let json = try tool.runCoreData(["store", "books.sqlite", "--model", "books.xml", "--history", "--json"])
    #expect(json.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.contains("\"title\""))
    let unnamed = try tool.runCoreData(["store", "books.sqlite", "--history"])
    #expect(unnamed.status == 64 && unnamed.errors.contains("--model"))
  }

  // S6.3
  @Test func whatDoesNotFitIsListed() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try quietStore(tool, keepsWAL: false)
    let other = try tool.write(Self.model.replacingOccurrences(of: "\"title\"", with: "\"heading\""), to: "other.xml")
    let result = try tool.runCoreData(["store", "copy.sqlite", "--model", other])
    #expect(result.status == 2)
    #expect(
      result.output.contains("ZBOOK.ZHEADING is missing") && result.output.contains("ZBOOK.ZTITLE is not in the model"))
    let json = try tool.runCoreData(["store", "copy.sqlite", "--model", other, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["total"] as? Int == 5)
    #expect(
      (object?["model"] as? [String: Any])?["differences"] as? [String] == [
        "ZBOOK.ZHEADING is missing", "ZBOOK.ZTITLE is not in the model",
      ])
  }

  // S6.4
  @Test func relationshipsThatLeadNowhereAreFound() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try quietStore(tool, keepsWAL: false)
    try Connection(path: tool.folder + "/copy.sqlite").execute("UPDATE ZBOOK SET ZAUTHOR = 9 WHERE Z_PK = 7")
    let result = try tool.runCoreData(["store", "copy.sqlite", "--model", "books.xml"])
    #expect(result.status == 2 && result.output.contains("Book 7.author leads to Author 9, which is not there"))
  }

  // S6.3
  @Test func whatIsNoStoreIsSaidToBeNone() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write("", to: "empty.sqlite")
    _ = try tool.write(String(repeating: "x", count: 5000), to: "text.sqlite")
    try Connection(path: tool.folder + "/other.sqlite").execute("CREATE TABLE users (id INTEGER)")
    try quietStore(tool, keepsWAL: false)
    for (arguments, message) in [
      (["nothing.sqlite"], "no such file"), (["empty.sqlite"], "is empty"), (["text.sqlite"], "is no SQLite database"),
      (["other.sqlite"], "not a Core Data store: it has the tables users"), (["."], "is a folder"),
      (["copy.sqlite", "--model", "nobody.xml"], "no such file"),
    ] {
      let result = try tool.runCoreData(["store"] + arguments)
      #expect(result.status == 64 && result.errors.contains(message), "\(arguments): \(result.errors)")
    }
  }
}
