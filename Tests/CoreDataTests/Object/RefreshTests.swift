import CoreData
import Testing

@Suite(.everyStore) struct RefreshTests {
  /// A context that holds note 1 realised, and then another context's change of its title and number.
  private func stale(_ stack: TestStack, _ body: (NSManagedObjectContext, Note) throws -> Void) throws {
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      #expect(note.words.count == 2)
      try stack.change {
        let other = try $0.note(1)
        other.title = "elsewhere"
        other.number = 2
        $0.delete(try $0.words()[0])
      }
      try body(context, note)
    }
  }

  // S2.4, S3.3
  @Test func aFetchLeavesARealisedObjectAsItIs() throws {
    try stale(try TestStack()) { context, note in
      let titles = try context.notes().map(\.title)
      #expect(titles == ["note 1"])
      #expect(note.number == 1)
    }
  }

  // S2.4
  @Test func refreshWithoutMergingDropsChangesAndReadsAgain() throws {
    try stale(try TestStack()) { context, note in
      note.title = "here"
      context.refresh(note, mergeChanges: false)
      #expect(note.isFault)
      #expect(!context.hasChanges)
      #expect(note.title == "elsewhere")
      #expect(note.number == 2)
      #expect(note.words.count == 1)
    }
  }

  // S2.4
  @Test func refreshWithMergingLaysLocalChangesOnTop() throws {
    try stale(try TestStack()) { context, note in
      note.title = "here"
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "here")
      #expect(note.number == 2)
      #expect(note.words.count == 1)
      #expect(context.updatedObjects == [note])
      try context.save()
    }
  }

  // S2.4
  @Test func aRefreshedObjectIsReported() throws {
    try stale(try TestStack()) { context, note in
      let log = NotificationLog(context)
      context.refresh(note, mergeChanges: true)
      #expect(log.takeText() == ["changed refreshed=note 2"])
    }
  }

  // S2.4
  @Test func afterResetOldObjectsHaveNoContext() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let saved = try context.note(1)
      let new = context.insertNote(2)
      context.reset()
      #expect(saved.managedObjectContext == nil)
      #expect(new.managedObjectContext == nil)
      for note in [saved, new] {
        #expect(note.isFault)
        #expect(note.title == nil && note.number == 0 && note.words.isEmpty)
        #expect(!note.isFault)
        note.title = "late"
        #expect(note.title == "late")
      }
      #expect(context.registeredObjects.isEmpty)
      #expect(!context.hasChanges)
      #expect(try context.note(1) !== saved)
      #expect(try context.notes().count == 1)
    }
  }

  // S2.4
  @Test func rollbackBringsBackWhatWas() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let (first, second) = (try context.note(1), try context.note(2))
      let new = context.insertNote(3)
      first.title = "changed"
      let word = Word(context: context)
      word.note = first
      context.delete(second)
      context.processPendingChanges()
      context.rollback()
      #expect(!context.hasChanges)
      #expect(new.managedObjectContext == nil)
      #expect(word.managedObjectContext == nil)
      #expect(first.title == "note 1")
      #expect(first.words.count == 1)
      #expect(!second.isDeleted)
      #expect(second.managedObjectContext === context)
      #expect(second.words.count == 1)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["2"])
  }

  // S2.4
  @Test func anEqualValueMakesTheObjectDirtyAndNothingElse() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "note 1"
      #expect(note.hasChanges)
      #expect(context.hasChanges)
      #expect(!note.hasPersistentChangedValues)
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.sql("SELECT Z_OPT FROM ZNOTE") == ["1"])
  }

  // S2.8
  @Test func changedAndCommittedValuesTellNewAndOld() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.changedValues().isEmpty)
      note.title = "new"
      #expect(note.changedValues() as? [String: String] == ["title": "new"])
      #expect(note.committedValues(forKeys: ["title"]) as? [String: String] == ["title": "note 1"])
      #expect(note.hasPersistentChangedValues)
      #expect(note.isUpdated)
      try context.save()
      #expect(note.changedValues().isEmpty)
      #expect(note.committedValues(forKeys: ["title"]) as? [String: String] == ["title": "new"])
      #expect(!note.isUpdated)
    }
  }

  // S2.8
  @Test func committedValuesLeaveOutToManyRelationships() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let committed = try context.note(1).committedValues(forKeys: nil)
      #expect(Set(committed.keys) == ["number", "title", "createdAt", "uuid"])
      #expect(committed["uuid"] is NSNull)
    }
  }
}
