import SQLite
import Testing

@testable import CoreData

/// A store that cannot be read while a save follows delete rules. S3.1.
@Suite struct UnreadableTests {
  /// Runs `body` while the next read fails; a store in memory reads through its one connection.
  private func failing(_ stack: TestStack, _ body: () throws -> Void) throws {
    try stack.withWriter { $0.connection.faults = FaultPlan(failing: 1) }
    try body()
    try stack.withWriter { $0.connection.faults = nil }
  }

  private func check(_ error: NSError?) throws {
    let error = try #require(error)
    #expect(error.domain == NSCocoaErrorDomain && error.code == CocoaError.Code.fileReadUnknown.rawValue)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? SQLiteError)?.code == .inputOutput)
  }

  // S3.1, S8.1
  @Test(arguments: [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule, .denyDeleteRule])
  func aSaveThatCannotReadWhomToDeleteThrows(rule: NSDeleteRule) throws {
    let stack = try TestStack(.memory, model: Notebook.model(wordsRule: rule))
    try stack.seed(1...2, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      context.insertNote(3)
      context.delete(note)
      try failing(stack) { context.processPendingChanges() }
      try failing(stack) { try check(caught { try context.save() }) }
      #expect(note.isDeleted && context.insertedObjects.count == 1)
      #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
      guard rule != .denyDeleteRule else {
        #expect(cocoaCode { try context.save() } == NSValidationRelationshipDeniedDeleteError)
        return
      }
      try context.save()
    }
    guard rule != .denyDeleteRule else { return }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == ["2", "3"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == [rule == .cascadeDeleteRule ? "2" : "4"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE = 1") == ["0"])
  }

  // S3.1: the row of a fault that is deleted.
  @Test func aSaveThatCannotReadWhatToDeleteThrows() throws {
    let stack = try TestStack(.memory)
    let ids = try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      context.delete(context.object(with: ids[0]))
      try failing(stack) { try check(caught { try context.save() }) }
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  // S3.1, S4.1: a child's save asks its parent, which asks the store.
  @Test func aChildsSaveThatCannotReadWhomToDeleteThrows() throws {
    let stack = try TestStack(.memory)
    try stack.seed(1...1, words: ["a"])
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try child.performAndWait {
      child.delete(try child.note(1))
      try failing(stack) { try check(caught { try child.save() }) }
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // S2.3: no caller can be given an error when a fault fires, so the object is empty, and nothing can be saved until a reset.
  @Test func aFaultThatCannotBeReadIsEmptyAndNothingCanBeSaved() throws {
    let stack = try TestStack(.memory)
    let ids = try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.object(with: ids[0]) as? Note)
      try failing(stack) {
        #expect(note.title == nil)
      }
      #expect(!note.isDeleted && !note.isFault)
      context.insertNote(2)
      let error = try #require(caught { try context.save() })
      #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreSaveError)
      #expect(((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code) == CocoaError.Code.fileReadUnknown.rawValue)
      #expect(context.insertedObjects.count == 1)
      #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["1"])
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "note 1")
      context.reset()
      try context.note(1).title = "new"
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["new"])
  }

  // S2.3, S2.6: members that cannot be read.
  @Test func membersThatCannotBeReadAreNoneAndNothingCanBeSaved() throws {
    let stack = try TestStack(.memory)
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      try failing(stack) { #expect((note.value(forKey: "words") as? NSSet)?.count == 0) }
      note.title = "new"
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      #expect((note.value(forKey: "words") as? NSSet)?.count == 2)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 1"])
  }

  // S2.1
  @Test func existingObjectAndFetchThrowWhatCannotBeRead() throws {
    let stack = try TestStack(.memory)
    let ids = try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      try failing(stack) {
        try check(caught { _ = try context.existingObject(with: ids[0]) })
      }
      try failing(stack) { try check(caught { _ = try context.notes() }) }
      try context.note(1).title = "new"
      try context.save()
    }
  }
}
