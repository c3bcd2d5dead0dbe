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
    #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOpenError)
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
}
