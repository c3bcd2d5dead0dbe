import CoreData
import Testing

@Suite struct InaccessibleFaultTests {
  /// A context that decides itself about inaccessible faults.
  private final class Decider: NSManagedObjectContext, @unchecked Sendable {
    // Sendable: used on the context's queue only.
    var asked: [String] = []

    override func shouldHandleInaccessibleFault(
      _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
      asked.append("\(fault.isFault) \(oid == fault.objectID) \(property?.name ?? "nil")")
      return true
    }
  }

  // S2.3: asked first, and whatever shouldDeleteInaccessibleFaults says.
  @Test func theContextIsAskedAboutAnInaccessibleFault() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    try stack.change { $0.delete(try $0.note(1)) }
    let context = Decider(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    context.shouldDeleteInaccessibleFaults = false
    context.performAndWait {
      let note = context.object(with: id) as? Note
      #expect(note?.number == 0)
      #expect(note?.title == nil)
      #expect(context.asked == ["true true number"])
    }
  }

  // S2.3, S8.1: a delete rule leaves alone an object without a row.
  @Test(arguments: [false, true]) func noneIsAskedAboutAnObjectThatADeleteRuleReaches(isOwnerDeleted: Bool) throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = Decider(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    try context.performAndWait {
      let (note, word) = (try context.note(1), try context.words()[0])
      #expect(note.words.count == 1 && word.note === note)
      let (deleted, reached): (NSManagedObject, NSManagedObject) = isOwnerDeleted ? (note, word) : (word, note)
      context.refresh(reached, mergeChanges: false)
      let id = reached.objectID
      try stack.change { $0.delete(try $0.existingObject(with: id)) }
      context.delete(deleted)
      context.processPendingChanges()
      #expect(context.asked == [])
    }
  }

  // S2.3, S2.4: undo leads to no object without a row.
  @Test func noneIsAskedAboutAnObjectThatUndoWouldLeadTo() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = Decider(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    context.undoManager = UndoManager()
    try context.performAndWait {
      let (note, word) = (try context.note(1), try context.words()[0])
      word.note = nil
      context.processPendingChanges()
      context.refresh(note, mergeChanges: false)
      let id = note.objectID
      try stack.change { $0.delete(try $0.existingObject(with: id)) }
      context.undo()
      #expect(word.note == nil)
      #expect(context.asked == [])
    }
  }

  // S2.3, S2.1: an object that was found gone does not exist.
  @Test func anObjectFoundGoneDoesNotExist() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    try stack.change { $0.delete(try $0.note(1)) }
    let context = stack.context()
    context.performAndWait {
      let note = context.object(with: id) as? Note
      #expect(note?.title == nil)
      #expect(cocoaCode { _ = try context.existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
    }
  }

  // S2.3, S2.1: a row that comes back is another object than the one found gone.
  @Test func aRowThatComesBackIsFetched() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (context, stubborn) = (stack.context(), stack.context("stubborn"))
    stubborn.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try stubborn.performAndWait {
      try stubborn.note(1).title = "back"
      try stack.change { $0.delete(try $0.note(1)) }
      try context.performAndWait {
        let gone = try #require(context.object(with: try stubborn.note(1).objectID) as? Note)
        #expect(gone.title == nil)
        try stubborn.save()
        let note = try context.note(1)
        #expect(note !== gone)
        #expect(note.title == "back")
        #expect(gone.isDeleted)
      }
    }
  }

  // S2.1: members and partners are those that are there; many rows are looked up another way than a few.
  @Test(arguments: [1, 9], [false, true]) func whatComesBackTakesItsPlaceInRelationships(
    count: Int, isAskedForByID: Bool
  ) throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: (1...count).map(String.init))
    let (context, stubborn) = (stack.context(), stack.context("stubborn"))
    stubborn.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try stubborn.performAndWait {
      for word in try stubborn.words() { word.term = "back" }
      try context.performAndWait {
        let note = try context.note(1)
        let gone = note.words
        try stack.change { context in for word in try context.words() { context.delete(word) } }
        #expect(gone.count == count)
        for word in gone { #expect((word as? Word)?.term == nil) }
        try stubborn.save()
        let words =
          isAskedForByID
          ? try gone.map { try context.existingObject(with: $0.objectID) } : try context.words()
        #expect(Set(words).count == count)
        #expect(Set(words).isDisjoint(with: gone))
        #expect(note.words == Set(words))
        for word in gone { #expect(word.isDeleted) }
      }
    }
  }

  // S8.2
  @Test func afterAnotherContextDeletedARow() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...3, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let held = try context.note(1)
      #expect(held.title == "note 1")
      let fault = context.object(with: ids[1])
      try stack.change { for note in try $0.notes() { $0.delete(note) } }
      // Realised: its last values, until it is refreshed or the deletion is merged.
      #expect(try context.existingObject(with: ids[0]) === held)
      #expect(held.title == "note 1")
      #expect(!held.isDeleted)
      // A fault, and an ID that is not registered.
      #expect(cocoaCode { _ = try context.existingObject(with: ids[1]) } == NSManagedObjectReferentialIntegrityError)
      #expect(cocoaCode { _ = try context.existingObject(with: ids[2]) } == NSManagedObjectReferentialIntegrityError)
      #expect((fault as? Note)?.title == nil)
      #expect(fault.isDeleted)
      // Related objects are checked anew.
      #expect(held.words.isEmpty)
      context.refresh(held, mergeChanges: false)
      #expect(held.title == nil)
      #expect(held.isDeleted)
      #expect(!context.hasChanges)
      try context.save()
    }
  }

  // S8.2, S3.3: a save of an object without a row is a conflict.
  @Test func changingWhatAnotherContextDeletedIsAConflict() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let held = try context.note(1)
      #expect(held.title == "note 1")
      try stack.change { $0.delete(try $0.note(1)) }
      held.title = "here"
      context.refresh(held, mergeChanges: true)
      #expect(held.title == "here", "unsaved changes are left to the merge policy")
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
    }
  }
}
