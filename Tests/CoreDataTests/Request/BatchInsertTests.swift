import SQLite
import Testing

@testable import CoreData

@Suite("S7.4 Batch inserts", .everyStore)
struct BatchInsertTests {
  /// Carries a request out in a context of its own; the IDs it gives.
  @discardableResult
  private func insert(
    _ request: NSBatchInsertRequest, _ stack: TestStack, policy: NSMergePolicy = .error
  ) throws -> [NSManagedObjectID] {
    request.resultType = .objectIDs
    let context = stack.context()
    return try context.performAndWait {
      context.mergePolicy = policy
      return try #require(try context.result(request) as? [NSManagedObjectID])
    }
  }

  @Test func objectsGetKeysDefaultsAndVersionOne() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let ids = try insert(
      NSBatchInsertRequest(entityName: "Word", objects: [["term": "a", "level": 5], ["term": "b"]]), stack)
    #expect(
      try stack.sql("SELECT Z_PK || Z_ENT || Z_OPT || ZTERM || ZLEVEL || ifnull(ZNOTE, '-') FROM ZWORD")
        == ["131a5-", "231b1-"])
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(try context.words().map(\.objectID) == ids)
      #expect(try context.words().map(\.level) == [5, 1])
    }
    // Saves continue with the keys after them.
    try stack.change { $0.insertNote(9, words: ["c"]) }
    #expect(try stack.sql("SELECT max(Z_PK) FROM ZWORD") == ["3"])
    #expect(try stack.sql("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_NAME") == ["4", "0", "3"])
  }

  @Test func everyResultTypeSaysWhatItPromises() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["number": 1], ["number": 2]])
      #expect(try context.result(request) as? Bool == true)
      request.resultType = .count
      #expect(try context.result(request) as? Int == 2)
      #expect(request.entity?.name == "Note")
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["4"])
  }

  @Test func handlersFillRowsUntilTheySayThereIsNone() throws {
    let stack = try TestStack()
    let context = stack.context()
    let entity = try #require(stack.container.managedObjectModel.entitiesByName["Note"])
    var number: Int64 = 0
    try context.performAndWait {
      let dictionaries = NSBatchInsertRequest(entity: entity) { (dictionary: NSMutableDictionary) in
        #expect(dictionary.count == 0)
        number += 1
        dictionary["number"] = number
        if number == 1 { dictionary["title"] = "first" }
        return number > 3
      }
      try context.execute(dictionaries)
      number = 10
      let objects = NSBatchInsertRequest(entityName: "Note") { (object: NSManagedObject) in
        #expect((object as? Note)?.title == nil && object.managedObjectContext == nil)
        number += 1
        (object as? Note)?.number = number
        if number == 11 { object.setValue("eleventh", forKey: "title") }
        return number > 12
      }
      try context.execute(objects)
      #expect(try context.notes().map(\.number) == [1, 2, 3, 11, 12])
      #expect(try context.notes().map(\.title) == ["first", nil, nil, "eleventh", nil])
    }
  }

  @Test func everyTypeIsWrittenAsASaveWritesIt() throws {
    let stack = try TestStack(model: Zoo.model())
    let values: [String: Any] = [
      "aBool": true, "aData": Data([1, 2]), "aDate": Date(timeIntervalSinceReferenceDate: 5), "aDecimal": Decimal(7),
      "aDouble": 1.5, "aFloat": Float(2.5), "anInt16": 3, "anInt32": 4, "anInt64": 5, "aString": "s",
      "aURI": URL(string: "https://example.com/a")!, "aUUID": UUID(),
    ]
    try stack.change { $0.insert("Sample", values) }
    try insert(NSBatchInsertRequest(entityName: "Sample", objects: [values]), stack)
    let rows = try stack.dump().filter { $0.hasPrefix("ZSAMPLE") }.map { $0.split(separator: ",").dropFirst() }
    #expect(rows.count == 2 && rows.first == rows.last)
  }

  @Test func subentitiesShareTheKeysOfTheirRoot() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { $0.insert("Bird", ["name": "b"]) }
    try insert(NSBatchInsertRequest(entityName: "Lion", objects: [["name": "l", "pride": 3, "legs": 4]]), stack)
    #expect(try stack.sql("SELECT Z_PK || ZNAME FROM ZANIMAL ORDER BY Z_PK") == ["1b", "2l"])
    let context = stack.context()
    try context.performAndWait { () throws in #expect(try context.all("Cat").map { $0.entity.name } == ["Lion"]) }
    #expect(cocoaCode { try insert(NSBatchInsertRequest(entityName: "Animal", objects: [[:]]), stack) } != nil)
  }

  @Test("S3.5: the merge policy decides about a row that has the values already")
  func theMergePolicyDecides() throws {
    let objects: [[String: Any]] = [["number": 2, "title": "batch"], ["number": 8, "title": "new"]]
    let expected: [(NSMergePolicy, [String])] = [
      (.mergeByPropertyStoreTrump, ["1", "note 1", "1", "note 2", "1", "new"]),
      (.rollback, ["1", "note 1", "1", "note 2", "1", "new"]),
      (.mergeByPropertyObjectTrump, ["1", "note 1", "2", "batch", "1", "new"]),
      (.overwrite, ["1", "note 1", "2", "batch", "1", "new"]),
    ]
    for (policy, rows) in expected {
      let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
      try stack.seed(1...2)
      try stack.change { try $0.note(2).createdAt = Date(timeIntervalSinceReferenceDate: 1) }
      try Connection.clearVersions(stack)
      let ids = try insert(NSBatchInsertRequest(entityName: "Note", objects: objects), stack, policy: policy)
      let isKept = rows[2] == "1"
      #expect(ids.count == (isKept ? 1 : 2))
      let found = try stack.sql("SELECT Z_OPT || '|' || ZTITLE FROM ZNOTE ORDER BY ZNUMBER").flatMap {
        $0.split(separator: "|").map(String.init)
      }
      #expect(found == rows, "\(policy.mergeType)")
      // A value that was not given stays, but for the policy that overwrites.
      let date = try stack.sql("SELECT ZCREATEDAT FROM ZNOTE WHERE ZNUMBER = 2")
      #expect((date == ["NULL"]) == (policy === NSMergePolicy.overwrite))
      #expect(try stack.sql("SELECT max(Z_PK) FROM ZNOTE") == ["3"])
      #expect(try stack.sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == ["3"])
    }
  }

  @Test("S3.5: the error policy fails, and the store has none of the rows")
  func theErrorPolicyFails() throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...2)
    let before = try stack.dump()
    let request = NSBatchInsertRequest(entityName: "Note", objects: [["number": 5], ["number": 2]])
    #expect(cocoaCode { try insert(request, stack) } == NSManagedObjectConstraintMergeError)
    #expect(try stack.dump() == before)
    // Nulls never collide.
    let nulls = NSBatchInsertRequest(entityName: "Note", objects: [["number": NSNull()], ["number": NSNull()]])
    #expect(try insert(nulls, stack).count == 2)
  }

  @Test func anUpdatedRowIsSeenByARefresh() throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try insert(
        NSBatchInsertRequest(entityName: "Note", objects: [["number": 1, "title": "x"]]), stack,
        policy: .mergeByPropertyObjectTrump)
      #expect(note.title == "note 1")
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "x")
    }
  }

  @Test func whatCannotBeSetIsRefusedByNameAndNothingIsInserted() throws {
    let stack = try TestStack()
    let wrong: [(String, Any, String)] = [
      ("nothing", 1, "Note.nothing"), ("title", 5, "Note.title"), ("words", NSNull(), "Note.words"),
    ]
    for (key, value, name) in wrong {
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["number": 1], [key: value]])
      let error = try #require(throws: NSError.self) { try insert(request, stack) }
      #expect(error.localizedDescription.contains(name) && error.code == NSManagedObjectValidationError)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  @Test func mandatoryValuesMayBeMissing() throws {
    let stack = try TestStack(model: Notebook.model(titleIsOptional: false))
    try insert(NSBatchInsertRequest(entityName: "Note", objects: [[:]]), stack)
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["NULL"])
  }

  @Test("a handler cannot save, and its trying does no harm")
  func aHandlerCannotSave() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context("other"))
    var number: Int64 = 0
    var codes: [Int?] = []
    try context.performAndWait {
      _ = try context.execute(
        NSBatchInsertRequest(entityName: "Note") { (dictionary: NSMutableDictionary) in
          number += 1
          dictionary["number"] = number
          other.performAndWait {
            other.insertNote(100)
            codes.append(cocoaCode { try other.save() })
          }
          return number > 2
        })
    }
    #expect(codes == [132001, 132001, 132001])
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
    try other.performAndWait { try other.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["5"])
  }

  @Test func aChildsRequestGoesToTheStore() throws {
    let stack = try TestStack()
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try child.performAndWait {
      try child.execute(NSBatchInsertRequest(entityName: "Note", objects: [["number": 4]]))
      #expect(try child.notes().map(\.number) == [4])
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE") == ["4"])
  }
}

extension Connection {
  /// Makes every note one that was just inserted.
  fileprivate static func clearVersions(_ stack: TestStack) throws {
    try stack.withWriter { try $0.connection.execute("UPDATE ZNOTE SET Z_OPT = 1") }
  }
}
