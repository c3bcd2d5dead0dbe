import SQLite
import Testing

@testable import CoreData

/// The history of saves and batch requests.
@Suite("S10.1 Persistent history", .everyStore)
struct PersistentHistoryTests {
  @Test func aSaveIsOneTransaction() throws {
    let stack = try TestStack.withHistory()
    let context = stack.context("editor")
    try context.performAndWait {
      context.transactionAuthor = "app"
      context.insertNote(1, words: ["a"])
      context.insertNote(2)
      try context.save()
      try context.note(1).title = "new"
      context.delete(try context.note(2))
      try context.save()
    }
    let transactions = try stack.transactions()
    #expect(transactions.map(\.transactionNumber) == [1, 2])
    #expect(transactions.allSatisfy { $0.author == "app" && $0.contextName == "editor" })
    #expect(transactions.allSatisfy { $0.processID == ProcessInfo.processInfo.processName && !$0.bundleID.isEmpty })
    #expect(Set(try stack.changes(1)) == ["insert Note 1", "insert Note 2", "insert Word 1"])
    #expect(try stack.changes(2) == ["update Note 1 title", "delete Note 2"])
    #expect(transactions.flatMap { $0.changes ?? [] }.map(\.changeID) == [1, 2, 3, 4, 5])
    #expect(transactions[0].timestamp <= transactions[1].timestamp)
    #expect(transactions[0].changes?.first?.transaction?.author == "app")
    try stack.expectHistoryGivesTheFile()
  }

  @Test func whatIsNotWrittenIsNotRecorded() throws {
    let stack = try TestStack.withHistory()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "other"
      note.title = "note 1"
      context.delete(context.insertNote(2))
      try context.save()
    }
    #expect(try stack.transactions().count == 1)
    context.performAndWait {
      context.insertNote(3).setValue(nil, forKey: "title")
      context.undoManager = nil
      context.rollback()
    }
    #expect(try stack.token() == stack.transactions().last?.token)
  }

  @Test func aChildsSaveIsRecordedWithItsRoots() throws {
    let stack = try TestStack.withHistory()
    let root = stack.context("root")
    let child = stack.child(of: root)
    try child.performAndWait {
      child.insertNote(1)
      try child.save()
      try child.note(1).title = "t"
      try child.save()
    }
    #expect(try stack.transactions().isEmpty)
    try root.performAndWait { try root.save() }
    #expect(try stack.changes(1) == ["insert Note 1"])
    #expect(try stack.transactions().first?.contextName == "root")
  }

  @Test func relationshipsAreNamedOnBothSides() throws {
    let stack = try TestStack.withHistory()
    try stack.change { context in
      context.insertNote(1)
      context.insertNote(2, words: ["a"])
      context.insert("Tag", ["name": "t"])
    }
    try stack.change { context in
      let word = try #require(context.words().first)
      word.note = try context.note(1)
      word.setValue(Set(try context.all("Tag")), forKey: "tags")
    }
    #expect(
      try Set(stack.changes(2)) == [
        "update Note 1 words", "update Note 2 words", "update Word 1 note tags", "update Tag 1 words",
      ])
  }

  @Test func cascadesAndNullifiedPartnersAreRecorded() throws {
    let stack = try TestStack.withHistory(model: Zoo.model())
    try stack.change { context in
      let keeper = context.insert("Keeper", ["name": "K"])
      context.insert("Badge", ["code": 7]).setValue(keeper, forKey: "keeper")
      let cat = context.insert("Cat", ["name": "c"])
      keeper.setValue(cat, forKey: "favourite")
    }
    try stack.change { context in context.delete(try context.all("Cat")[0]) }
    #expect(try stack.changes(2) == ["update Keeper 1 favourite", "delete Cat 1"])
    try stack.change { context in context.delete(try context.all("Keeper")[0]) }
    #expect(try Set(stack.changes(3)) == ["delete Keeper 1", "delete Badge 1"])
    try stack.expectHistoryGivesTheFile()
  }

  // S10.1: inserts, then updates, then deletes. Of the shelf only its total is written, which is noted after the deletes.
  @Test func deletesComeAfterDerivedValues() throws {
    let stack = try TestStack.withHistory(model: Shelves.model())
    try stack.change { context in
      let shelf = context.insert("Shelf", ["label": "one"])
      context.insert("Item", ["number": 1]).setValue(shelf, forKey: "shelf")
      context.insert("Item", ["number": 2])
    }
    try stack.change { context in
      for item in try context.all("Item") {
        if item.value(forKey: "shelf") == nil { context.delete(item) } else { item.setValue(7, forKey: "number") }
      }
    }
    #expect(try stack.changes(2).map { $0.split(separator: " ")[0] } == ["update", "update", "delete"])
    try stack.expectHistoryGivesTheFile()
  }

  // S10.1: many changes are written by a statement for each entity, kind and set of properties; few together.
  @Test func changesOfManyKindsAreEachRecorded() throws {
    let stack = try TestStack.withHistory()
    try stack.change { context in
      for number in 1...12 { context.insertNote(Int64(number), words: ["a", "b"]) }
    }
    try stack.change { context in
      for number in 1...12 {
        let note = try context.note(Int64(number))
        if number % 4 == 0 {
          context.delete(note)
        } else {
          note.title = "new"
          if number == 2 { note.number = 102 }
        }
        context.insertNote(Int64(number + 20))
      }
    }
    let words = (1...24).map { "insert Word \($0)" }
    #expect(Set(try stack.changes(1)) == Set((1...12).map { "insert Note \($0)" } + words))
    let kept = (1...12).filter { $0 % 4 != 0 }.map { "update Note \($0)\($0 == 2 ? " number" : "") title" }
    let changes = try stack.changes(2)
    #expect(changes.prefix(12) == ArraySlice((13...24).map { "insert Note \($0)" }))
    #expect(Set(changes.dropFirst(12).prefix(9)) == Set(kept))
    #expect(changes.filter { $0.hasPrefix("delete Note") } == ["delete Note 4", "delete Note 8", "delete Note 12"])
    #expect(changes.count == 12 + 9 + 3 + 6 && changes.suffix(9).allSatisfy { $0.hasPrefix("delete") })
    let numbers = try stack.transactions().flatMap { $0.changes ?? [] }.map(\.changeID)
    #expect(numbers == (1...66).map { Int64($0) })
    try stack.expectHistoryGivesTheFile()
  }

  // S10.1: in the order of keys, in every process.
  @Test func derivedValuesAreInTheOrderOfKeys() throws {
    let stack = try TestStack.withHistory(model: Shelves.model())
    try stack.change { context in
      for number in 1...8 {
        context.insert("Item", ["number": number]).setValue(
          context.insert("Shelf", ["label": "\(number)"]), forKey: "shelf")
      }
    }
    try stack.change { context in for item in try context.all("Item") { item.setValue(100, forKey: "number") } }
    let shelves = try stack.changes(2).filter { $0.hasPrefix("update Shelf") }.map { $0.split(separator: " ")[2] }
    #expect(shelves == (1...8).map { "\($0)" })
  }

  @Test func whatAMergePolicyDecidesIsRecorded() throws {
    let stack = try TestStack.withHistory(model: Notebook.model(uniqueNotes: [["title"]]))
    try stack.change { $0.insertNote(1, title: "same") }
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.insertNote(2, title: "same")
      try context.save()
    }
    try stack.expectHistoryGivesTheFile()
    let late = stack.context()
    try late.performAndWait {
      late.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let note = try #require(late.notes().first)
      _ = note.title
      try stack.change { try $0.notes().first?.number = 8 }
      note.number = 9
      note.uuid = UUID()
      try late.save()
    }
    let (key, changes) = (try stack.sql("SELECT Z_PK FROM ZNOTE")[0], try stack.changes(4))
    #expect(changes == ["update Note \(key) uuid"])
    try stack.expectHistoryGivesTheFile()
  }

  @Test func batchRequestsAreRecorded() throws {
    let stack = try TestStack.withHistory(model: Notebook.model(wordsRule: .nullifyDeleteRule))
    let context = stack.context("batch")
    try context.performAndWait {
      context.transactionAuthor = "import"
      _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: (1...20).map { ["number": $0] }))
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(format: "number <= 2")
      update.propertiesToUpdate = ["title": "t", "number": NSExpression(format: "number + 100")]
      _ = try context.execute(update)
    }
    #expect(try stack.changes(1) == (1...20).map { "insert Note \($0)" })
    #expect(try stack.changes(2) == ["update Note 1 number title", "update Note 2 number title"])
    #expect(try stack.transactions().allSatisfy { $0.author == "import" && $0.contextName == "batch" })
    try stack.change { context in
      let word = Word(context: context)
      word.note = try context.note(101)
    }
    try context.performAndWait {
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      fetch.predicate = NSPredicate(format: "number > 100")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    }
    #expect(try stack.changes(4) == ["update Word 1 note", "delete Note 1", "delete Note 2"])
    try stack.expectHistoryGivesTheFile()
  }

  /// One object comes once in a transaction.
  @Test func aBatchInsertThatMeetsARowTwiceRecordsItOnce() throws {
    let stack = try TestStack.withHistory(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let rows: [[String: Any]] = [
        ["number": 1, "title": "a"], ["number": 1, "uuid": UUID()], ["number": 5], ["number": 5, "title": "b"],
      ]
      _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
    }
    #expect(try stack.changes(2) == ["insert Note 2", "update Note 1 number title uuid"])
    try stack.expectHistoryGivesTheFile()
  }

  /// S10.1: the overwrite policy writes every attribute of the row that was there, and no relationship.
  @Test func aBatchInsertThatOverwritesARowNamesNoRelationship() throws {
    let stack = try TestStack.withHistory(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.overwrite
      _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: [["number": 1, "title": "a"]]))
    }
    #expect(try stack.changes(2) == ["update Note 1 createdAt number title uuid"])
    try stack.expectHistoryGivesTheFile()
  }

  @Test func aFailedSaveLeavesNothing() throws {
    let stack = try TestStack.withHistory(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...1)
    let context = stack.context("one that fails")
    context.performAndWait {
      context.transactionAuthor = "new author"
      context.insertNote(1)
      #expect(cocoaCode { try context.save() } == NSManagedObjectConstraintMergeError)
    }
    #expect(try stack.transactions().count == 1)
    let other = stack.context("one that fails")
    try other.performAndWait {
      other.transactionAuthor = "new author"
      other.insertNote(2)
      try other.save()
    }
    #expect(try stack.transactions().last?.author == "new author")
    #expect(try stack.sql("SELECT count(*) - count(DISTINCT ZNAME) FROM ATRANSACTIONSTRING") == ["0"])
    try stack.expectHistoryGivesTheFile()
  }

  @Test func placesOfMembersAreRecorded() throws {
    let library = try TestStack.withHistory(model: Library.model())
    let context = library.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      shelf.arrange("cab")
      try context.save()
    }
    let changes = try library.changes(2)
    #expect(changes.contains("update Shelf 1 books"))
    #expect(changes.contains { $0.hasPrefix("update Book") && $0.hasSuffix("shelf") })
  }

  // S10.1: a batch request records only its own changes.
  @Test func aSaveThatFailsLeavesNoPlacesOfMembers() throws {
    let library = try TestStack.withHistory(model: Library.model())
    let context = library.context()
    try context.performAndWait {
      let reader = context.make("Reader", "first")
      let shelf = try context.seedShelf("abc")
      context.detectConflicts(for: reader)
      try library.change { try $0.named("Reader", "first").setValue("second", forKey: "name") }
      shelf.arrange("cab")
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
    }
    let request = NSBatchUpdateRequest(entityName: "Reader")
    request.propertiesToUpdate = ["name": "third"]
    try library.change { _ = try $0.execute(request) }
    #expect(try library.changes(3) == ["update Reader 1 name"])
  }

  // S10.1
  @Test func aTransformedValueThatWasSetBeforeTheDeletionIsKept() throws {
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    let list = Notebook.attribute("list", .transformableAttributeType)
    list.preservesValueInHistoryOnDeletion = true
    thing.properties = [list]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    let stack = try TestStack.withHistory(model: model)
    try stack.change { $0.insert("Thing", ["list": ["first"]]) }
    try stack.change { context in
      let thing = try context.all("Thing")[0]
      thing.setValue(["last"], forKey: "list")
      context.delete(thing)
    }
    let tombstone = try #require(try stack.transactions().last?.changes?.first?.tombstone)
    #expect(tombstone["list"] as? [String] == ["last"])
  }

  @Test func valuesOfDeletedObjectsAreKept() throws {
    let model = Notebook.model()
    for name in ["number", "title", "uuid", "createdAt"] {
      model.entitiesByName["Note"]?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
    }
    let stack = try TestStack.withHistory(model: model)
    let (uuid, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 12_345))
    try stack.change { context in
      let note = context.insertNote(1, title: "first")
      (note.uuid, note.createdAt) = (uuid, date)
      context.insertNote(2, title: "second")
    }
    try stack.change { context in
      let note = try context.note(1)
      note.title = "last"
      context.delete(note)
    }
    let context = stack.context()
    try context.performAndWait {
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    }
    let transactions = try stack.transactions()
    let tombstone = try #require(transactions[1].changes?.first?.tombstone)
    #expect(tombstone["number"] as? Int64 == 1 && tombstone["title"] as? String == "last")
    #expect(tombstone["uuid"] as? UUID == uuid && tombstone["createdAt"] as? Date == date)
    let other = try #require(transactions[2].changes?.first?.tombstone)
    #expect(other.count == 2 && other["title"] as? String == "second")
    #expect(transactions[0].changes?.allSatisfy { $0.tombstone == nil } ?? false)
  }
}
