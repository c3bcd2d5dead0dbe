import CoreData
import Scheduling
import Testing

/// S2.8: `changedValuesForCurrentEvent()`, which needs no undo manager.
@Suite struct CurrentEventTests {
  private func withContext(_ hasUndo: Bool, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let stack = try TestStack()
    try stack.change {
      $0.insertNote(1, title: "one", words: ["a", "b"])
      $0.insertNote(2)
    }
    let context = stack.context()
    if hasUndo { context.undoManager = UndoManager() }
    try context.performAndWait { try body(context) }
  }

  // S2.8
  @Test(arguments: [false, true]) func oldValuesSinceTheLastEvent(_ hasUndo: Bool) throws {
    try withContext(hasUndo) { context in
      let note = try context.note(1)
      #expect(note.changedValuesForCurrentEvent().isEmpty)
      note.title = "changed"
      note.uuid = UUID()
      #expect(note.changedValuesForCurrentEvent()["title"] as? String == "one")
      #expect(note.changedValuesForCurrentEvent()["uuid"] is NSNull)
      #expect(note.changedValuesForCurrentEvent().count == 2)
      context.processPendingChanges()
      #expect(note.changedValuesForCurrentEvent().isEmpty)
      note.title = "again"
      #expect(note.changedValuesForCurrentEvent().count == 1)
      #expect(note.changedValuesForCurrentEvent()["title"] as? String == "changed")
      note.title = "changed"
      #expect(note.changedValuesForCurrentEvent().isEmpty, "it has the value that it had")
    }
  }

  // S2.8
  @Test(arguments: [false, true]) func relationshipsHaveTheirOldObjects(_ hasUndo: Bool) throws {
    try withContext(hasUndo) { context in
      let (first, second) = (try context.note(1), try context.note(2))
      let words = try context.words()
      #expect(first.words.count == 2 && second.words.isEmpty)
      var left = Set<NSManagedObject>(words)
      var arrived: Set<NSManagedObject> = []
      for word in words {
        word.note = second
        #expect(word.changedValuesForCurrentEvent()["note"] as? Note === first)
        let (old, new) = (first.changedValuesForCurrentEvent(), second.changedValuesForCurrentEvent())
        #expect(old["words"] as? Set<NSManagedObject> == left)
        #expect(new["words"] as? Set<NSManagedObject> == arrived)
        left.remove(word)
        arrived.insert(word)
        context.processPendingChanges()
      }
    }
  }

  // S2.8
  @Test(arguments: [false, true]) func whoIsNotifiedOfAnEventCanAskWhatItChanged(_ hasUndo: Bool) throws {
    try withContext(hasUndo) { context in
      let note = try context.note(1)
      let heard = Locked<[[String: String]]>([])
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
        for object in updated {
          let values = object.changedValuesForCurrentEvent().mapValues { "\($0)" }
          heard.withLock { $0.append(values) }
        }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      note.title = "x"
      context.processPendingChanges()
      note.title = "y"
      note.number = 7
      context.processPendingChanges()
      #expect(heard.withLock { $0 } == [["title": "one"], ["title": "x", "number": "1"]])
      #expect(note.changedValuesForCurrentEvent().isEmpty)
    }
  }

  // S2.8
  @Test(arguments: [false, true]) func aNewObjectHadItsDefaults(_ hasUndo: Bool) throws {
    try withContext(hasUndo) { context in
      let note = context.insertNote(3)
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["number"])
      #expect(note.changedValuesForCurrentEvent()["number"] as? Int64 == 0)
      context.processPendingChanges()
      note.title = "x"
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["title"])
    }
  }

  // S2.8
  @Test func anEarlierEventsChangesAreNotADeletions() throws {
    try withContext(false) { context in
      let note = try context.note(2)
      note.title = "x"
      context.processPendingChanges()
      context.delete(note)
      #expect(note.changedValuesForCurrentEvent().isEmpty)
    }
  }
}
