import CoreData
import Testing

/// Conflicts of uniqueness constraints that resolving others brings, or settles. S3.5
@Suite struct ConstraintChainTests {
  // Each note takes the next one's number, and the last one's is taken meanwhile: all of them have to give theirs back.
  @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback, .mergeByPropertyObjectTrump])
  func aChainOfChangesGivesWay(policy: NSMergePolicy) throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...12)
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      for note in try context.notes() { note.number += 1 }
      try stack.seed(13...13)
      try context.save()
      #expect(!context.hasChanges)
    }
    let isObjects = policy === NSMergePolicy.mergeByPropertyObjectTrump
    let numbers = isObjects ? (2...13).map { "note \($0 - 1): \($0)" } : (1...13).map { "note \($0): \($0)" }
    #expect(try stack.sql("SELECT ZTITLE || ': ' || ZNUMBER FROM ZNOTE ORDER BY ZNUMBER") == numbers)
  }

  // The row gives way to the note that was changed: the inserted one keeps what it has of the row's values.
  @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func anInsertedNoteIsNotLostInARowThatGivesWay(policy: NSMergePolicy) throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"], ["title"]]))
    try stack.seed(1...2)
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      try context.note(2).number = 1
      context.insertNote(3, title: "note 1")
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.sql("SELECT ZNUMBER || ' ' || ZTITLE FROM ZNOTE ORDER BY 1") == ["1 note 2", "3 note 1"])
  }

  // A policy that does nothing is asked a few times, however many objects there are.
  @Test func aPolicyThatLeavesConflictsEndsTheSave() throws {
    final class Idle: NSMergePolicy, @unchecked Sendable {
      // Sendable: only one context has it.
      private(set) var calls = 0
      override func resolve(constraintConflicts list: [NSConstraintConflict]) throws { calls += 1 }
    }
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...200)
    let (context, policy) = (stack.context(), Idle(merge: .mergeByPropertyObjectTrumpMergePolicyType))
    context.mergePolicy = policy
    try context.performAndWait {
      for number in 1...200 { context.insertNote(Int64(number)) }
      let error = try #require(caught { try context.save() })
      #expect(error.code == NSManagedObjectConstraintMergeError)
      #expect(context.insertedObjects.count == 200)
    }
    #expect(policy.calls < 20)
  }
}
