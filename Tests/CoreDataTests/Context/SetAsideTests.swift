import Scheduling
import Testing

@testable import CoreData

/// S2.1, S2.4: an inserted object that `refresh(_:mergeChanges: false)` has made a fault has its values when they are asked for.
@Suite(.everyStore) struct SetAsideTests {
  private let stack: TestStack
  private let context: NSManagedObjectContext
  private let note: Note

  init() throws {
    stack = try TestStack()
    let context = stack.context()
    self.context = context
    note = context.performAndWait {
      let note = context.insertNote(1, title: "new")
      context.refresh(note, mergeChanges: false)
      return note
    }
  }

  // S2.1
  @Test func existingObjectFindsIt() throws {
    try context.performAndWait {
      let found = try context.existingObject(with: note.objectID)
      #expect(found === note)
      #expect(note.title == "new")
    }
  }

  // S2.8
  @Test func itsChangedValuesAreThere() {
    context.performAndWait { #expect(note.changedValues()["title"] as? String == "new") }
  }

  // S4.1, S4.4
  @Test func aChildReadsIt() {
    let child = stack.child(of: context)
    child.performAndWait {
      let own = child.object(with: note.objectID) as? Note
      #expect(own?.title == "new")
      #expect(own?.isDeleted == false)
    }
  }

  // S4.4
  @Test func aChildsChangeReachesIt() throws {
    let child = stack.child(of: context)
    try child.performAndWait {
      let own = child.object(with: note.objectID) as? Note
      own?.title = "child's"
      context.performAndWait { context.refresh(note, mergeChanges: false) }
      try child.save()
    }
    try context.performAndWait {
      try context.save()
      #expect(note.title == "child's" && note.number == 1)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["child's"])
  }
}
