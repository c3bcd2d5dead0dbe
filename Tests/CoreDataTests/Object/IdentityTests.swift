import CoreData
import Testing

@Suite(.everyStore) struct IdentityTests {
  // S2.1
  @Test func aRowHasOneObjectHoweverItIsReached() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1, words: ["a"])[0]
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(try context.note(1) === note)
      #expect(context.object(with: id) === note)
      #expect(try context.existingObject(with: id) === note)
      #expect(context.registeredObject(for: id) === note)
      #expect(try context.words()[0].note === note)
    }
  }

  // S2.1
  @Test func anInsertedObjectStaysTheSameWhenItIsSaved() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(1)
      let temporary = note.objectID
      #expect(context.object(with: temporary) === note)
      try context.save()
      #expect(context.object(with: note.objectID) === note)
      #expect(try context.note(1) === note)
    }
  }

  // S2.1
  @Test func contextsHaveObjectsOfTheirOwn() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let (first, second) = (stack.context(), stack.context())
    let one = first.performAndWait { first.object(with: id) }
    let other = second.performAndWait { second.object(with: id) }
    #expect(one !== other)
    #expect(one.objectID == other.objectID)
  }

  // S2.1
  @Test func objectWithNeverTouchesTheStore() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    try stack.change { $0.delete(try $0.note(1)) }
    let context = stack.context()
    context.performAndWait {
      let note = context.object(with: id)
      #expect(note.isFault)
      #expect(note.objectID == id)
      #expect(note.managedObjectContext === context)
    }
  }

  // S2.1
  @Test func existingObjectRealisesOrThrows() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    try stack.change { $0.delete(try $0.note(2)) }
    let context = stack.context()
    context.performAndWait {
      #expect((try? context.existingObject(with: ids[0]))?.isFault == false)
      #expect(cocoaCode { _ = try context.existingObject(with: ids[1]) } == NSManagedObjectReferentialIntegrityError)
      #expect(context.registeredObject(for: ids[1]) == nil)
    }
  }

  // S2.1
  @Test func existingObjectDoesNotAskTheStoreForARealisedObject() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try stack.change { $0.delete(try $0.note(1)) }
      #expect(try context.existingObject(with: id) === note)
      #expect(note.title == "note 1")
    }
  }

  // S2.1
  @Test func existingObjectThrowsForAFaultWhoseRowIsGone() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.isFault)
      try stack.change { $0.delete(try $0.note(1)) }
      #expect(cocoaCode { _ = try context.existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
    }
  }

  // S2.1
  @Test func registeredObjectLooksOnlyInMemory() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    context.performAndWait { #expect(context.registeredObject(for: id) == nil) }
  }

  // S1.5
  @Test func aCleanObjectThatIsNotHeldLeavesTheContext() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    try context.performAndWait {
      var note: Note? = try context.note(1)
      #expect(note?.title == "note 1")
      #expect(context.registeredObjects.count == 1)
      note = nil
      #expect(context.registeredObjects.isEmpty)
      #expect(context.registeredObject(for: id) == nil)
    }
  }

  // S1.5
  @Test func anObjectWithUnsavedChangesStaysUntilItIsSaved() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    try context.performAndWait {
      try context.note(1).title = "changed"
      #expect(context.registeredObject(for: id)?.hasChanges == true)
      try context.save()
      #expect(context.registeredObject(for: id) == nil)
    }
  }
}
