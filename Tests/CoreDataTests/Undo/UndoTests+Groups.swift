import CoreData
import Scheduling
import Testing

/// Groups, ordered relationships, life cycle.
extension UndoTests {
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

  // S2.4, S4.3: an object that has a temporary key here is the one that a row names by its permanent key.
  @Test func aReferenceByAnotherKeyIsNothingToSave() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let root = stack.context("root")
    let child = stack.child(of: root)
    child.undoManager = UndoManager()
    try child.performAndWait {
      let (word, note) = (try #require(try child.words().first), child.insertNote(2))
      word.note = note
      try child.save()
      try root.performAndWait { try root.save() }
      child.refresh(word, mergeChanges: false)
      #expect(word.note === note)
      word.note = nil
      child.processPendingChanges()
      child.undo()
      #expect(word.note === note && !word.hasChanges)
    }
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

  // S2.4, S2.6: the list was not read when a member left.
  @Test(arguments: [false, true]) func anOrderThatWasNotReadIsTakenBack(_ isSaved: Bool) throws {
    let stack = try TestStack(model: Library.model())
    try stack.change { _ = try $0.seedShelf("abcd") }
    let context = stack.context()
    context.undoManager = UndoManager()
    try context.performAndWait {
      let book = try context.named("Book", "b")
      let shelf = try #require(book.object("shelf"))
      book.setValue(nil, forKey: "shelf")
      context.processPendingChanges()
      if isSaved { try context.save() }
      context.undo()
      #expect(shelf.row() == "abcd")
      #expect(isSaved || !context.hasChanges)
      try context.save()
    }
    #expect(try stack.stored("Shelf", "shelf") == "abcd")
  }

  // S2.4, S2.6: an unread list has a member that is not saved yet, behind those of the store.
  @Test func anOrderWithAnUnsavedMemberIsTakenBack() throws {
    let stack = try TestStack(model: Library.model())
    try stack.change { _ = try $0.seedShelf("abcd") }
    let context = stack.context()
    try context.performAndWait {
      let book = try context.named("Book", "d")
      let shelf = try #require(book.object("shelf"))
      context.insert("Book", ["name": "e"]).setValue(shelf, forKey: "shelf")
      context.processPendingChanges()
      context.undoManager = UndoManager()
      book.setValue(nil, forKey: "shelf")
      context.processPendingChanges()
      context.undo()
      #expect(shelf.row() == "abcde")
      try context.save()
    }
    #expect(try stack.stored("Shelf", "shelf") == "abcde")
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
  @Test func objectsAreNotifiedOfWhatWasUndone() throws {
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
