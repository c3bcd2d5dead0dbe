import Scheduling
import Testing

@testable import CoreData

@Suite("S7.4, S8.1 Batch deletes", .everyStore)
struct BatchDeleteTests {
  private func request(_ entity: String, _ format: String? = nil) -> NSBatchDeleteRequest {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = format.map { NSPredicate(format: $0) }
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeObjectIDs
    return request
  }

  /// Carries a request out in a context of its own; the IDs it gives.
  @discardableResult
  private func delete(_ request: NSBatchDeleteRequest, _ stack: TestStack) throws -> [NSManagedObjectID] {
    let context = stack.context()
    return try context.performAndWait {
      try #require(try context.result(request) as? [NSManagedObjectID])
    }
  }

  @Test func everyResultTypeSaysWhatItPromises() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in for number in 1...9 { context.insert("Sample", ["anInt64": number]) } }
    let context = stack.context()
    try context.performAndWait {
      let delete = request("Sample", "anInt64 <= 2")
      let ids = try context.all("Sample").filter { $0.value(forKey: "anInt64") as? Int ?? 0 <= 2 }.map(\.objectID)
      #expect(try context.result(delete) as? [NSManagedObjectID] == ids)
      let another = request("Sample", "anInt64 <= 5")
      another.resultType = .resultTypeCount
      #expect(try context.result(another) as? Int == 3)
      another.resultType = .resultTypeStatusOnly
      #expect(try context.result(another) as? Bool == true)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZSAMPLE") == ["4"])
  }

  // S3.3: a row that led to a deleted one by two relationships is changed once.
  @Test func aRowThatLosesTwoReferencesIsChangedOnce() throws {
    let person = Notebook.entity("Person", NSManagedObject.self)
    let book = Notebook.entity("Book", NSManagedObject.self)
    person.properties = [Notebook.attribute("name", .stringAttributeType)]
    book.properties = [Notebook.attribute("title", .stringAttributeType)]
    for (one, many) in [("author", "books"), ("editor", "edited")] {
      let there = Notebook.relationship(one, to: person, maxCount: 1)
      let back = Notebook.relationship(many, to: book, maxCount: 0)
      (there.inverseRelationship, back.inverseRelationship) = (back, there)
      book.properties.append(there)
      person.properties.append(back)
    }
    let model = NSManagedObjectModel()
    model.entities = [person, book]
    let stack = try TestStack(model: model)
    try stack.change { context in
      let (a, b) = (context.insert("Person", ["name": "a"]), context.insert("Person", ["name": "b"]))
      context.insert("Book", ["title": "one", "author": a, "editor": a])
      context.insert("Book", ["title": "two", "author": b, "editor": a])
      context.insert("Book", ["title": "three", "author": b, "editor": b])
    }
    try delete(request("Person", "name == 'a'"), stack)
    let rows = try stack.sql(
      "SELECT ZTITLE || ' ' || Z_OPT || ' ' || (ZAUTHOR IS NULL) || (ZEDITOR IS NULL) FROM ZBOOK ORDER BY ZTITLE")
    #expect(rows == ["one 2 11", "three 1 00", "two 2 01"])
  }

  @Test func limitOffsetAndOrderOfTheFetchCount() throws {
    let stack = try TestStack()
    try stack.seed(1...10)
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    fetch.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    fetch.fetchLimit = 3
    fetch.fetchOffset = 1
    try delete(NSBatchDeleteRequest(fetchRequest: fetch).asking(.resultTypeObjectIDs), stack)
    #expect(try stack.sql("SELECT group_concat(ZNUMBER) FROM ZNOTE") == ["1,2,3,4,5,6,10"])
  }

  @Test func theFetchRequestIsCopied() throws {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    let delete = NSBatchDeleteRequest(fetchRequest: fetch)
    fetch.fetchLimit = 1
    #expect(delete.fetchRequest.fetchLimit == 0)
    #expect(delete.fetchRequest.entityName == "Note")
    #expect(delete.requestType == .batchDeleteRequestType)
  }

  @Test func objectsAreDeletedByTheirIDs() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...5)
    let request = NSBatchDeleteRequest(objectIDs: [ids[1], ids[3]])
    request.resultType = .resultTypeObjectIDs
    #expect(Set(try delete(request, stack)) == [ids[1], ids[3]])
    #expect(try stack.sql("SELECT group_concat(ZNUMBER) FROM ZNOTE") == ["1,3,5"])
    #expect(try delete(request, stack) == [])
  }

  @Test("S6.3: of objects in other stores than the affected ones, none is deleted")
  func objectsOfAffectedStoresAreDeletedByTheirIDs() throws {
    let stack = try SeveralStores()
    let request = NSBatchDeleteRequest(objectIDs: try stack.seed(1...4))
    request.resultType = .resultTypeCount
    request.affectedStores = [stack.stores[0]]
    let context = stack.context()
    try context.performAndWait {
      let result = try context.execute(request) as? NSBatchDeleteResult
      #expect(result?.result as? Int == 2)
    }
    #expect(try stack.sql(0, "SELECT ZNUMBER FROM ZNOTE") == [])
    #expect(try stack.sql(1, "SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == ["2", "4"])
    request.affectedStores = []
    context.performAndWait {
      #expect(cocoaCode { try context.execute(request) } == NSPersistentStoreOperationError)
    }
  }

  @Test func idsOfTwoHierarchiesAreRefused() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1, words: ["a"])[0]
    let context = stack.context()
    try context.performAndWait {
      let word = try #require(try context.words().first)
      let request = NSBatchDeleteRequest(objectIDs: [id, word.objectID])
      #expect(cocoaCode { try context.execute(request) } == NSCoreDataError)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["1"])
  }

  @Test("S8.1: cascades continue from row to row, and join rows go with them")
  func cascadesGoOn() throws {
    let stack = try TestStack()
    try stack.change { context in
      for number in 1...3 {
        let note = context.insertNote(Int64(number), words: ["a\(number)", "b\(number)"])
        let tag = context.insert("Tag", ["name": "t\(number)"])
        for case let word as Word in note.words { word.tags = [tag] }
      }
    }
    #expect(try delete(request("Note", "number <= 2"), stack).count == 2)
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD ORDER BY ZTERM") == ["a3", "b3"])
    #expect(try stack.sql("SELECT count(*) FROM ZTAG") == ["3"])
    let joins = try stack.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    #expect(try joins.flatMap { try stack.sql("SELECT count(*) FROM \($0)") } == ["2"])
  }

  @Test("S8.1: nullify empties the other side and raises its version")
  func nullifyEmptiesTheOtherSide() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .nullifyDeleteRule))
    try stack.seed(1...2, words: ["a", "b"])
    try delete(request("Note", "number == 1"), stack)
    #expect(try stack.sql("SELECT Z_OPT FROM ZWORD WHERE ZNOTE IS NULL") == ["2", "2"])
    #expect(try stack.sql("SELECT Z_OPT FROM ZWORD WHERE ZNOTE IS NOT NULL") == ["1", "1"])
  }

  @Test("S8.1: deny refuses the whole request unless what prevents it is deleted too")
  func denyRefusesTheWholeRequest() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for name in ["free", "busy"] { context.insert("Keeper", ["name": name]) }
      let busy = try context.all("Keeper", where: "name", is: "busy")[0]
      context.insert("Cat", ["name": "c", "keeper": busy])
    }
    let before = try stack.dump()
    #expect(
      cocoaCode { try delete(request("Keeper"), stack) } == NSValidationRelationshipDeniedDeleteError)
    #expect(try stack.dump() == before)
    try delete(request("Keeper", "name == 'free'"), stack)
    try delete(request("Animal"), stack)
    try delete(request("Keeper"), stack)
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER") == ["0"])
  }

  @Test("S8.1: one-to-one, reflexive and many-to-many relationships within one entity are left clean")
  func relationshipsWithinOneEntityAreLeftClean() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      let keepers = ["a", "b", "c"].map { context.insert("Keeper", ["name": $0]) }
      for keeper in keepers {
        keeper.setValue(context.insert("Badge"), forKey: "badge")
        keeper.setValue(Set(keepers.filter { $0 !== keeper }), forKey: "friends")
      }
      keepers[0].setValue(Set([keepers[1], keepers[2]]), forKey: "pupils")
      context.insert("Lion", ["name": "l"]).setValue(Set(keepers), forKey: "fans")
    }
    try delete(request("Keeper", "name == 'a'"), stack)
    let context = stack.context()
    try context.performAndWait {
      let keepers = try context.all("Keeper")
      #expect(keepers.map { $0.names("friends") }.sorted { $0[0] < $1[0] } == [["b"], ["c"]])
      #expect(keepers.allSatisfy { $0.objects("mentors").isEmpty && $0.object("badge") != nil })
      #expect(try context.all("Badge").count == 2)
      #expect(try context.all("Lion")[0].names("fans") == ["b", "c"])
    }
    // Both rules of the one-to-one relationship cascade.
    try delete(request("Badge"), stack)
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER") == ["0"])
  }

  @Test("S8.1: a relationship that is not optional is not left empty")
  func aMandatoryRelationshipIsNotLeftEmpty() throws {
    let model = Notebook.model(wordsRule: .nullifyDeleteRule)
    model.entitiesByName["Word"]?.relationshipsByName["note"]?.isOptional = false
    let stack = try TestStack(model: model)
    try stack.seed(1...2, words: ["a"])
    let before = try stack.dump()
    #expect(cocoaCode { try delete(request("Note"), stack) } == NSPersistentStoreSaveConflictsError)
    #expect(try stack.dump() == before)
    try delete(request("Word"), stack)
    try delete(request("Note"), stack)
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  @Test("S8.1: a to-many relationship that is not optional keeps a member")
  func aMandatoryToManyRelationshipKeepsAMember() throws {
    let model = Notebook.model()
    model.entitiesByName["Note"]?.relationshipsByName["words"]?.isOptional = false
    let stack = try TestStack(model: model)
    try stack.seed(1...2, words: ["a", "b"])
    try delete(request("Word", "term == 'a'"), stack)
    #expect(cocoaCode { try delete(request("Word"), stack) } == NSPersistentStoreSaveConflictsError)
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["2"])
    try delete(request("Note"), stack)
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  @Test("S8.2: a registered object keeps its values until the IDs are merged; others find no row")
  func objectsStayUntilTheIDsAreMerged() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let (context, other) = (stack.context(), stack.context("other"))
    let note = try context.performAndWait { try context.note(2) }
    let id = note.objectID
    context.performAndWait { #expect(note.title == "note 2") }
    let ids = try delete(request("Note", "number == 2"), stack)
    try context.performAndWait {
      #expect(note.title == "note 2" && !note.isDeleted)
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
      #expect(note.isDeleted && context.registeredObject(for: id) == nil)
      try context.save()
    }
    try other.performAndWait { () throws in
      #expect(
        cocoaCode { _ = try other.existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
      #expect(try other.notes().map(\.number) == [1, 3])
    }
  }

  @Test func nothingIsPosted() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait { _ = try context.execute(request("Note")) }
    #expect(log.take().isEmpty)
  }

  @Test("a delete by rules leaves the file as objects deleted and saved one by one do", arguments: 0..<40)
  func rulesAreThoseOfASave(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rules: [NSDeleteRule] = [.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
    let rule = rules[Int.random(in: 0..<3, using: &random)]
    let (one, other) = (
      try TestStack(model: Notebook.model(wordsRule: rule)), try TestStack(model: Notebook.model(wordsRule: rule))
    )
    for stack in [one, other] {
      var random = random
      try stack.change { context in
        let notes = (0..<8).map { context.insertNote(Int64($0)) }
        let tags = (0..<4).map { context.insert("Tag", ["name": "\($0)"]) }
        // Keys are allotted in the order of insertion.
        try context.save()
        for number in 0..<20 {
          let word = Word(context: context)
          word.term = "\(number)"
          word.note = Int.random(in: 0..<3, using: &random) == 0 ? nil : notes.randomElement(using: &random)
          word.tags = Set(tags.filter { _ in Bool.random(using: &random) })
        }
      }
    }
    let format =
      ["number < 3", "number IN {1, 5, 6}", "number > 100", "number >= 0"].randomElement(using: &random) ?? ""
    let entity = Bool.random(using: &random) ? "Note" : "Word"
    let words = entity == "Word" ? "term IN {'1', '4', '7', '12'}" : format
    let failure = cocoaCode { try delete(request(entity, words), one) }
    let expected = cocoaCode {
      try other.change { context in
        let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
        fetch.predicate = NSPredicate(format: words)
        for object in try context.fetch(fetch) { context.delete(object) }
      }
    }
    // A save lists every denial, a batch the first.
    let code = expected == NSValidationMultipleErrorsError ? NSValidationRelationshipDeniedDeleteError : expected
    #expect(failure == code, "seed \(seed)")
    #expect(try one.contents() == other.contents(), "seed \(seed)")
  }
}

extension NSBatchDeleteRequest {
  fileprivate func asking(_ type: NSBatchDeleteRequestResultType) -> NSBatchDeleteRequest {
    resultType = type
    return self
  }
}

extension TestStack {
  /// The rows of the notebook by their values, without keys and versions.
  fileprivate func contents() throws -> [String] {
    let context = context("contents")
    return try context.performAndWait {
      let notes = try context.notes().map { note in
        "note \(note.number): \(note.words.compactMap { ($0 as? Word)?.term }.sorted())"
      }
      let words = try context.words().map { "word \($0.term ?? ""): \($0.note?.number ?? -1) \($0.names("tags"))" }
      return notes + words
        + (try context.all("Tag").map { tag in
          "tag \(tag.string("name") ?? ""): \(tag.objects("words").compactMap { $0.string("term") }.sorted())"
        }.sorted())
    }
  }
}
