import SQLite
import Scheduling
import Testing

@testable import CoreData

/// Saves that fail before, or for other reasons than, a statement that fails. S3.1.
@Suite(.everyStore) struct RefusedSaveTests {
  /// A reason for a save to fail, and the error's code.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: Int
    /// In the context that will save; its changes come on top of a changed title.
    let cause: @Sendable (TestStack, NSManagedObjectContext) throws -> Void
    /// Takes the cause away.
    let cure: @Sendable (TestStack, NSManagedObjectContext) throws -> Void
  }

  static let refusals: [Refusal] = [
    Refusal(testDescription: "one value missing", code: NSValidationMissingMandatoryPropertyError) { _, context in
      context.insertNote(11, title: nil)
    } cure: { _, context in
      for case let note as Note in context.insertedObjects where note.title == nil { note.title = "given" }
    },
    Refusal(testDescription: "several values missing", code: NSValidationMultipleErrorsError) { _, context in
      context.insertNote(11, title: nil)
      context.insertNote(12, title: nil)
    } cure: { _, context in
      for case let note as Note in context.insertedObjects where note.title == nil { note.title = "given" }
    },
    Refusal(testDescription: "a deletion denied", code: NSValidationRelationshipDeniedDeleteError) { _, context in
      context.delete(try context.note(2))
    } cure: { _, context in
      for word in try context.words() where word.note == nil || word.note?.number == 2 { context.delete(word) }
    },
    Refusal(testDescription: "a row changed elsewhere", code: NSManagedObjectMergeError) { stack, context in
      try context.note(3).title = "ours"
      try stack.change { try $0.note(3).title = "theirs" }
    } cure: { _, context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    },
    Refusal(testDescription: "no place for more pages", code: NSPersistentStoreSaveError) { stack, context in
      for number in 100..<400 { context.insertNote(Int64(number), title: String(repeating: "long ", count: 100)) }
      try stack.withWriter {
        let pages = try $0.connection.int64("PRAGMA page_count") ?? 0
        try $0.connection.execute("PRAGMA max_page_count = \(pages)")
      }
    } cure: { stack, _ in
      try stack.withWriter { try $0.connection.execute("PRAGMA max_page_count = 1000000") }
    },
    Refusal(testDescription: "a database only read", code: NSPersistentStoreSaveError) { stack, _ in
      try stack.withWriter { try $0.connection.execute("PRAGMA query_only = 1") }
    } cure: { stack, _ in
      try stack.withWriter { try $0.connection.execute("PRAGMA query_only = 0") }
    },
    Refusal(testDescription: "a trigger that refuses", code: NSPersistentStoreSaveError) { stack, context in
      context.insertNote(11, title: "refused")
      try stack.withWriter {
        try $0.connection.execute(
          "CREATE TRIGGER refuse BEFORE INSERT ON ZNOTE BEGIN SELECT RAISE(ABORT, 'refused'); END")
      }
    } cure: { stack, _ in
      try stack.withWriter { try $0.connection.execute("DROP TRIGGER refuse") }
    },
  ]

  // S3.1
  @Test(arguments: refusals) func aRefusedSaveChangesNothingAndSucceedsLater(refusal: Refusal) throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .denyDeleteRule, titleIsOptional: false))
    try stack.seed(1...3, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      try context.note(1).title = "changed"
      context.insertNote(10, title: "new", words: ["c"])
      try refusal.cause(stack, context)
      context.processPendingChanges()
      let state = ContextState(context)
      let before = try stack.dump()
      let error = try #require(caught { try context.save() })
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == refusal.code, "\(error)")
      #expect(try stack.withWriter { !$0.connection.isInTransaction })
      #expect(try stack.dump() == before)
      #expect(ContextState(context) == state)
      try refusal.cure(stack, context)
      try context.save()
      #expect(!context.hasChanges)
      #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE WHERE ZNUMBER IN (1, 10) ORDER BY 1") == ["changed", "new"])
    }
  }

  // S2.7, S3.1
  @Test func aLoopInWillSaveFailsTheSaveAndKeepsTheChanges() throws {
    let stack = try TestStack(model: Diary.model())
    let context = stack.context()
    try context.performAndWait {
      let entry = try #require(context.insert("Entry", ["text": "kept"]) as? DiaryEntry)
      entry.onWillSave = { $0.setValue(($0.value(forKey: "count") as? Int64 ?? 0) + 1, forKey: "count") }
      #expect(caught { try context.save() } != nil)
      #expect(context.insertedObjects == [entry])
      #expect(entry.objectID.isTemporaryID)
      #expect(try stack.sql("SELECT count(*) FROM ZENTRY") == ["0"])
      entry.onWillSave = nil
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTEXT FROM ZENTRY") == ["kept"])
  }

  // S3.1, S3.4: after a conflict the save is resolved, and then fails at its n-th step.
  @Test(arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
  func aSaveThatFailsAfterItsConflictsWereResolvedLosesNothing(policy: NSMergePolicyType) throws {
    var step = 1
    while true {
      let stack = try TestStack()
      try stack.seed(1...3, words: ["a"])
      let context = stack.context()
      context.mergePolicy = NSMergePolicy(merge: policy)
      let plan = FaultPlan(failing: step, with: .full)
      try context.performAndWait {
        let notes = try context.notes()
        for note in notes { _ = note.title }
        try stack.change {
          try $0.note(1).title = "theirs"
          $0.delete(try $0.note(2))
        }
        notes[0].title = "ours"
        notes[1].title = "again"
        context.insertNote(10, title: "new")
        let before = try stack.dump()
        try stack.withWriter { $0.connection.faults = plan }
        let error = caught { try context.save() }
        let place: Comment = "step \(step): \(plan.failed ?? "none")"
        guard plan.failed != nil else { return }
        #expect(error?.code == NSPersistentStoreSaveError, place)
        #expect(try stack.withWriter { !$0.connection.isInTransaction })
        #expect(try stack.dump() == before, place)
        #expect(notes[0].title == "ours", place)
        #expect(context.hasChanges)
        try context.save()
        #expect(
          try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["ours", "again", "note 3", "new"], place)
      }
      if plan.failed == nil { break }
      step += 1
    }
    #expect(step > 8)
  }

  // S2.2, S3.1
  @Test func permanentIDsThatCannotBeObtainedAreNotGiven() throws {
    for step in 1...3 {
      let stack = try TestStack()
      let context = stack.context()
      let child = stack.child(of: context)
      try child.performAndWait {
        let note = child.insertNote(1)
        let plan = FaultPlan(failing: step, with: .full)
        try stack.withWriter { $0.connection.faults = plan }
        #expect(cocoaCode { try child.obtainPermanentIDs(for: [note]) } == NSPersistentStoreSaveError)
        #expect(note.objectID.isTemporaryID, "\(plan.failed ?? "none")")
        #expect(try stack.sql("SELECT max(Z_MAX) FROM Z_PRIMARYKEY") == ["0"])
        try child.obtainPermanentIDs(for: [note])
        #expect(note.objectID.uriRepresentation().lastPathComponent == "p1")
        try child.save()
        try context.performAndWait { try context.save() }
      }
      #expect(try stack.sql("SELECT Z_PK FROM ZNOTE") == ["1"])
    }
  }

  // S3.1: rows that another context could read of a save that is taken back are not kept in the row cache.
  @Test func rowsOfASaveThatIsTakenBackAreNotCached() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let writer = stack.context("writer \(UUID())")
    let name = try #require(writer.name)
    let reader = stack.context("reader")
    // A row is listed as long as an object holds it.
    let held = Locked<[Note]>([])
    try Checkpoint.watching({ checkpoint, subject in
      guard checkpoint.name == "save.beforeCommit", subject == name else { return }
      let notes = reader.performAndWait { (try? reader.notes()) ?? [] }
      held.withLock { $0 = notes }
    }) {
      try writer.performAndWait {
        try writer.note(1).title = "taken back"
        try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT", with: .full) }
        #expect(cocoaCode { try writer.save() } == NSPersistentStoreSaveError)
        writer.reset()
      }
    }
    let after = stack.context("after")
    #expect(try after.performAndWait { try (after.existingObject(with: id) as? Note)?.title } == "note 1")
    #expect(held.withLock { $0.count } == 1)
  }
}
