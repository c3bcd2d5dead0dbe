import CoreData
import Testing

@Suite(.everyStore) struct ObjectIDTests {
  // S2.2
  @Test func aNewObjectHasATemporaryIDUntilItIsSaved() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(1)
      let temporary = note.objectID
      #expect(temporary.isTemporaryID)
      #expect(note.objectID === temporary)
      try context.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(note.objectID != temporary)
      #expect(temporary.isTemporaryID)
    }
  }

  // S2.2
  @Test func obtainedIDsArePermanentAndKeptBySave() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(1)
      try context.obtainPermanentIDs(for: [note])
      let id = note.objectID
      #expect(!id.isTemporaryID)
      #expect(note.isInserted)
      #expect(context.registeredObject(for: id) === note)
      try context.save()
      #expect(note.objectID == id)
      #expect(try context.note(1).objectID == id)
    }
  }

  // S2.2
  @Test func idsCompareAndHashByValue() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    let again = try stack.context().performedNotes().map(\.objectID)
    #expect(ids == again)
    #expect(ids[0] != ids[1])
    #expect(Set(ids + again).count == 2)
    #expect(ids[0].hash == again[0].hash)
  }

  // S2.2
  @Test func idsOfTwoStoresDiffer() throws {
    let (first, second) = (try TestStack().seed(1...1), try TestStack().seed(1...1))
    #expect(first[0] != second[0])
  }

  // S2.2
  @Test func idsOfTwoEntitiesWithOneKeyDiffer() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a"])
      try context.save()
      let word = try context.words()[0]
      #expect(note.objectID.uriRepresentation().lastPathComponent == "p1")
      #expect(word.objectID.uriRepresentation().lastPathComponent == "p1")
      #expect(note.objectID != word.objectID)
    }
  }

  // S2.2
  @Test func aURIComesBackAsTheSameID() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let coordinator = stack.container.persistentStoreCoordinator
    let uuid = try #require(coordinator.persistentStores.first?.identifier)
    let uri = id.uriRepresentation()
    #expect(uri.absoluteString == "x-coredata://\(uuid)/Note/p1")
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
  }

  // S2.2: as on Apple's systems, a number and the URI.
  @Test func anIDPrintsANumberAndItsURI() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    let numbers = try ids.map { id in
      let parts = id.description.split(separator: " ")
      try #require(parts.count == 2)
      #expect(parts[1] == "<\(id.uriRepresentation().absoluteString)>")
      return parts[0]
    }
    #expect(numbers.allSatisfy { $0.hasPrefix("0x") } && Set(numbers).count == 2)
    let context = stack.context()
    context.performAndWait { #expect(context.object(with: ids[0]).objectID.description == ids[0].description) }
  }

  // S2.2
  @Test(arguments: [
    "x-coredata://STRANGER/Note/p1", "https://UUID/Note/p1", "x-coredata://UUID/Nothing/p1",
    "x-coredata://UUID/Note/t1", "x-coredata://UUID/Note/p0", "x-coredata://UUID/Note/p", "x-coredata://UUID/Note",
    "x-coredata://UUID/Note/p1/p2",
  ])
  func aURIOfNothingHereGivesNoID(text: String) throws {
    let coordinator = try TestStack().container.persistentStoreCoordinator
    let uuid = try #require(coordinator.persistentStores.first?.identifier)
    let url = try #require(URL(string: text.replacingOccurrences(of: "UUID", with: uuid)))
    #expect(coordinator.managedObjectID(forURIRepresentation: url) == nil)
  }

  // S2.2
  @Test func aTemporaryIDMeansNothingInAnotherContext() throws {
    let stack = try TestStack()
    let (first, second) = (stack.context(), stack.context())
    let id = first.performAndWait { first.insertNote(1).objectID }
    second.performAndWait {
      #expect(second.registeredObject(for: id) == nil)
      #expect(cocoaCode { _ = try second.existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
    }
  }

  // S2.4: an object without a context still has its ID, also when it was not asked for before.
  @Test func anObjectKeepsItsIDWhenItsContextIsResetOrGone() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    var context: NSManagedObjectContext? = stack.context()
    let kept = try #require(try context?.performAndWait { try context?.note(1) })
    context?.performAndWait { context?.reset() }
    #expect(kept.objectID == id)
    let other = try #require(try context?.performAndWait { try context?.note(1) })
    context = nil
    #expect(other.objectID == id)
    #expect(other.managedObjectContext == nil)
  }

  // S3.6
  @Test func aVanishedObjectKeepsItsTemporaryID() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let note = context.insertNote(1)
      context.delete(note)
      context.processPendingChanges()
      #expect(note.objectID.isTemporaryID)
    }
  }

  // S2.2: a reference made before the ID was obtained leads to the object still.
  @Test func aReferenceFollowsAnObtainedID() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a"])
      try context.obtainPermanentIDs(for: [note])
      #expect(try context.words(NSPredicate(format: "note == %@", note)).count == 1)
      #expect(try context.words(NSPredicate(format: "note == %@", note.objectID)).first?.note === note)
      try context.save()
      #expect(try context.words(NSPredicate(format: "note == %@", note)).count == 1)
    }
  }
}

extension NSManagedObjectContext {
  /// Every note by number, fetched in a block of its own.
  func performedNotes() throws -> [Note] { try performAndWait { try notes() } }
}
