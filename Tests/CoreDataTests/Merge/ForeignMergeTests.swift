import Scheduling
import Testing

@testable import CoreData

/// Saves of other coordinators and stores, of the past, and across unsaved changes.
@Suite struct ForeignMergeTests {
  /// The `DidSave` of a change in a context of its own.
  private func save(
    _ stack: TestStack, _ body: (NSManagedObjectContext) throws -> Void
  ) throws -> Notification {
    let context = stack.context("writer")
    let log = NotificationLog(context)
    return try context.performAndWait {
      try body(context)
      try context.save()
      return try #require(log.didSaves.last)
    }
  }

  // S5.2: another coordinator's rows are none of this one's cache; both models are alike, and not the same.
  @Test func aSaveOfAnotherCoordinatorIsReadAgain() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...2)
    let second = try TestStack(url: stack.url)
    let reader = stack.context("reader")
    try reader.performAndWait {
      let (note, doomed) = (try reader.note(1), try reader.note(2))
      _ = (note.title, doomed.title)
      let saved = try save(second) {
        try $0.note(1).title = "elsewhere"
        $0.delete(try $0.note(2))
        $0.insertNote(3, title: "new")
      }
      let log = NotificationLog(reader)
      reader.mergeChanges(fromContextDidSave: saved)
      #expect(note.title == "elsewhere")
      #expect(doomed.isDeleted)
      #expect(log.takeText() == ["changed deleted=note 2 inserted=fault p3 refreshed=note 1"])
      let numbers = try reader.notes().map(\.number)
      #expect(numbers == [1, 3])
      note.title = "here"
      try reader.save()
    }
    // The row cache has it too, so that another context's fault is new.
    let other = stack.context("other")
    other.performAndWait { #expect((other.object(with: ids[0]) as? Note)?.title == "here") }
  }

  // S3.4, S6.6: values that a policy took from the file are not taken back by a refresh or a late merge.
  @Test(arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
  func aRowThatAPolicyTookStays(_ policy: NSMergePolicyType) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...2)
    let second = try TestStack(url: stack.url)
    let (context, holder) = (stack.context(), stack.context("holder"))
    // Keeps the old row in the cache.
    let held = try holder.performAndWait { try holder.notes().filter { $0.title != nil } }
    let early = try save(stack) { try $0.note(1).title = "early" }
    try second.change { try $0.note(1).title = "elsewhere" }
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy(merge: policy)
      let note = try context.note(1)
      try second.change { try $0.note(1).title = "newest" }
      note.title = "here"
      try context.save()
      #expect(note.title == "newest")
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "newest")
      context.mergeChanges(fromContextDidSave: early)
      #expect(note.title == "newest")
    }
    withExtendedLifetime(held) {}
  }

  // S5.2: keys mean nothing across stores.
  @Test func aSaveOfAnotherStoreIsNotMerged() throws {
    let model = Notebook.model()
    let (stack, other) = (try TestStack(.file, model: model), try TestStack(.file, model: model))
    for stack in [stack, other] { try stack.seed(1...2) }
    let reader = stack.context("reader")
    try reader.performAndWait {
      let notes = try reader.notes()
      _ = notes.map(\.title)
      let saved = try save(other) {
        try $0.note(1).title = "the other's"
        $0.delete(try $0.note(2))
        $0.insertNote(3)
      }
      let log = NotificationLog(reader)
      reader.mergeChanges(fromContextDidSave: saved)
      #expect(notes.map(\.title) == ["note 1", "note 2"])
      #expect(!notes[1].isDeleted)
      #expect(log.take().isEmpty)
    }
  }

  // S5.2: a notification of a deletion comes after the row was inserted again under its ID.
  @Test func aLateDeletionOfARowThatIsBackIsNoDeletion() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let (stubborn, reader) = (stack.context("stubborn"), stack.context("reader"))
    stubborn.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    let deletion = try stubborn.performAndWait {
      let note = try stubborn.note(1)
      note.title = "stays"
      let deletion = try save(stack) { $0.delete(try $0.note(1)) }
      try stubborn.save()
      return deletion
    }
    try reader.performAndWait {
      let note = try reader.note(1)
      #expect(note.title == "stays")
      reader.mergeChanges(fromContextDidSave: deletion)
      #expect(!note.isDeleted)
      note.title = "and changes"
      try reader.save()
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["and changes"])
  }

  // S5.2, S2.1: contexts that held the old row see the one that came back.
  @Test func aRowThatIsBackReplacesTheOldOne() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    try stack.change { try $0.note(1).title = "second version" }
    let (stubborn, reader) = (stack.context("stubborn"), stack.context("reader"))
    stubborn.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    let log = NotificationLog(stubborn)
    try reader.performAndWait {
      let note = try reader.note(1)
      #expect(note.title == "second version")
      try stubborn.performAndWait {
        try stubborn.note(1).title = "back"
        try stack.change { $0.delete(try $0.note(1)) }
        try stubborn.save()
      }
      reader.mergeChanges(fromContextDidSave: try #require(log.didSaves.last))
      #expect(note.title == "back")
      note.number = 2
      try reader.save()
    }
    #expect(try stack.sql("SELECT ZTITLE || ZNUMBER FROM ZNOTE") == ["back2"])
  }

  // S5.2: unsaved changes must not keep leading to a gone object.
  @Test func unsavedReferencesToWhatWasDeletedElsewhereAreCleared() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...2, words: ["a"])
    let reader = stack.context("reader")
    try reader.performAndWait {
      let doomed = try reader.note(1)
      let moved = try #require(try reader.note(2).words.first as? Word)
      moved.note = doomed
      let new = Word(context: reader)
      new.term = "new"
      new.note = doomed
      let tag = reader.insert("Tag", ["name": "tag"])
      reader.processPendingChanges()
      let saved = try save(stack) { $0.delete(try $0.note(1)) }
      reader.mergeChanges(fromContextDidSave: saved)
      #expect(moved.note == nil)
      #expect(new.note == nil)
      tag.setValue(Set([new]), forKey: "words")
      try reader.save()
      #expect(tag.objects("words") == [new])
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE IS NULL") == ["2"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["2"])
  }

  // S5.2: the same for a join.
  @Test func anUnsavedMemberThatWasDeletedElsewhereIsNoMember() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1, words: ["a"])
    try stack.change { $0.insert("Tag", ["name": "doomed"]) }
    let reader = stack.context("reader")
    try reader.performAndWait {
      let word = try #require(try reader.words().first)
      let tag = try #require(try reader.all("Tag").first)
      word.tags = [tag]
      reader.mergeChanges(fromContextDidSave: try save(stack) { $0.delete(try #require(try $0.all("Tag").first)) })
      #expect(word.tags.isEmpty)
      try reader.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["0"])
  }

  // S5.2: a fault shows its last values when its deletion is merged.
  @Test func aFaultWhoseDeletionIsMergedShowsItsLastValues() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let reader = stack.context("inaccessible \(UUID())")
    try reader.performAndWait {
      let note = try reader.note(1)
      #expect(note.isFault)
      reader.mergeChanges(fromContextDidSave: try save(stack) { $0.delete(try $0.note(1)) })
      let faults = Hooks.faults(in: reader) { #expect(note.title == "note 1") }
      #expect(faults.isEmpty)
      #expect(note.isDeleted)
    }
  }

  // S5.3: a merge does not change the objects of a running save; it comes when the save is over.
  @Test func aMergeWaitsForTheReceiversSave() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...2)
    let context = stack.context()
    let seen = Locked<[String?]>([])
    // Outside any block, as code on the main thread may be, where a nested performAndWait would merge.
    try context.queue.sync {
      context.automaticallyMergesChangesFromParent = true
      let (note, other) = (try context.note(1), try context.note(2))
      _ = other.title
      // The object belongs to the queue that posts.
      nonisolated(unsafe) let watched = other
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: context, queue: nil
      ) { _ in
        try? stack.change { try $0.note(2).title = "elsewhere" }
        context.performAndWait { seen.withLock { $0.append(watched.title) } }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      note.title = "here"
      try context.save()
    }
    #expect(seen.withLock { $0 } == ["note 2"])
    #expect(try context.performAndWait { try context.note(2).title } == "elsewhere")
  }

  // S5.2: several at once, in any order, give the store's values.
  @Test func anyOrderOfMergesEndsWithTheStore() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...4)
    let reader = stack.context("reader")
    let notes = try reader.performAndWait {
      let notes = try reader.notes()
      _ = notes.map(\.title)
      return notes
    }
    let saves = [
      try save(stack) { try $0.note(1).title = "first" },
      try save(stack) {
        try $0.note(1).title = "second"
        $0.delete(try $0.note(2))
      },
      try save(stack) {
        $0.insertNote(5, title: "inserted")
        try $0.note(3).title = "third"
      },
      try save(stack) {
        try $0.note(5).title = "updated"
        $0.delete(try $0.note(4))
      },
    ]
    reader.performAndWait {
      for order in [[3, 1, 0, 2], [2, 2, 0], [1, 3]] {
        for index in order { reader.mergeChanges(fromContextDidSave: saves[index]) }
      }
      #expect(notes.map(\.isDeleted) == [false, true, false, true])
      #expect(notes.map(\.title) == ["second", "note 2", "third", "note 4"])
      let titles = try? reader.notes().map(\.title)
      #expect(titles == ["second", "third", "updated"])
      #expect(!reader.hasChanges)
    }
  }
}
