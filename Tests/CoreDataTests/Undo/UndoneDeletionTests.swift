import Testing

@testable import CoreData

/// Objects that undo inserted again, when notifications of their deletion are merged. S5.2
@Suite(.everyStore) struct UndoneDeletionTests {
  private func stack() throws -> (TestStack, NSManagedObjectContext) {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    context.undoManager = UndoManager()
    return (stack, context)
  }

  // S2.4, S8.1: an undo is about the last event, though its delete rules would wait for the save.
  @Test func aDeletionThatWaitsForTheSaveIsUndone() throws {
    let (stack, context) = try stack()
    try context.performAndWait {
      context.propagatesDeletesAtEndOfEvent = false
      let note = try context.note(1)
      note.title = "changed"
      context.processPendingChanges()
      context.delete(note)
      context.undo()
      #expect(!note.isDeleted && note.title == "changed")
      context.redo()
      #expect(note.isDeleted)
      context.undo()
      context.undo()
      #expect(!note.isDeleted && note.title == "note 1")
      let new = context.insertNote(3)
      context.processPendingChanges()
      context.undo()
      #expect(new.managedObjectContext == nil)
      context.redo()
      #expect(context.insertedObjects == [new])
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == ["1", "2", "3"])
  }

  // S5.2: the notification may be that of the context's own save, as its history has it.
  @Test(arguments: [false, true]) func anOldDeletionLeavesWhatUndoBroughtBack(isChild: Bool) throws {
    let (stack, root) = try stack()
    let context = isChild ? stack.child(of: root) : root
    context.undoManager = UndoManager()
    let note = try context.performAndWait {
      let note = try context.note(1)
      context.delete(note)
      try context.save()
      return note
    }
    if isChild { try root.performAndWait { try root.save() } }
    try context.performAndWait {
      context.undo()
      #expect(context.insertedObjects == [note])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectIDsKey: [note.objectID]], into: [context])
      #expect(context.insertedObjects == [note] && !note.isDeleted)
      try context.save()
    }
    try root.performAndWait { try root.save() }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["note 1", "note 2"])
  }

  // S5.2: a child that undoes a deletion before its parent saves it.
  @Test func aParentsSaveLeavesWhatUndoBroughtBack() throws {
    let (stack, root) = try stack()
    let child = stack.child(of: root)
    child.undoManager = UndoManager()
    child.automaticallyMergesChangesFromParent = true
    let note = try child.performAndWait {
      let note = try child.note(1)
      child.delete(note)
      try child.save()
      child.undo()
      return note
    }
    try root.performAndWait { try root.save() }
    try child.performAndWait {
      #expect(child.insertedObjects == [note] && !note.isDeleted)
      try child.save()
    }
    try root.performAndWait { try root.save() }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["note 1", "note 2"])
  }

  // S4.5: what a child has pushed after its parent's save stays.
  @Test func aParentsOlderSaveLeavesWhatUndoBroughtBack() throws {
    let (stack, root) = try stack()
    let child = stack.child(of: root)
    child.undoManager = UndoManager()
    child.automaticallyMergesChangesFromParent = true
    let note = try child.performAndWait {
      let note = try child.note(1)
      child.delete(note)
      try child.save()
      try root.performAndWait { try root.save() }
      child.undo()
      try child.save()
      return note
    }
    child.performAndWait { #expect(!note.isDeleted && child.registeredObject(for: note.objectID) === note) }
    try root.performAndWait { try root.save() }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["note 1", "note 2"])
  }

  // S5.2: deleted by a merge over a deletion of its own, and brought back by undo.
  @Test func whatUndoBroughtBackIsNotAmongTheDeleted() throws {
    let (stack, context) = try stack()
    try context.performAndWait {
      let note = try context.note(1)
      context.delete(note)
      context.processPendingChanges()
      let other = stack.context("other")
      let log = NotificationLog(other)
      try other.performAndWait {
        other.delete(try other.note(1))
        try other.save()
      }
      context.mergeChanges(fromContextDidSave: try #require(log.didSaves.last))
      #expect(context.deletedObjects == [note])
      context.undo()
      #expect(context.insertedObjects == [note] && context.deletedObjects.isEmpty)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["note 1", "note 2"])
  }

  // S8.1: what a child deletes had no row when the deletion was followed, also where the child has an older row at hand.
  @Test(arguments: [false, true]) func aChildsDeletionOfNothingLeavesTheRowThatComesBack(isFetched: Bool) throws {
    let (stack, other) = try stack()
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    let notes = isFetched ? try child.performAndWait { try child.notes() } : []
    let id = try other.performAndWait {
      let note = try other.note(1)
      other.delete(note)
      try other.save()
      return note.objectID
    }
    child.performAndWait {
      child.delete(child.object(with: id))
      child.processPendingChanges()
    }
    try other.performAndWait {
      other.undo()
      try other.save()
    }
    for context in [child, parent] { try context.performAndWait { try context.save() } }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["note 1", "note 2"])
    withExtendedLifetime(notes) {}
  }
}
