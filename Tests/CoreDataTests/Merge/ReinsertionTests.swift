import SQLite
import Testing

@testable import CoreData

/// Rows that come back under the ID they had. S3.3, S3.4.
@Suite(.everyStore) struct ReinsertionTests {
  // S3.3: object trump inserts a deleted row again.
  @Test func whoHoldsTheDeletedRowConflictsWithItsSuccessor() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (old, back) = (stack.context("old"), stack.context("back"))
    let held = try old.performAndWait { try old.note(1) }
    old.performAndWait { _ = held.title }
    try back.performAndWait {
      back.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let note = try back.note(1)
      note.title = "back"
      try stack.change { $0.delete(try $0.note(1)) }
      try back.save()
    }
    let code = old.performAndWait {
      held.title = "blind"
      return cocoaCode { try old.save() }
    }
    #expect(code == NSManagedObjectMergeError)
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["back"])
  }

  // S3.3: an object may hold a newer version than the one that comes back.
  @Test func theVersionContinuesAboveTheDeletedOne() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (newer, back) = (stack.context("newer"), stack.context("back"))
    try back.performAndWait {
      back.mergePolicy = NSMergePolicy.overwrite
      try back.note(1).title = "back"
    }
    for count in 1...3 { try stack.change { try $0.note(1).title = "again \(count)" } }
    let held = try newer.performAndWait {
      let note = try newer.note(1)
      _ = note.title
      return note
    }
    try stack.change { $0.delete(try $0.note(1)) }
    try back.performAndWait { try back.save() }
    #expect(try stack.sql("SELECT Z_OPT > 4 FROM ZNOTE") == ["1"])
    let code = newer.performAndWait {
      held.title = "blind"
      return cocoaCode { try newer.save() }
    }
    #expect(code == NSManagedObjectMergeError)
  }

  // S3.3: the versions that the row had meanwhile are known to the other coordinator alone.
  @Test func whoReadTheRowElsewhereConflictsWithItsSuccessor() throws {
    let stack = try TestStack(.file)
    let elsewhere = try TestStack(url: stack.url)
    try stack.seed(1...1)
    let (back, newer) = (stack.context("back"), elsewhere.context("newer"))
    try back.performAndWait {
      back.mergePolicy = NSMergePolicy.overwrite
      try back.note(1).title = "back"
    }
    try elsewhere.change { try $0.note(1).title = "again" }
    try newer.performAndWait { try newer.note(1).title = "blind" }
    try elsewhere.change { $0.delete(try $0.note(1)) }
    try back.performAndWait { try back.save() }
    let code = newer.performAndWait { cocoaCode { try newer.save() } }
    #expect(code == NSManagedObjectMergeError)
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["back"])
  }

  // S3.3: a child that never learned the version of the row it inserted.
  @Test func undoingInTheChildThatInsertedTheRowContinuesAsWell() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let child = stack.child(of: root)
    func save() throws {
      try child.save()
      try root.performAndWait { try root.save() }
    }
    try child.performAndWait {
      child.undoManager = UndoManager()
      let note = child.insertNote(1, title: "first")
      try child.obtainPermanentIDs(for: [note])
      try save()
      let old = stack.context("old")
      try old.performAndWait { try old.note(1).title = "blind" }
      child.delete(note)
      try save()
      child.undo()
      try save()
      #expect(old.performAndWait { cocoaCode { try old.save() } } == NSManagedObjectMergeError)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["first"])
  }

  // S3.3: undo of a saved deletion, here and in a child.
  @Test(arguments: [false, true]) func undoingASavedDeletionContinuesWithTheVersion(inChild: Bool) throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let old = stack.context("old")
    let held = try old.performAndWait {
      let note = try old.note(1)
      _ = note.title
      return note
    }
    let root = stack.context("root")
    let context = inChild ? stack.child(of: root) : root
    func save() throws {
      try context.save()
      if inChild { try root.performAndWait { try root.save() } }
    }
    try context.performAndWait {
      context.undoManager = UndoManager()
      context.delete(try context.note(1))
      try save()
      context.undo()
      try save()
    }
    #expect(try stack.sql("SELECT Z_OPT > 1 FROM ZNOTE") == ["1"])
    let code = old.performAndWait {
      held.title = "blind"
      return cocoaCode { try old.save() }
    }
    #expect(code == NSManagedObjectMergeError)
  }

  // S5.2: the late notification of a deletion that was undone and saved.
  @Test func aLateNotificationOfAnUndoneDeletionDoesNoHarm() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (context, other) = (stack.context(), stack.context("other"))
    let held = try other.performAndWait {
      let note = try other.note(1)
      _ = note.title
      return note
    }
    let log = NotificationLog(context)
    try context.performAndWait {
      context.undoManager = UndoManager()
      context.delete(try context.note(1))
      try context.save()
      context.undo()
      try context.save()
    }
    other.performAndWait {
      for notification in log.didSaves { other.mergeChanges(fromContextDidSave: notification) }
      #expect(!held.isDeleted)
    }
  }

  // S3.1: another context brought it back first.
  @Test func undoingADeletionThatAnotherContextUndidIsAConflict() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (context, back) = (stack.context(), stack.context("back"))
    try back.performAndWait {
      back.mergePolicy = NSMergePolicy.overwrite
      try back.note(1).title = "back"
    }
    try context.performAndWait {
      context.undoManager = UndoManager()
      context.delete(try context.note(1))
      try context.save()
    }
    try back.performAndWait { try back.save() }
    let code = context.performAndWait {
      context.undo()
      return cocoaCode { try context.save() }
    }
    #expect(code == NSManagedObjectMergeError)
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE WHERE Z_OPT > 1") == ["note 1"])
  }

  // S3.4, S5.2: every value differs between what undo inserted again and the row that another context brought back.
  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "back"), (.rollbackMergePolicyType, "back"),
    (.mergeByPropertyObjectTrumpMergePolicyType, "note 1"), (.overwriteMergePolicyType, "note 1"),
  ])
  func thePolicyDecidesBetweenTwoReturns(policy: NSMergePolicyType, title: String) throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (context, back) = (stack.context(), stack.context("back"))
    try back.performAndWait {
      back.mergePolicy = NSMergePolicy.overwrite
      try back.note(1).title = "back"
    }
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy(merge: policy)
      context.undoManager = UndoManager()
      let note = try context.note(1)
      context.delete(note)
      try context.save()
      try back.performAndWait { try back.save() }
      context.undo()
      try context.save()
      #expect(note.title == title)
      #expect(!note.hasChanges)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == [title])
  }

  // S2.1: the row that came back under the ID of an object found gone is one object, however many lead there.
  @Test func aRowThatComesBackToManyIsOneObject() throws {
    let stack = try TestStack()
    try stack.change { context in
      for level in 1...10 as ClosedRange<Int64> { Word(context: context).level = level }
      context.insert("Tag", ["name": "old"])
    }
    let (context, back) = (stack.context(), stack.context("back"))
    try back.performAndWait {
      back.mergePolicy = NSMergePolicy.overwrite
      try #require(try back.all("Tag").first).setValue("back", forKey: "name")
    }
    try context.performAndWait {
      let gone = try #require(try context.all("Tag").first)
      _ = gone.string("name")
      try stack.change { $0.delete(try #require(try $0.all("Tag").first)) }
      context.refresh(gone, mergeChanges: false)
      #expect(gone.string("name") == nil && gone.isDeleted)
      try back.performAndWait { try back.save() }
      try stack.change { context in
        let tag = try #require(try context.all("Tag").first)
        for word in try context.words() { word.tags = [tag] }
      }
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.relationshipKeyPathsForPrefetching = ["tags"]
      let tags = try context.fetch(request).flatMap(\.tags)
      #expect(tags.count == 10 && Set(tags.map(ObjectIdentifier.init)).count == 1)
      #expect(tags.first?.objectID == gone.objectID && tags.first !== gone && tags.first?.string("name") == "back")
    }
  }

  // S2.1: an object inserted again after its saved deletion is a new one.
  @Test func anObjectInsertedAgainIsNew() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      context.delete(note)
      try context.save()
      context.insert(note)
      try context.save()
      #expect(try context.notes().map(\.number) == [1, 2])
    }
    #expect(try stack.sql("SELECT ZTITLE || Z_OPT FROM ZNOTE ORDER BY ZNUMBER") == ["note 11", "note 21"])
  }

  // S2.1, S8.3: a fault that no relationship has made the stack fill keeps its attributes as well.
  @Test func aFaultInsertedAgainHasItsValues() throws {
    let stack = try TestStack(model: Diary.model())
    try stack.change { $0.insert("Entry", ["text": "a"]) }
    let context = stack.context()
    try context.performAndWait {
      let entry = try context.all("Entry")[0]
      context.delete(entry)
      try context.save()
      #expect(entry.isFault)
      context.insert(entry)
      try context.save()
    }
    #expect(try stack.sql("SELECT Z_PK || ZTEXT FROM ZENTRY") == ["2a"])
  }
}
