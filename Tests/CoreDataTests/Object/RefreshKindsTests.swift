import CoreData
import Testing

@Suite(.everyStore) struct RefreshKindsTests {
  // S2.4
  @Test func refreshAllObjectsMakesFaultsOfWhatIsUnchangedAndKeepsChanges() throws {
    let stack = try TestStack()
    try stack.seed(1...3, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      _ = notes.map { ($0.title, $0.words.count) }
      let new = context.insertNote(4)
      notes[0].title = "here"
      context.processPendingChanges()
      try stack.change {
        for note in try $0.notes() { note.title = "elsewhere" }
        try $0.note(2).words = []
        $0.delete(try $0.note(3))
      }
      let log = NotificationLog(context)
      context.refreshAllObjects()
      #expect(log.take().map(\.kind) == ["changed"])
      #expect(notes.map(\.isFault) == [false, true, true])
      #expect(!new.isFault)
      #expect(notes[0].title == "here")
      #expect(notes[1].title == "elsewhere")
      #expect(notes[1].words.isEmpty)
      #expect(new.number == 4)
      #expect(context.insertedObjects == [new])
      #expect(context.updatedObjects == [notes[0]])
      #expect(notes[2].isFault, "its row is gone")
      #expect(notes[2].title == nil)
      #expect(notes[2].isDeleted)
      try context.save()
    }
  }

  // S2.4, S1.5: references between objects are released.
  @Test func refreshAllObjectsBreaksCycles() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    weak var word: Word?
    try context.performAndWait {
      let note = try context.note(1)
      word = note.words.first as? Word
      _ = word?.note
      #expect(word != nil)
      context.refreshAllObjects()
      #expect(word == nil)
      #expect(note.words.count == 1)
    }
  }

  // S2.4: a refresh of one object loses no other's changes.
  @Test func refreshingAnOwnerKeepsItsNewMembers() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let (note, other) = (try context.note(1), try context.note(2))
      let new = Word(context: context)
      new.term = "new"
      new.note = note
      let moved = try #require(other.words.first as? Word)
      moved.note = note
      context.refresh(note, mergeChanges: false)
      #expect(note.isFault)
      #expect(new.note === note)
      #expect(note.words.count == 3)
      #expect(note.words.contains(new))
      #expect(other.words.isEmpty)
      context.refresh(other, mergeChanges: false)
      #expect(other.words.isEmpty)
      try context.save()
      #expect(note.words.count == 3)
    }
    let reader = stack.context("reader")
    #expect(try reader.performAndWait { try reader.note(1).words.count } == 3)
  }

  // S2.4: the object's own move is its own change, and is undone on both sides.
  @Test func refreshingAMovedObjectTakesItBack() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let (note, other) = (try context.note(1), try context.note(2))
      let word = try #require(note.words.first as? Word)
      word.note = other
      #expect(other.words.count == 2)
      context.refresh(word, mergeChanges: false)
      #expect(word.note === note)
      #expect(note.words == [word])
      #expect(other.words.count == 1)
      try context.save()
    }
    let reader = stack.context("reader")
    #expect(try reader.performAndWait { try reader.note(1).words.count } == 1)
  }

  // S2.4
  @Test func refreshLeavesInsertionsAndDeletionsAlone() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let (new, doomed) = (context.insertNote(2, title: "new"), try context.note(1))
      doomed.title = "changed"
      context.delete(doomed)
      for flag in [true, false] {
        context.refresh(new, mergeChanges: flag)
        context.refresh(doomed, mergeChanges: flag)
        #expect(new.isFault == !flag, "its values are kept, since there is no row to read")
        #expect(new.title == "new")
        #expect(new.isInserted && !new.isFault)
        #expect(doomed.isDeleted)
      }
      context.refresh(new, mergeChanges: false)
      try context.save()
      let numbers = try context.notes().map(\.number)
      #expect(numbers == [2])
      #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["new"])
    }
  }

  // S2.4
  @Test func anObjectTurnsIntoAFaultOnceAndIsNotified() throws {
    let stack = try TestStack(model: Diary.model())
    try stack.change { $0.insert("Entry", ["text": "a"]) }
    let context = stack.context()
    try context.performAndWait {
      let entry = try #require(try context.all("Entry").first as? DiaryEntry)
      _ = entry.string("text")
      entry.calls = []
      context.refresh(entry, mergeChanges: true)
      #expect(entry.calls == [])
      #expect(!entry.isFault)
      context.refresh(entry, mergeChanges: false)
      #expect(entry.calls == ["willTurnIntoFault", "didTurnIntoFault"])
      #expect(entry.isFault)
    }
  }

  // S2.4: a fault cannot become one, and an override that reads a value would fill it.
  @Test func aFaultIsNotNotifiedOfBecomingOne() throws {
    let stack = try TestStack(model: Diary.model())
    try stack.change { $0.insert("Entry", ["text": "a"]) }
    let context = stack.context()
    try context.performAndWait {
      let entry = try #require(try context.all("Entry").first as? DiaryEntry)
      try #require(entry.isFault)
      context.refresh(entry, mergeChanges: false)
      context.refreshAllObjects()
      #expect(entry.calls == [])
    }
  }

  // S2.4: also those that the identity map no longer lists.
  @Test func resetTakesTheContextOfDeletedObjectsToo() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let (context, writer) = (stack.context(), stack.context("writer"))
    let log = NotificationLog(writer)
    try context.performAndWait {
      let notes = try context.notes()
      _ = notes.map(\.title)
      try writer.performAndWait {
        writer.delete(try writer.note(1))
        try writer.save()
      }
      context.mergeChanges(fromContextDidSave: try #require(log.didSaves.last))
      try writer.performAndWait {
        writer.delete(try writer.note(2))
        try writer.save()
      }
      context.refresh(notes[1], mergeChanges: false)
      #expect(notes[1].title == nil)
      #expect(notes.map(\.isDeleted) == [true, true, false])
      context.reset()
      #expect(notes.allSatisfy { $0.managedObjectContext == nil })
    }
  }

  // S2.4: of every kind at once, and with nothing processed.
  @Test(arguments: [false, true])
  func rollbackUndoesEveryKindOfChange(processing: Bool) throws {
    let stack = try TestStack()
    try stack.seed(1...3, words: ["a", "b"])
    try stack.change { $0.insert("Tag", ["name": "tag"]) }
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      let tag = try #require(try context.all("Tag").first)
      let words = try context.words()
      let gone = context.insertNote(9)
      context.delete(gone)
      let new = context.insertNote(8, words: ["x"])
      notes[0].title = "changed"
      words[0].note = new
      words[1].tags = [tag]
      context.delete(notes[1])
      notes[2].words = []
      if processing { context.processPendingChanges() }
      context.rollback()
      #expect(!context.hasChanges)
      #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
      #expect(gone.managedObjectContext == nil)
      #expect(new.managedObjectContext == nil)
      #expect(notes.map(\.title) == ["note 1", "note 2", "note 3"])
      #expect(notes.map { $0.words.count } == [2, 2, 2])
      #expect(words.allSatisfy { $0.note != nil && $0.tags.isEmpty && !$0.isDeleted })
      #expect(tag.objects("words").isEmpty)
      let numbers = try context.notes().map(\.number)
      #expect(numbers == [1, 2, 3])
      notes[1].title = "alive"
      try context.save()
    }
    let reader = stack.context("reader")
    #expect(try reader.performAndWait { try reader.notes().map(\.title) } == ["note 1", "alive", "note 3"])
    #expect(try reader.performAndWait { try reader.words().count } == 6)
  }
}
