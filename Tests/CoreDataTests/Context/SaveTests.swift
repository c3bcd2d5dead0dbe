import CoreData
import SQLite
import Testing

@Suite(.everyStore) struct SaveTests {
  // S3.2
  @Test func aSaveWithoutChangesPostsThatThereAreNone() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait {
      _ = try context.note(1).title
      try context.save()
    }
    #expect(log.takeText() == ["will", "did"])
    #expect(log.didSaves.allSatisfy { $0.userInfo?.isEmpty ?? true })
    try context.performAndWait { try context.note(1).number = 5 }
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave, object: context, queue: nil
    ) { _ in (try? context.note(5))?.title = "changed" }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait { try context.save() }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["changed"], "what an observer changes is saved")
  }

  // S3.2, S3.6
  @Test func insertedAndDeletedBeforeASaveVanishes() throws {
    let stack = try TestStack()
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a"])
      context.delete(note)
      #expect(try context.notes().isEmpty)
      try context.save()
      #expect(!context.hasChanges)
      #expect(note.managedObjectContext == nil)
      context.rollback()
      #expect(try context.notes().isEmpty)
    }
    #expect(log.takeText() == ["will", "did"])
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // S3.1, S6.4
  @Test func versionsStartAtOneAndRiseByOne() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    #expect(try stack.sql("SELECT Z_OPT FROM ZNOTE") == ["1"])
    for round in 2...4 {
      try stack.change { try $0.note(1).title = "round \(round)" }
      #expect(try stack.sql("SELECT Z_OPT FROM ZNOTE") == ["\(round)"])
    }
  }

  // S3.1
  @Test func aMissingValueFailsTheSaveAndChangesNothing() throws {
    let stack = try TestStack(model: Notebook.model(titleIsOptional: false))
    let context = stack.context()
    try context.performAndWait {
      context.insertNote(1, title: "fine")
      let bad = context.insertNote(2)
      let id = bad.objectID
      #expect(cocoaCode { try context.save() } == NSValidationMissingMandatoryPropertyError)
      #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
      #expect(context.insertedObjects.count == 2)
      #expect(bad.objectID == id)
      bad.title = "mended"
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
  }

  // S3.1
  @Test func severalValidationErrorsComeAsOne() throws {
    let context = try TestStack(model: Notebook.model(titleIsOptional: false)).context()
    context.performAndWait {
      let notes = [context.insertNote(1), context.insertNote(2)]
      let error = caught { try context.save() }
      #expect(error?.code == NSValidationMultipleErrorsError)
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(details.map(\.code) == [1570, 1570])
      let objects = details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
      #expect(Set(objects) == Set(notes))
      #expect(details.first?.userInfo[NSValidationKeyErrorKey] as? String == "title")
    }
  }

  // S3.1, S6.1
  @Test func aBusyStoreFailsTheSaveAfterTheTimeoutAndLosesNothing() throws {
    let stack = try TestStack(.file, timeout: 0.1)
    try stack.seed(1...1)
    let blocker = try Connection(path: stack.url.path)
    try blocker.execute("BEGIN IMMEDIATE")
    let context = stack.context()
    try context.performAndWait {
      try context.note(1).title = "changed"
      let new = context.insertNote(2, words: ["a"])
      let log = NotificationLog(context)
      let error = caught { try context.save() }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect((error?.userInfo[NSUnderlyingErrorKey] as? SQLiteError)?.code.primary == .busy)
      #expect(log.take().map(\.kind) == ["changed", "will"])
      #expect(new.objectID.isTemporaryID)
      #expect(context.insertedObjects.count == 2)
      #expect(context.updatedObjects.count == 1)
      #expect(try context.notes().count == 2, "reading continues meanwhile")
      try blocker.execute("ROLLBACK")
      try context.save()
      #expect(!new.objectID.isTemporaryID)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["changed", "NULL"])
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["2"])
  }

  // S3.1: a failure after rows were written takes all of them back.
  @Test func aFailureInTheMiddleOfTheTransactionLeavesNothing() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    try Connection.write(
      stack.url, "CREATE TRIGGER refuse BEFORE INSERT ON ZWORD BEGIN SELECT RAISE(ABORT, 'refused'); END")
    let context = stack.context()
    try context.performAndWait {
      try context.note(1).title = "changed"
      context.insertNote(2)
      let bad = context.insertNote(3, words: ["a"])
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 1"])
      #expect(try stack.sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == ["1"])
      #expect(bad.objectID.isTemporaryID)
      try Connection.write(stack.url, "DROP TRIGGER refuse")
      try context.save()
      #expect(bad.words.count == 1)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["3"])
  }

  // S3.1: obtained IDs outlive a failed save and are given to no other object.
  @Test func obtainedIDsSurviveAFailedSave() throws {
    let stack = try TestStack(.file, timeout: 0.1)
    let context = stack.context()
    try context.performAndWait {
      let note = context.insertNote(1)
      try context.obtainPermanentIDs(for: [note])
      let id = note.objectID
      let blocker = try Connection(path: stack.url.path)
      try blocker.execute("BEGIN IMMEDIATE")
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      try blocker.execute("ROLLBACK")
      try stack.seed(2...2)
      #expect(note.objectID == id)
      try context.save()
      #expect(note.objectID == id)
    }
    #expect(try stack.sql("SELECT Z_PK FROM ZNOTE ORDER BY ZNUMBER") == ["1", "2"])
  }

  // S3.1, S6.3
  @Test func aReadOnlyStoreRefusesToSave() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let reading = try TestStack(url: stack.url, isReadOnly: true)
    let context = reading.context()
    try context.performAndWait {
      let count = try context.notes().count
      #expect(count == 1)
      context.insertNote(2)
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      #expect(context.insertedObjects.count == 1)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["1"])
  }

  // S8.3
  @Test func afterItsDeletionIsSavedAnObjectIsGone() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      context.delete(note)
      #expect(note.isDeleted)
      try context.save()
      #expect(!note.isDeleted)
      #expect(note.managedObjectContext == nil)
      #expect(note.title == "note 1", "values that were read stay readable")
      #expect(note.words.isEmpty)
    }
  }

  // S8.3: also where no relationship has made the stack fill the fault.
  @Test func aFaultCanBeReadAfterItsDeletionIsSaved() throws {
    let stack = try TestStack(model: Diary.model())
    try stack.change { $0.insert("Entry", ["text": "a", "count": 3]) }
    let context = stack.context()
    try context.performAndWait {
      let entry = try context.all("Entry")[0]
      #expect(entry.isFault)
      context.delete(entry)
      try context.save()
      #expect(entry.managedObjectContext == nil)
      #expect(entry.string("text") == "a")
      #expect(entry.value(forKey: "count") as? Int == 3)
    }
  }

  // S8.1: also where no relationship makes the stack look at the row.
  @Test func deletingAFaultDeletesItsRow() throws {
    let stack = try TestStack(model: Diary.model())
    let writer = stack.context()
    let ids = try writer.performAndWait {
      let entries = (0..<2).map { writer.insert("Entry", ["count": $0]) }
      try writer.save()
      return entries.map(\.objectID)
    }
    let context = stack.context()
    try context.performAndWait {
      context.delete(context.object(with: ids[0]))
      try context.save()
    }
    #expect(try stack.sql("SELECT Z_PK FROM ZENTRY") == ["2"])
    // Two contexts have the fault; the second deletion finds nothing to do.
    let (first, second) = (stack.context(), stack.context())
    let fault = try second.performAndWait { try second.all("Entry")[0] }
    try first.performAndWait {
      first.delete(first.object(with: ids[1]))
      try first.save()
    }
    try second.performAndWait {
      second.delete(fault)
      try second.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZENTRY") == ["0"])
  }
}

/// The error that `body` throws.
func caught(_ body: () throws -> Void) -> NSError? {
  do {
    try body()
    return nil
  } catch {
    return error as NSError
  }
}
