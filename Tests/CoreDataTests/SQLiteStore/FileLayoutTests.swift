import CoreData
import SQLite
import Testing

/// The layout of a written file, read past the stack.
@Suite struct FileLayoutTests {
  private func columns(_ stack: TestStack, _ table: String) throws -> [String] {
    try stack.sql("SELECT name || ' ' || type || iif(pk > 0, ' ' || pk, '') FROM pragma_table_info('\(table)')")
  }

  // S6.4
  @Test func aTablePerRootEntityAndTheBookkeeping() throws {
    let stack = try TestStack(model: Zoo.model())
    #expect(
      try stack.sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") == [
        "ZANIMAL", "ZBADGE", "ZKEEPER", "ZSAMPLE", "Z_6FRIENDS", "Z_6PUPILS", "Z_METADATA", "Z_MODELCACHE",
        "Z_PRIMARYKEY",
      ])
  }

  // S6.4
  @Test func columnsHaveApplesNamesTypesAndOrder() throws {
    let stack = try TestStack(model: Zoo.model())
    let own = ["Z_PK INTEGER 1", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    // Integers and keys first, the root's before those of its descendants; siblings' equal names get a number.
    let animal = [
      "ZLEGS INTEGER", "ZKEEPER INTEGER", "ZLIVES INTEGER", "ZPRIDE INTEGER", "ZWEIGHT FLOAT", "ZWINGSPAN FLOAT",
      "ZNAME VARCHAR", "ZVOICE VARCHAR", "ZVOICE1 VARCHAR",
    ]
    let keeper = ["ZBADGE INTEGER", "ZFAVOURITE INTEGER", "Z1_FAVOURITE INTEGER", "ZNAME VARCHAR"]
    let sample = [
      "ZABOOL INTEGER", "ZANINT16 INTEGER", "ZANINT32 INTEGER", "ZANINT64 INTEGER", "ZADATE TIMESTAMP",
      "ZADECIMAL DECIMAL", "ZADOUBLE FLOAT", "ZAFLOAT FLOAT", "ZASTRING VARCHAR", "ZAURI VARCHAR", "ZADATA BLOB",
      "ZAUUID BLOB",
    ]
    #expect(try columns(stack, "ZANIMAL") == own + animal)
    #expect(try columns(stack, "ZKEEPER") == own + keeper)
    #expect(try columns(stack, "ZSAMPLE") == own + sample)
    #expect(try columns(stack, "Z_6PUPILS") == ["Z_6MENTORS INTEGER 1", "Z_6PUPILS INTEGER 2"])
    #expect(
      try columns(stack, "Z_PRIMARYKEY") == ["Z_ENT INTEGER 1", "Z_NAME VARCHAR", "Z_SUPER INTEGER", "Z_MAX INTEGER"])
    #expect(try columns(stack, "Z_METADATA") == ["Z_VERSION INTEGER 1", "Z_UUID VARCHAR(255)", "Z_PLIST BLOB"])
    #expect(try columns(stack, "Z_MODELCACHE") == ["Z_CONTENT BLOB"])
  }

  // S6.4
  @Test func aJoinTableLiesOnTheLowerNumberedEntity() throws {
    let stack = try TestStack()
    // Note 1, Tag 2, Word 3: the table belongs to Tag, and Word's relationship to tags names its other column.
    #expect(try columns(stack, "Z_2WORDS") == ["Z_2TAGS INTEGER 1", "Z_3WORDS INTEGER 2"])
    #expect(
      try stack.sql("SELECT sql FROM sqlite_master WHERE name = 'Z_2WORDS_Z_3WORDS_INDEX'") == [
        "CREATE INDEX Z_2WORDS_Z_3WORDS_INDEX ON Z_2WORDS (Z_3WORDS, Z_2TAGS)"
      ])
  }

  // S6.4
  @Test func joinColumnsOfOneNameAreNumbered() throws {
    let (group, team, user) = (
      Notebook.entity("Group", NSManagedObject.self), Notebook.entity("Team", NSManagedObject.self),
      Notebook.entity("User", NSManagedObject.self)
    )
    for (entity, name) in [(group, "groups"), (team, "teams")] {
      let users = Notebook.relationship("users", to: user, maxCount: 0)
      let back = Notebook.relationship(name, to: entity, maxCount: 0)
      (users.inverseRelationship, back.inverseRelationship) = (back, users)
      entity.properties = [users]
      user.properties.append(back)
    }
    let model = NSManagedObjectModel()
    model.entities = [group, team, user]
    let stack = try TestStack(model: model)
    #expect(try columns(stack, "Z_1USERS") == ["Z_1GROUPS INTEGER 1", "Z_3USERS INTEGER 2"])
    #expect(try columns(stack, "Z_2USERS") == ["Z_2TEAMS INTEGER 1", "Z_3USERS1 INTEGER 2"])
  }

  // S6.4
  @Test func indexesLieOnKeysAndOnEntitiesOfAHierarchy() throws {
    let stack = try TestStack(model: Zoo.model())
    let names = try stack.sql(
      """
      SELECT name FROM sqlite_master
      WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT GLOB 'Z_[0-9]*' ORDER BY name
      """
    )
    #expect(
      names == [
        "ZANIMAL_ZKEEPER_INDEX", "ZANIMAL_Z_ENT_INDEX", "ZBADGE_ZKEEPER_INDEX", "ZKEEPER_ZBADGE_INDEX",
        "ZKEEPER_ZFAVOURITE_INDEX",
      ])
  }

  // S6.4
  @Test func entitiesAreNumberedWithoutRegardToCase() throws {
    let model = NSManagedObjectModel()
    model.entities = ["User", "UUIDThing", "apple"].map { Notebook.entity($0, NSManagedObject.self) }
    for entity in model.entities { entity.properties = [Notebook.attribute("name", .stringAttributeType)] }
    let stack = try TestStack(model: model)
    #expect(try stack.sql("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["apple", "User", "UUIDThing"])
  }

  // S6.4
  @Test func entitiesAreNumberedAlphabeticallyAndDepthFirst() throws {
    let stack = try TestStack(model: Zoo.model())
    #expect(
      try stack.sql("SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        "1 Animal 0", "2 Bird 1", "3 Cat 1", "4 Lion 3", "5 Badge 0", "6 Keeper 0", "7 Sample 0",
      ])
  }

  // S6.4
  @Test func keysAreUniqueAcrossAHierarchyAndCountedOnItsRoot() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { for entity in ["Bird", "Cat", "Lion", "Bird"] { $0.insert(entity) } }
    #expect(
      try stack.sql("SELECT Z_PK || ' ' || Z_ENT || ' ' || Z_OPT FROM ZANIMAL ORDER BY Z_PK") == [
        "1 2 1", "2 3 1", "3 4 1", "4 2 1",
      ])
    #expect(try stack.sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT <= 4 ORDER BY Z_ENT") == ["4", "0", "0", "0"])
  }

  // S6.4
  @Test func valuesLieInTheFileAsAppleWritesThem() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change {
      $0.insert(
        "Sample",
        [
          "aBool": true, "aData": Data([0, 255]), "aDate": Date(timeIntervalSinceReferenceDate: 1.5),
          "aDecimal": Decimal(string: "12.5") ?? 0, "aDouble": 2.5, "aFloat": Float(0.5), "anInt16": Int16.min,
          "anInt32": Int32.max, "anInt64": Int64.min, "aString": "단어",
          "aURI": URL(string: "https://a.example/b?c") ?? stack.url, "aUUID": PredicateAgreementTests.uuid,
        ])
      $0.insert("Keeper", ["favourite": $0.insert("Lion")])
    }
    let expected: [(String, String)] = [
      ("quote(ZABOOL)", "1"), ("quote(ZADATA)", "X'00FF'"), ("quote(ZADATE)", "1.5"), ("quote(ZADOUBLE)", "2.5"),
      ("CAST(ZADECIMAL AS REAL)", "12.5"), ("quote(ZAFLOAT)", "0.5"), ("quote(ZANINT16)", "-32768"),
      ("quote(ZANINT32)", "2147483647"), ("quote(ZANINT64)", "-9223372036854775808"), ("quote(ZASTRING)", "'단어'"),
      ("quote(ZAURI)", "'https://a.example/b?c'"), ("quote(ZAUUID)", "X'0102030405060708090A0B0C0D0E0F10'"),
    ]
    for (expression, value) in expected {
      #expect(try stack.sql("SELECT \(expression) FROM ZSAMPLE") == [value], "\(expression)")
    }
    #expect(try stack.sql("SELECT ZFAVOURITE || ' ' || Z1_FAVOURITE FROM ZKEEPER") == ["1 4"])
  }

  // S6.4
  @Test func everyTypeComesBackAsItWas() throws {
    let stack = try TestStack(model: Zoo.model())
    let values: [String: any Hashable] = [
      "aBool": true, "aData": Data([0, 255]), "aDate": Date(timeIntervalSinceReferenceDate: 0.1),
      "aDecimal": Decimal(string: "-12345678.9012345") ?? 0, "aDouble": 0.1, "aFloat": Float(0.1),
      "anInt16": Int16.min, "anInt32": Int32.min, "anInt64": Int64.min, "aString": "a\u{0}b 👩‍👩‍👧",
      "aURI": URL(string: "https://a.example/b?c#d") ?? stack.url, "aUUID": PredicateAgreementTests.uuid,
    ]
    try stack.change {
      $0.insert("Sample", values)
      $0.insert("Sample")
    }
    let context = stack.context()
    try context.performAndWait {
      let full = try #require(try context.all("Sample", where: "aBool", is: true).first)
      let empty = try #require(try context.all("Sample", where: "aBool", is: nil).first)
      for (key, value) in values {
        #expect((full.value(forKey: key) as? any Hashable).map { AnyHashable($0) } == AnyHashable(value), "\(key)")
        #expect(empty.value(forKey: key) == nil, "\(key)")
      }
    }
  }

  // S6.4
  @Test func theMetadataIsAPropertyListWithTheStoresUUID() throws {
    let stack = try TestStack()
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
    #expect(try stack.sql("SELECT Z_UUID FROM Z_METADATA") == [store.identifier])
    let connection = try Connection(path: stack.url.path, mode: .readOnly)
    let statement = try connection.prepare("SELECT Z_VERSION, Z_PLIST FROM Z_METADATA")
    #expect(try statement.step())
    #expect(statement.int64(at: 0) == 1)
    let plist = try PropertyListSerialization.propertyList(from: Data(statement.bytes(at: 1)), format: nil)
    let metadata = try #require(plist as? [String: Any])
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(Set(hashes.keys) == ["Note", "Word", "Tag"])
    #expect(hashes.values.allSatisfy { $0.count == 32 })
  }

  // S6.5
  @Test func theFileIsInWALModeWithApplesPages() throws {
    let stack = try TestStack()
    #expect(try stack.sql("PRAGMA journal_mode") == ["wal"])
    #expect(try stack.sql("PRAGMA page_size") == ["4096"])
    #expect(try stack.sql("PRAGMA auto_vacuum") == ["2"])
  }
}
