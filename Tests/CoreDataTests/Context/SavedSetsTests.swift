import CoreData
import Testing

/// A save names its objects, whatever was reported before, and calls the methods of their classes.
@Suite(.everyStore) struct SavedSetsTests {
  // S5.1
  @Test func aSaveNamesOtherObjectsThanWereReportedLast() throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    try context.performAndWait {
      let notes = [context.insertNote(1), context.insertNote(2)]
      context.processPendingChanges()
      context.delete(notes[0])
      context.processPendingChanges()
      _ = context.insertNote(3)
      _ = log.take()
      try context.save()
    }
    #expect(log.takeText() == ["changed inserted=note 3", "will", "did inserted=note 2,note 3"])
  }

  // S5.1
  @Test func aSaveNamesTheObjectsThatWereReportedLongAgo() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait {
      for note in try context.notes() { note.title = "changed" }
      context.processPendingChanges()
      _ = log.take()
      try context.save()
      #expect(log.takeText() == ["will", "did updated=note 1,note 2"])
      for note in try context.notes() { note.title = "again" }
      context.processPendingChanges()
      context.refresh(try context.note(1), mergeChanges: false)
      _ = log.take()
      try context.save()
    }
    #expect(log.takeText().last == "did updated=note 2")
  }

  private final class LoudCat: NSManagedObject {
    // One test has such objects, with one kind of store after the other.
    nonisolated(unsafe) static var calls: [String] = []

    override func willSave() { Self.calls.append("will \(string("name") ?? "")") }
    override func didSave() { Self.calls.append("did \(string("name") ?? "")") }
  }

  // S3.1
  @Test func anObjectOfAnotherClassThanItsEntitysIsCalled() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      _ = context.insert("Cat", ["name": "quiet"])
      try context.save()
      let entity = try #require(stack.container.managedObjectModel.entitiesByName["Cat"])
      LoudCat(entity: entity, insertInto: context).setValue("loud", forKey: "name")
      try context.save()
      #expect(LoudCat.calls.suffix(2) == ["will loud", "did loud"])
    }
  }

  // S2.2
  @Test func permanentIDsComeInTheOrderOfInsertion() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let notes = (0..<300).map { context.insertNote($0) }
      try context.obtainPermanentIDs(for: notes.shuffled())
      let keys = notes.map(\.objectID.primaryKey)
      #expect(keys == keys.sorted())
      try context.save()
      #expect(notes.map(\.objectID.primaryKey) == keys)
    }
  }
}
