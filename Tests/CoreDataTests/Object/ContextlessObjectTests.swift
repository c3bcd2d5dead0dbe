import Foundation
import Testing

@testable import CoreData

/// Objects that were made without a context, and have an ID all the same. S2.2
@Suite struct ContextlessObjectTests {
  private func object(_ name: String, _ stack: TestStack) throws -> NSManagedObject {
    let entity = try #require(stack.container.managedObjectModel.entitiesByName[name])
    return NSManagedObject(entity: entity, insertInto: nil)
  }

  @Test func itsIDIsTemporary() throws {
    let stack = try TestStack()
    let (note, other) = (try object("Note", stack), try object("Note", stack))
    let id = note.objectID
    #expect(id.isTemporaryID)
    #expect(id.persistentStore == nil)
    #expect(id.entity.name == "Note")
    #expect(note.objectID === id)
    #expect(note.objectID.hash == id.hash)
    #expect(other.objectID != id)
    #expect(id.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Note/t"))
    #expect(note.value(forKey: "objectID") as? NSManagedObjectID == id)
    #expect(note.managedObjectContext == nil)
    #expect(!note.isInserted)
    // Values are still its own.
    note.setValue("own", forKey: "title")
    #expect(note.value(forKey: "title") as? String == "own")
    #expect(note.objectID == id)
  }

  @Test func itsDescriptionHasTheID() throws {
    let stack = try TestStack()
    let note = try object("Note", stack)
    let text = note.description
    #expect(text.contains(note.objectID.description))
    #expect(note.debugDescription.contains(note.objectID.description))
    #expect("\(note)".contains("Note"))
  }

  @Test func anErrorCanNameIt() throws {
    let stack = try TestStack(model: Notebook.model(titleIsOptional: false))
    let note = try object("Note", stack)
    do {
      try note.validateForInsert()
      Issue.record("the title is missing")
    } catch let error as NSError {
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === note)
      #expect("\(error.userInfo)".contains(note.objectID.description))
    }
  }

  @Test(.everyStore, arguments: [true, false]) func theIDStaysItsIDWhenItIsInserted(isSetBefore: Bool) throws {
    let stack = try TestStack()
    let note = try object("Note", stack)
    if isSetBefore { note.setValue(7, forKey: "number") }
    let id = note.objectID
    let context = stack.context()
    try context.performAndWait {
      #expect(context.registeredObject(for: id) == nil)
      context.insert(note)
      #expect(note.objectID === id)
      #expect(context.registeredObject(for: id) === note)
      #expect(context.object(with: id) === note)
      #expect(try context.existingObject(with: id) === note)
      #expect(context.insertedObjects == [note])
      try context.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(id.isTemporaryID)
      #expect(try context.existingObject(with: note.objectID) === note)
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE") == [isSetBefore ? "7" : "0"])
  }

  // An object that left a context and comes into one again is another one to it.
  @Test func anotherInsertionHasAnotherID() throws {
    let stack = try TestStack()
    let note = try object("Note", stack)
    let id = note.objectID
    let context = stack.context()
    context.performAndWait {
      context.insert(note)
      context.rollback()
      #expect(note.objectID == id)
      context.insert(note)
      #expect(note.objectID != id)
      #expect(context.registeredObject(for: note.objectID) === note)
      #expect(context.registeredObject(for: id) == nil)
    }
  }

  @Test func aFaultMadeOfItsIDGivesWay() throws {
    let stack = try TestStack()
    let note = try object("Note", stack)
    let id = note.objectID
    let context = stack.context()
    try context.performAndWait {
      let fault = context.object(with: id)
      #expect(fault !== note)
      context.insert(note)
      #expect(context.object(with: id) === note)
      #expect(try context.existingObject(with: id) === note)
      #expect(context.registeredObjects == [note])
      try context.save()
      #expect(try context.notes() == [note])
    }
  }

  // S2.6: the rows name objects by the keys that their IDs have.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]], [0, 1, 2, 3])
  func linksAreSavedWheneverIDsWereAskedFor(order: [Int], asked: Int) throws {
    let stack = try TestStack(model: Zoo.model())
    let objects = try ["Keeper", "Badge", "Cat"].map { try object($0, stack) }
    if asked == 0 { for object in objects { _ = object.objectID } }
    objects[1].setValue(objects[0], forKey: "keeper")
    if asked == 1 { for object in objects { _ = object.objectID } }
    objects[2].setValue(objects[0], forKey: "keeper")
    objects[0].setValue(objects[2], forKey: "favourite")
    if asked == 2 { for object in objects { _ = object.objectID } }
    let context = stack.context()
    try context.performAndWait {
      for index in order { context.insert(objects[index]) }
      try context.save()
    }
    try stack.change { other in
      let keeper = try #require(try other.all("Keeper").first)
      #expect(keeper.object("badge")?.object("keeper") === keeper)
      #expect(keeper.object("favourite")?.object("keeper") === keeper)
    }
  }

  @Test func itIsFoundByNoPredicate() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let note = try object("Note", stack)
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(try context.words(NSPredicate(format: "note == %@", note)) == [])
      #expect(try context.words(NSPredicate(format: "note == %@", note.objectID)) == [])
    }
  }

  // S9.1
  @Test func theIDKeepsTheModel() throws {
    func id() throws -> NSManagedObjectID {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
      let entity = try #require(coordinator.managedObjectModel.entitiesByName["Note"])
      return NSManagedObject(entity: entity, insertInto: nil).objectID
    }
    let id = try id()
    #expect(id.entity.name == "Note")
    #expect(id.entity.managedObjectModel.entities.count == 3)
    #expect(id.description.contains(" <x-coredata:///Note/t"))
  }

  // S1.1: an ID may be asked for by any thread, and there is one.
  @Test func severalThreadsGetOneID() async throws {
    let stack = try TestStack()
    for _ in 0..<100 {
      // Only IDs are asked for.
      nonisolated(unsafe) let note = try object("Note", stack)
      let ids = await withTaskGroup(of: NSManagedObjectID.self) { group in
        for _ in 0..<4 { group.addTask { note.objectID } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(ids.allSatisfy { $0 === note.objectID })
    }
  }

  // S2.10: the initialiser of a class with stored properties runs without a context, and may look at the ID.
  @Test func anInitialiserMayAskForTheID() throws {
    let model = Notebook.model()
    model.entitiesByName["Note"]?.managedObjectClassName = NSStringFromClass(CuriousNote.self)
    let stack = try TestStack(model: model)
    let context = stack.context()
    let id = try context.performAndWait {
      let note = NSManagedObject(
        entity: try #require(stack.container.managedObjectModel.entitiesByName["Note"]), insertInto: context)
      try context.save()
      return note.objectID
    }
    let other = stack.context()
    try other.performAndWait {
      let fault = try #require(other.object(with: id) as? CuriousNote)
      #expect(fault.firstID?.isTemporaryID == true)
      #expect(fault.objectID === id)
      let fetched = try #require(try other.all("Note").first)
      #expect(fetched === fault)
    }
    let third = stack.context()
    try third.performAndWait {
      let fetched = try #require(try third.all("Note").first as? CuriousNote)
      #expect(fetched.objectID == id)
      #expect(fetched.firstID != id)
    }
  }
}

/// Remembers the ID that it had first.
final class CuriousNote: NSManagedObject {
  var firstID: NSManagedObjectID?

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: nil)
    firstID = objectID
    if let context { context.insert(self) }
  }
}
