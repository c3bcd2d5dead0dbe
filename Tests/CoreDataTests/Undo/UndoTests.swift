import CoreData
import Scheduling
import Testing

@Suite struct UndoTests {
  /// A context that records for undo, on a store with notes 1 and 2; note 1 has the words "a" and "b".
  func context(_ stack: TestStack) throws -> NSManagedObjectContext {
    try stack.change {
      $0.insertNote(1, title: "one", words: ["a", "b"])
      $0.insertNote(2, title: "two")
    }
    let context = stack.context()
    context.undoManager = UndoManager()
    return context
  }

  /// Runs `body` on the queue of such a context.
  func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = try context(TestStack())
    try context.performAndWait { try body(context) }
  }

  func word(_ term: String, _ context: NSManagedObjectContext) throws -> Word {
    try #require(try context.words(NSPredicate(format: "term == %@", term)).first)
  }

  // S2.4
  @Test func undoIsOffByDefault() throws {
    let context = try TestStack().context()
    context.performAndWait {
      #expect(context.undoManager == nil)
      let note = context.insertNote(1)
      context.undo()
      context.redo()
      #expect(note.isInserted)
    }
  }

  // S2.4
  @Test func anAttributeGetsItsValueBackAndNothingIsLeftToSave() throws {
    try withContext { context in
      let note = try context.note(1)
      note.title = "changed"
      context.processPendingChanges()
      note.title = "again"
      context.processPendingChanges()
      context.undo()
      #expect(note.title == "changed" && note.isUpdated)
      context.undo()
      #expect(note.title == "one")
      #expect(!note.isUpdated && !context.hasChanges && note.changedValues().isEmpty)
      context.redo()
      #expect(note.title == "changed" && context.updatedObjects == [note])
      context.redo()
      #expect(note.title == "again")
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  // S2.4
  @Test func undoneChangesArePosted() throws {
    try withContext { context in
      let note = try context.note(1)
      note.title = "changed"
      let word = try word("a", context)
      context.delete(word)
      context.processPendingChanges()
      let new = context.insertNote(3)
      context.processPendingChanges()
      let log = NotificationLog(context)
      context.undo()
      #expect(log.takeText() == ["changed deleted=note 3"])
      context.undo()
      #expect(log.takeText() == ["changed inserted=word a updated=note 1"])
      context.redo()
      #expect(log.takeText() == ["changed deleted=word a updated=note 1"])
      context.redo()
      #expect(log.takeText() == ["changed inserted=note 3"])
      #expect(new.managedObjectContext === context)
    }
  }

  // S2.4
  @Test func anUndoneInsertionLeavesTheContextAndComesBackTheSame() throws {
    let stack = try TestStack()
    let context = try context(stack)
    try context.performAndWait {
      let note = context.insertNote(3, title: "three", words: ["x", "y"])
      let id = note.objectID
      context.processPendingChanges()
      context.undo()
      #expect(note.managedObjectContext == nil && context.registeredObject(for: id) == nil)
      #expect(!context.hasChanges && context.insertedObjects.isEmpty)
      #expect(try context.notes().map(\.number) == [1, 2])
      try context.save()
      context.redo()
      #expect(note.managedObjectContext === context && context.registeredObject(for: id) === note)
      #expect(note.objectID == id && note.isInserted && note.title == "three")
      #expect(Set(note.words.compactMap { $0.string("term") }) == ["x", "y"])
      #expect(!note.words.contains { $0.object("note") !== note })
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == ["1", "2", "3"])
    #expect(
      try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE = (SELECT Z_PK FROM ZNOTE WHERE ZNUMBER = 3)") == ["2"])
  }

  // S2.4, S8.1
  @Test func anUndoneDeletionBringsBackWhatItsRulesDid() throws {
    try withContext { context in
      let note = try context.note(1)
      let words = try context.words()
      let tag = context.insert("Tag", ["name": "t"])
      words[0].tags = [tag]
      try context.save()
      context.delete(note)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 3, "the rule cascades")
      context.undo()
      #expect(!note.isDeleted && !words[0].isDeleted && !context.hasChanges)
      #expect(try context.note(1) === note)
      #expect(note.words == Set(words) && words.allSatisfy { $0.note === note })
      #expect(words[0].tags == [tag] && tag.objects("words") == [words[0]])
      context.redo()
      #expect(note.isDeleted && words.allSatisfy(\.isDeleted) && tag.objects("words").isEmpty)
      try context.save()
      #expect(try context.words().isEmpty)
    }
  }

  // S2.4
  @Test func aNullifiedReferenceComesBackWithItsObject() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .nullifyDeleteRule))
    let context = try context(stack)
    try context.performAndWait {
      let (note, words) = (try context.note(1), try context.words())
      context.delete(note)
      context.processPendingChanges()
      #expect(words.allSatisfy { $0.note == nil })
      context.undo()
      #expect(words.allSatisfy { $0.note === note } && note.words == Set(words))
      #expect(!context.hasChanges)
    }
  }

  // S2.4, S3.6
  @Test func whatVanishedComesBackByUndoOnly() throws {
    try withContext { context in
      let note = context.insertNote(3, words: ["x"])
      let word = try #require(note.words.first as? Word)
      context.processPendingChanges()
      context.delete(note)
      context.processPendingChanges()
      #expect(note.managedObjectContext == nil)
      context.undo()
      #expect(note.isInserted && note.words == [word] && word.note === note)
      context.undo()
      #expect(note.managedObjectContext == nil && word.managedObjectContext == nil)
      #expect(!context.hasChanges)
    }
  }

  // S2.4
  @Test func bothSidesOfAMoveAreTakenBack() throws {
    try withContext { context in
      let (first, second) = (try context.note(1), try context.note(2))
      let word = try word("a", context)
      word.note = second
      context.processPendingChanges()
      second.words = Set(second.words).union([try self.word("b", context)])
      context.processPendingChanges()
      #expect(first.words.isEmpty)
      context.undo()
      let other = try self.word("b", context)
      #expect(second.words == [word] && first.words == [other])
      context.undo()
      #expect(second.words.isEmpty && word.note === first && first.words.count == 2)
      #expect(!context.hasChanges)
      context.redo()
      #expect(second.words == [word] && word.note === second)
    }
  }

  // S2.4
  @Test func manyToManyMembershipIsTakenBackOnBothSides() throws {
    try withContext { context in
      let (a, b) = (try word("a", context), try word("b", context))
      let tags = ["s", "t"].map { context.insert("Tag", ["name": $0]) }
      a.tags = Set(tags)
      try context.save()
      a.tags = [tags[1]]
      tags[0].setValue(Set<NSManagedObject>([b]), forKey: "words")
      context.processPendingChanges()
      context.undo()
      #expect(a.tags == Set(tags) && b.tags.isEmpty)
      #expect(tags[0].objects("words") == [a] && tags[1].objects("words") == [a])
      context.redo()
      #expect(a.tags == [tags[1]] && b.tags == [tags[0]] && tags[0].objects("words") == [b])
    }
  }

  // MARK: After a save

  // S2.4
  @Test func anUndoneInsertionThatWasSavedIsADeletion() throws {
    let stack = try TestStack()
    let context = try context(stack)
    try context.performAndWait {
      let note = context.insertNote(3, words: ["x"])
      try context.save()
      let id = note.objectID
      context.undo()
      #expect(note.isDeleted && context.deletedObjects.count == 2)
      try context.save()
      #expect(try context.notes().map(\.number) == [1, 2])
      context.redo()
      #expect(note.isInserted && note.objectID == id && note.words.count == 1)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == ["1", "2", "3"])
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE = 3") == ["x"])
  }

  // S2.4
  @Test func anUndoneDeletionThatWasSavedIsAnInsertionUnderTheSameID() throws {
    let stack = try TestStack()
    let context = try context(stack)
    try context.performAndWait {
      let note = try context.note(1)
      let words = Set(try context.words())
      let tag = context.insert("Tag", ["name": "t"])
      tag.setValue(words, forKey: "words")
      try context.save()
      let id = note.objectID
      context.delete(note)
      try context.save()
      #expect(note.managedObjectContext == nil)
      context.undo()
      #expect(note.isInserted && note.objectID == id && note.title == "one")
      #expect(note.words == words && tag.objects("words") == words)
      try context.save()
      #expect(note.objectID == id)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["one", "two"])
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE = 1 ORDER BY 1") == ["a", "b"])
    #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["2"])
  }

  // S2.4
  @Test func anUndoneChangeThatWasSavedIsANewChange() throws {
    let stack = try TestStack()
    let context = try context(stack)
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "changed"
      try word("a", context).note = try context.note(2)
      try context.save()
      context.undo()
      #expect(note.isUpdated && note.title == "one" && note.words.count == 2)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["one", "two"])
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["1", "1"])
  }

  // S2.4
  @Test(arguments: [false, true]) func rollbackAndResetForgetTheActions(_ isReset: Bool) throws {
    try withContext { context in
      let manager = try #require(context.undoManager)
      try context.note(1).title = "changed"
      context.processPendingChanges()
      manager.registerUndo(withTarget: manager) { _ in }
      if isReset { context.reset() } else { context.rollback() }
      #expect(manager.undoCount == 0 || manager.groupingLevel == 0)
      context.undo()
      #expect(try context.note(1).title == "one")
      #expect(!context.hasChanges && !manager.canUndo)
    }
  }
}
