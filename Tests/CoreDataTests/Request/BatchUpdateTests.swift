import Testing

@testable import CoreData

@Suite("S7.4 Batch updates", .everyStore)
struct BatchUpdateTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack()
    try stack.seed(1...10)
  }

  /// A request for notes with these values.
  private func request(_ format: String?, _ values: [AnyHashable: Any]) -> NSBatchUpdateRequest {
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.propertiesToUpdate = values
    request.resultType = .updatedObjectIDsResultType
    return request
  }

  @Test("S8.3: changes the rows that match, raises their versions, and gives their IDs")
  func changesTheRowsThatMatch() throws {
    let context = stack.context()
    try context.performAndWait {
      let result = try #require(try context.execute(request("number > 7", ["title": "new"])) as? NSBatchUpdateResult)
      let ids = try #require(result.result as? [NSManagedObjectID])
      #expect(result.resultType == .updatedObjectIDsResultType)
      #expect(Set(ids) == Set(try context.notes(NSPredicate(format: "number > 7")).map(\.objectID)))
    }
    #expect(
      try stack.sql("SELECT Z_OPT || ZTITLE FROM ZNOTE ORDER BY ZNUMBER DESC LIMIT 4") == [
        "2new", "2new", "2new", "1note 7",
      ])
  }

  @Test func everyResultTypeSaysWhatItPromises() throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      let update = request("number <= 4", ["title": "x"])
      update.resultType = .updatedObjectsCountResultType
      #expect(try context.result(update) as? Int == 4)
      update.resultType = .statusOnlyResultType
      #expect(try context.result(update) as? Bool == true)
      #expect(update.entity.name == "Note")
      update.predicate = NSPredicate(format: "number == 99")
      update.resultType = .updatedObjectIDsResultType
      #expect(try context.result(update) as? [NSManagedObjectID] == [])
    }
  }

  @Test("S2.6: who is a member of the object already keeps its place")
  func membersKeepTheirPlaces() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("cab")
      shelf.arrange("bca")
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate = ["shelf": shelf]
      try context.execute(update)
    }
    #expect(try stack.stored("Shelf", "shelf") == "bca")
  }

  @Test("S2.6: who becomes a member is behind the others, also once a save has added one")
  func newMembersAreLast() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      for name in "dec" { context.make("Book", "\(name)") }
      let shelf = try context.seedShelf("ba")
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.predicate = NSPredicate(format: "shelf == nil")
      update.propertiesToUpdate = ["shelf": shelf]
      try context.execute(update)
      let joined = try stack.stored("Shelf", "shelf")
      #expect(joined.hasPrefix("ba") && joined.sorted() == Array("abcde"))
      try stack.change { $0.make("Book", "f").setValue(try $0.named("Shelf", "shelf"), forKey: "shelf") }
      #expect(try stack.stored("Shelf", "shelf") == joined + "f")
    }
  }

  @Test func valuesOfEveryTypeAreWrittenAsASaveWritesThem() throws {
    let stack = try TestStack(model: Zoo.model())
    let values: [String: Any] = [
      "aBool": true, "aData": Data([1, 2]), "aDate": Date(timeIntervalSinceReferenceDate: 5), "aDecimal": Decimal(7),
      "aDouble": 1.5, "aFloat": Float(2.5), "anInt16": 3, "anInt32": 4, "anInt64": 5, "aString": "s",
      "aURI": URL(string: "https://example.com/a")!, "aUUID": UUID(),
    ]
    try stack.change { context in
      context.insert("Sample", values)
      context.insert("Sample")
    }
    let update = NSBatchUpdateRequest(entityName: "Sample")
    update.predicate = NSPredicate(format: "aString == nil")
    update.propertiesToUpdate = values
    try stack.change { try $0.execute(update) }
    let columns = try stack.sql("SELECT name FROM pragma_table_info('ZSAMPLE') WHERE name GLOB 'ZA*'")
    #expect(columns.count == values.count)
    for column in columns {
      #expect(try stack.sql("SELECT count(DISTINCT typeof(\(column)) || quote(\(column))) FROM ZSAMPLE") == ["1"])
    }
    try stack.change { context in
      update.predicate = nil
      update.propertiesToUpdate = values.mapValues { _ in NSNull() }
      try context.execute(update)
    }
    #expect(
      try stack.sql("SELECT count(*) FROM ZSAMPLE WHERE coalesce(\(columns.joined(separator: ", "))) IS NULL") == ["2"])
  }

  @Test func propertiesMayBeDescriptionsAndRelationshipsToOne() throws {
    try stack.change { $0.insertNote(20, words: ["a", "b"]) }
    let context = stack.context()
    try context.performAndWait {
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Word", in: context))
      let update = NSBatchUpdateRequest(entity: entity)
      let note = try context.note(1)
      update.propertiesToUpdate = [
        try #require(entity.propertiesByName["level"]): 9, "note": note.objectID,
      ]
      try context.execute(update)
      #expect(note.words.count == 2)
      #expect(try context.words().map(\.level) == [9, 9])
      update.propertiesToUpdate = ["note": NSNull()]
      try context.execute(update)
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["NULL", "NULL"])
  }

  @Test func subentitiesCountUnlessTheRequestSaysOtherwise() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for (entity, name) in [("Cat", "c"), ("Lion", "l"), ("Bird", "b")] { context.insert(entity, ["name": name]) }
    }
    let update = NSBatchUpdateRequest(entityName: "Cat")
    update.propertiesToUpdate = ["legs": 4]
    update.resultType = .updatedObjectsCountResultType
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(try context.result(update) as? Int == 2)
      update.includesSubentities = false
      update.propertiesToUpdate = ["legs": 3]
      #expect(try context.result(update) as? Int == 1)
    }
    #expect(try stack.sql("SELECT ZNAME || ifnull(ZLEGS, '-') FROM ZANIMAL ORDER BY ZNAME") == ["b-", "c3", "l4"])
  }

  @Test func aPredicateThatSQLCannotSayIsEvaluatedInMemory() throws {
    let context = stack.context()
    try context.performAndWait {
      let update = request(nil, ["title": "x"])
      update.predicate = NSPredicate { object, _ in (object as? Note)?.number == 3 }
      let ids = try context.result(update) as? [NSManagedObjectID]
      #expect(ids == [try context.note(3).objectID])
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE WHERE ZTITLE = 'x' AND Z_OPT = 2") == ["3"])
  }

  @Test(
    "S2.4: the row cache answers until the IDs are merged, or a context asks the store"
  )
  func objectsKeepTheirValuesUntilTheIDsAreMerged() throws {
    let (context, other) = (stack.context(), stack.context("other"))
    try context.performAndWait {
      let (merged, refreshed) = (try context.note(1), try context.note(2))
      #expect(merged.title == "note 1" && refreshed.title == "note 2")
      let stale = try other.performAndWait { try other.notes().map(\.objectID) }
      let update = try context.execute(request("number <= 2", ["title": "new"])) as? NSBatchUpdateResult
      #expect(merged.title == "note 1" && !context.hasChanges)
      for keepsChanges in [false, true] {
        context.refresh(refreshed, mergeChanges: keepsChanges)
        #expect(refreshed.title == "note 2")
      }
      context.refreshAllObjects()
      #expect(refreshed.title == "note 2" && merged.title == "note 1")
      context.stalenessInterval = 0
      context.refresh(refreshed, mergeChanges: true)
      context.stalenessInterval = -1
      #expect(refreshed.title == "new")
      let ids = try #require(update?.result as? [NSManagedObjectID])
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
      #expect(merged.title == "new")
      // The next save is made over the new version.
      merged.title = "newer"
      try context.save()
      _ = stale
    }
    let fresh = stack.context("fresh")
    try fresh.performAndWait { () throws in #expect(try fresh.note(2).title == "new") }
    #expect(try stack.sql("SELECT Z_OPT FROM ZNOTE WHERE ZNUMBER <= 2") == ["3", "2"])
  }

  @Test("S3.3: a save over a row that a batch changed is a conflict")
  func aSaveOverARowThatABatchChangedIsAConflict() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try context.execute(request("number == 1", ["title": "batch"]))
      note.title = "mine"
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
    }
  }

  @Test func unsavedChangesAreNeitherLookedAtNorTouched() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      note.number = 100
      let update = request("number >= 100", ["title": "x"])
      #expect(try context.result(update) as? [NSManagedObjectID] == [])
      #expect(note.number == 100 && context.hasChanges)
    }
  }

  @Test func nothingIsPosted() throws {
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait { _ = try context.execute(request(nil, ["title": "x"])) }
    #expect(log.take().isEmpty)
  }

  @Test func whatCannotBeSetIsRefusedByName() throws {
    let context = stack.context()
    let before = try stack.dump()
    try context.performAndWait {
      let wrong: [([AnyHashable: Any]?, String)] = [
        (nil, "propertiesToUpdate"), (["nothing": 1], "Note.nothing"), (["title": 5], "Note.title"),
        (["words": NSNull()], "Note.words"),
      ]
      for (values, name) in wrong {
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = values
        let error = try #require(throws: NSError.self) { try context.execute(update) }
        #expect(error.localizedDescription.contains(name))
      }
      #expect(cocoaCode { try context.execute(NSBatchUpdateRequest(entityName: "None")) } == NSCoreDataError)
    }
    #expect(try stack.dump() == before)
  }

  @Test func expressionsAreComputedOverTheRowsAsTheyWere() throws {
    try stack.change { context in
      for number in 1...3 { context.insertNote(Int64(100 + number), words: ["\(number)"]) }
    }
    let context = stack.context()
    try context.performAndWait {
      let update = request(
        "number <= 2", ["number": NSExpression(format: "number + 10"), "title": NSExpression(forConstantValue: "x")])
      #expect((try context.result(update) as? [NSManagedObjectID])?.count == 2)
      let words = NSBatchUpdateRequest(entityName: "Word")
      words.propertiesToUpdate = [
        "level": NSExpression(format: "note.number - 100"), "term": NSExpression(forKeyPath: "note.title"),
      ]
      try context.execute(words)
      let wrong = request(nil, ["title": NSExpression(format: "number + 1")])
      #expect(cocoaCode { try context.execute(wrong) } == NSManagedObjectValidationError)
    }
    #expect(
      try stack.sql("SELECT ZNUMBER || ZTITLE || Z_OPT FROM ZNOTE WHERE ZTITLE = 'x' ORDER BY 1") == ["11x2", "12x2"])
    #expect(
      try stack.sql("SELECT ZLEVEL || typeof(ZLEVEL) FROM ZWORD ORDER BY 1") == ["1integer", "2integer", "3integer"])
  }

  @Test func constantsOfAChoiceAreOfThePropertysType() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for number in 1...2 { context.insert("Sample", ["anInt32": number, "aBool": number == 2]) }
    }
    let update = NSBatchUpdateRequest(entityName: "Sample")
    let (uuid, url) = (UUID(), try #require(URL(string: "https://example.com/a")))
    func choice(_ format: String, _ arguments: [Any] = []) -> NSExpression {
      NSExpression(format: format, argumentArray: arguments)
    }
    let context = stack.context()
    func read(_ key: String) throws -> [String] {
      let fresh = stack.context("fresh")
      return try fresh.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
        request.sortDescriptors = [NSSortDescriptor(key: "anInt32", ascending: true)]
        return try fresh.fetch(request).map { $0.value(forKey: key).map { "\($0)" } ?? "nil" }
      }
    }
    try context.performAndWait {
      for (key, expression, values) in [
        ("aBool", choice("TERNARY(anInt32 > 1, YES, NO)"), ["false", "true"]),
        ("aBool", choice("TERNARY(anInt32 > 1, NO, aBool)"), ["false", "false"]),
        (
          "aBool", choice("TERNARY(anInt32 > 1, %@, %@)", [NSNumber(value: false), NSNumber(value: true)]),
          ["true", "false"]
        ),
        ("aBool", choice("TERNARY(anInt32 > 1, 0, 1)"), ["true", "false"]),
        ("aBool", choice("TERNARY(anInt32 > 1, nil, TERNARY(anInt32 > 0, YES, NO))"), ["true", "nil"]),
        (
          "aDate", choice("TERNARY(anInt32 > 1, %@, nil)", [Date(timeIntervalSinceReferenceDate: 5)]),
          ["nil", "2001-01-01 00:00:05 +0000"]
        ),
        ("aDouble", choice("TERNARY(anInt32 > 1, 1, 2.5)"), ["2.5", "1.0"]),
        ("anInt64", choice("TERNARY(anInt32 > 1, YES, 7)"), ["7", "1"]),
        ("aDecimal", choice("TERNARY(anInt32 > 1, 1, %@)", [Decimal(2)]), ["2", "1"]),
        ("aString", choice("TERNARY(anInt32 > 1, 'a', 'b')"), ["b", "a"]),
        ("aUUID", choice("TERNARY(anInt32 > 1, %@, nil)", [uuid]), ["nil", "\(uuid)"]),
        ("aURI", choice("TERNARY(anInt32 > 1, %@, nil)", [url]), ["nil", "\(url)"]),
      ] {
        update.propertiesToUpdate = [key: expression]
        try context.execute(update)
        #expect(try read(key) == values, "\(key): \(expression)")
      }
      for (key, expression) in [
        ("aBool", choice("TERNARY(anInt32 > 1, 'a', 'b')")), ("aBool", choice("TERNARY(anInt32 > 1, anInt16, 0)")),
        ("aBool", choice("anInt32 + 1")), ("aString", choice("TERNARY(anInt32 > 1, 1, 2)")),
      ] {
        update.propertiesToUpdate = [key: expression]
        #expect(cocoaCode { try context.execute(update) } == NSManagedObjectValidationError, "\(key): \(expression)")
      }
    }
  }

  @Test func aViolatedConstraintLeavesTheStoreUntouched() throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...5)
    let before = try stack.dump()
    let update = request("number >= 3", ["number": 7, "title": "x"])
    let context = stack.context()
    context.performAndWait {
      #expect(cocoaCode { try context.execute(update) } == NSManagedObjectConstraintMergeError)
    }
    #expect(try stack.dump() == before)
  }
}
