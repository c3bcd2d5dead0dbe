import CoreData
import Scheduling
import Testing

@Suite struct UndoTests {
  /// A context that records for undo, on a store with notes 1 and 2; note 1 has the words "a" and "b".
  private func context(_ stack: TestStack) throws -> NSManagedObjectContext {
    try stack.change {
      $0.insertNote(1, title: "one", words: ["a", "b"])
      $0.insertNote(2, title: "two")
    }
    let context = stack.context()
    context.undoManager = UndoManager()
    return context
  }

  /// Runs `body` on the queue of such a context.
  private func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = try context(TestStack())
    try context.performAndWait { try body(context) }
  }

  private func word(_ term: String, _ context: NSManagedObjectContext) throws -> Word {
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

  // MARK: Groups

  // S2.4
  @Test func aBegunGroupTakesSeveralEvents() throws {
    try withContext { context in
      let manager = try #require(context.undoManager)
      manager.beginUndoGrouping()
      try context.note(1).title = "changed"
      context.processPendingChanges()
      try context.note(2).title = "changed"
      manager.endUndoGrouping()
      context.undo()
      #expect(try context.notes().compactMap(\.title) == ["one", "two"])
      context.redo()
      #expect(try context.notes().compactMap(\.title) == ["changed", "changed"])
    }
  }

  // S2.4
  @Test func withoutGroupsByEventEachEventIsAGroup() throws {
    try withContext { context in
      let manager = try #require(context.undoManager)
      manager.groupsByEvent = false
      for title in ["x", "y"] {
        try context.note(1).title = title
        context.processPendingChanges()
      }
      #expect(manager.undoCount == 2 && manager.groupingLevel == 0)
      context.undo()
      #expect(try context.note(1).title == "x")
    }
  }

  // S2.4
  @Test func aBlockIsAnEvent() throws {
    let context = try context(TestStack())
    for number in [8, 9] as [Int64] {
      context.perform {
        context.insertNote(number, title: "x")
        context.processPendingChanges()
      }
    }
    context.performAndWait {
      #expect(context.undoManager?.undoCount == 2)
      context.undo()
    }
    let titles = try context.performAndWait { try context.notes().compactMap(\.title) }
    #expect(titles == ["one", "two", "x"])
  }

  // S2.4
  @Test func undoTakesBackWhatWasNotProcessedYet() throws {
    try withContext { context in
      let note = try context.note(1)
      note.title = "x"
      context.processPendingChanges()
      note.title = "y"
      context.undo()
      #expect(note.title == "x")
      note.title = "z"
      #expect(context.undoManager?.canRedo == false, "the change is recorded first")
    }
  }

  // S2.4
  @Test func changesMadeWhileRecordingIsDisabledStay() throws {
    try withContext { context in
      let (first, second) = (try context.note(1), try context.note(2))
      first.title = "x"
      context.processPendingChanges()
      context.undoManager?.disableUndoRegistration()
      second.title = "kept"
      context.processPendingChanges()
      context.undoManager?.enableUndoRegistration()
      context.undo()
      #expect(first.title == "one" && second.title == "kept")
      #expect(context.updatedObjects == [second])
    }
  }

  // S2.4, S4.1
  @Test func whatAChildTookBackReachesItsParent() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let root = stack.context("root")
    let child = stack.child(of: root)
    child.undoManager = UndoManager()
    try child.performAndWait {
      let note = try child.note(1)
      child.delete(note)
      try child.save()
      child.undo()
      let new = child.insertNote(2)
      try child.save()
      child.undo()
      #expect(new.isDeleted)
      try child.save()
    }
    try root.performAndWait {
      #expect(try root.notes().map(\.number) == [1])
      #expect(try root.note(1).words.count == 1)
      try root.save()
    }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE") == ["1"])
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE = 1") == ["a"])
  }

  // S1.5
  @Test func recordedActionsKeepNoContextAlive() throws {
    weak var gone: NSManagedObjectContext?
    let manager = UndoManager()
    do {
      let context = try context(TestStack())
      context.undoManager = manager
      gone = context
      try context.performAndWait {
        try context.note(1).title = "changed"
        context.insertNote(3)
        context.processPendingChanges()
      }
    }
    #expect(gone == nil)
    manager.undo()
  }

  // MARK: Ordered relationships, life cycle

  // S2.4, S2.6
  @Test(arguments: [false, true]) func anOrderIsTakenBack(_ isSaved: Bool) throws {
    let context = try TestStack(model: Library.model()).context()
    context.undoManager = UndoManager()
    try context.performAndWait {
      let shelf = try context.seedShelf("abcd")
      func edit(_ body: () throws -> Void) throws {
        try body()
        context.processPendingChanges()
        if isSaved { try context.save() }
      }
      try edit { shelf.mutable().moveObjects(at: [3], to: 0) }
      try edit { shelf.mutable().removeObject(at: 1) }
      try edit { context.delete(try context.named("Book", "b")) }
      #expect(shelf.row() == "dc")
      for row in ["dbc", "dabc", "abcd"] {
        context.undo()
        #expect(shelf.row() == row)
      }
      #expect(isSaved || !context.hasChanges)
      for row in ["dabc", "dbc", "dc"] {
        context.redo()
        #expect(shelf.row() == row)
      }
      try edit { context.delete(shelf) }
      context.undo()
      #expect(shelf.row() == "dc")
      try context.save()
    }
  }

  // S2.4
  @Test func whatAnEventDidBeforeItDeletedIsTakenBackToo() throws {
    try withContext { context in
      let word = try word("a", context)
      let tags = ["s", "t"].map { context.insert("Tag", ["name": $0]) }
      word.tags = [tags[0]]
      try context.save()
      word.term = "changed"
      word.tags = [tags[1]]
      context.delete(word)
      try context.save()
      context.undo()
      #expect(word.term == "a" && word.tags == [tags[0]])
      #expect(tags[0].objects("words") == [word] && tags[1].objects("words").isEmpty)
    }
  }

  // S2.4, S2.7
  @Test func objectsAreToldWhatWasUndone() throws {
    let entry = Notebook.entity("Entry", UndoDiary.self)
    entry.properties = [Notebook.attribute("text", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [entry]
    let context = try TestStack(model: model).context()
    context.undoManager = UndoManager()
    context.performAndWait {
      let object = UndoDiary(context: context)
      context.processPendingChanges()
      object.setValue("x", forKey: "text")
      context.processPendingChanges()
      context.delete(object)
      context.processPendingChanges()
      for _ in 0..<3 { context.undo() }
      #expect(object.events == [.undoDeletion, .undoUpdate, .undoInsertion])
    }
  }
}

/// Notes why its values were replaced.
final class UndoDiary: NSManagedObject {
  var events: [NSSnapshotEventType] = []

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
}
