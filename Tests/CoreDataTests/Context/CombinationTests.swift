import CoreData
import Testing

/// Features of which one's tests do not think of the other.
@Suite struct CombinationTests {
  // S8.1
  @Test func aDeniedDeletionOfANewObjectLeavesAReferenceToClear() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .denyDeleteRule))
    let context = stack.context()
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a"])
      let word = try context.words()[0]
      context.processPendingChanges()
      context.delete(note)
      context.processPendingChanges()
      #expect(cocoaCode { try context.save() } == 1550)
      word.note = nil
      #expect(cocoaCode { try context.save() } == nil)
      #expect(!context.hasChanges)
    }
  }

  // S8.1, S4.1, S2.4
  @Test func aDeniedDeletionInAChildCanBeUndone() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .denyDeleteRule))
    try stack.seed(1...1, words: ["a"])
    let root = stack.context("root")
    let child = stack.child(of: root)
    try child.performAndWait {
      child.undoManager = UndoManager()
      child.delete(try child.note(1))
      #expect(cocoaCode { try child.save() } == NSValidationRelationshipDeniedDeleteError)
      child.undo()
      #expect(cocoaCode { try child.save() } == nil)
      child.delete(try child.note(1))
      child.processPendingChanges()
      child.delete(try child.words()[0])
      #expect(cocoaCode { try child.save() } == nil)
    }
    try root.performAndWait { try root.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  // S2.4, S3.5
  @Test func undoAfterAConstraintDroppedAnObject() throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback] {
      let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
      try stack.seed(1...2, words: ["x"])
      let context = stack.context()
      context.mergePolicy = policy
      try context.performAndWait {
        context.undoManager = UndoManager()
        context.insertNote(1, title: "loser", words: ["y"])
        context.processPendingChanges()
        try context.note(2).title = "t"
        context.processPendingChanges()
        try context.save()
        context.undo()
        #expect(cocoaCode { try context.save() } == nil)
        context.undo()
        #expect(cocoaCode { try context.save() } == nil, "\(policy.mergeType)")
        context.redo()
        #expect(cocoaCode { try context.save() } == nil, "\(policy.mergeType)")
        #expect(!context.hasChanges)
      }
      #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
      #expect(
        try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE IS NOT NULL AND ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)")
          == ["0"])
    }
  }

  // S2.4, S3.1
  @Test func undoAfterAFailedSaveInMemory() throws {
    let stack = try TestStack(.memory, model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...3, words: ["x"])
    let context = stack.context()
    try context.performAndWait {
      context.undoManager = UndoManager()
      let two = try context.note(2)
      two.number = 1
      context.delete(try context.note(3))
      context.processPendingChanges()
      try stack.change { try $0.note(3).title = "theirs" }
      #expect(cocoaCode { try context.save() } != nil)
      context.undo()
      #expect(two.number == 2)
      #expect(cocoaCode { try context.save() } == nil)
      #expect(try context.notes().count == 3)
      context.redo()
      context.mergePolicy = NSMergePolicy.overwrite
      #expect(cocoaCode { try context.save() } == nil)
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE") == ["1"])
  }

  // S3.4
  @Test func anObjectInsertedAgainTakesItsMembersBack() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .nullifyDeleteRule))
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "kept"
      for case let word as Word in note.words { _ = word.term }
      try stack.change { $0.delete(try $0.note(1)) }
      try context.save()
      context.refreshAllObjects()
      #expect(note.words.count == 0)
      for word in try context.words() { #expect(word.note == nil) }
      note.words = Set(try context.words())
      #expect(cocoaCode { try context.save() } == nil)
      note.title = "again"
      #expect(cocoaCode { try context.save() } == nil)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE = 1") == ["2"])
  }

  // S2.2, S3.6
  @Test func aPermanentIDBeforeTheRootsSaveMayBeDeleted() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let child = stack.child(of: root)
    try child.performAndWait {
      let note = child.insertNote(1, words: ["a"])
      try child.save()
      try child.obtainPermanentIDs(for: [note])
      child.delete(note)
      try child.save()
      #expect(note.managedObjectContext == nil)
    }
    try root.performAndWait {
      #expect(!root.hasChanges)
      try root.save()
      #expect(try root.words().isEmpty)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }
}
