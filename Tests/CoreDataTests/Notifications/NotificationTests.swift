import CoreData
import Scheduling
import Testing

@Suite(.everyStore) struct NotificationTests {
  // S5.1
  @Test func aSavePostsEachNotificationOnceAndInOrder() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait {
      let (note, word) = (try context.note(1), try context.words(NSPredicate(format: "note.number == 2"))[0])
      note.title = "changed"
      context.delete(word)
      context.insertNote(3)
      try context.save()
    }
    let reported = log.take()
    #expect(reported.map(\.kind) == ["changed", "will", "did"])
    let sets = ["inserted": ["note 3"], "updated": ["note 1", "note 2"], "deleted": ["word a"]]
    #expect(reported.first?.sets.mapValues { $0.filter { !$0.hasPrefix("fault") } } == sets)
    #expect(reported[1].sets.isEmpty)
    #expect(reported.last?.sets == sets)
    #expect(!reported.contains { !$0.wasOnQueue })
  }

  // S5.1
  @Test func notificationsComeOnTheThreadOfTheSave() throws {
    let context = try TestStack().context()
    let thread = Locked<ThreadRecord?>(nil)
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { _ in thread.withLock { $0 = ThreadRecord.current } }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait {
      context.insertNote(1)
      try context.save()
      #expect(thread.withLock { $0 } === ThreadRecord.current)
    }
  }

  // S5.1
  @Test func whatWasReportedBeforeIsNotReportedAgainButSaved() throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    try context.performAndWait {
      let note = context.insertNote(1)
      context.processPendingChanges()
      note.title = "changed"
      context.processPendingChanges()
      try context.save()
    }
    #expect(
      log.takeText() == ["changed inserted=note 1", "changed updated=note 1", "will", "did inserted=note 1"])
  }

  // S3.6, S5.1
  @Test func whatVanishedIsNoPartOfTheSave() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait {
      let new = context.insertNote(2)
      context.processPendingChanges()
      context.delete(try context.note(1))
      context.processPendingChanges()
      context.delete(new)
      try context.save()
    }
    #expect(log.takeText().last == "did deleted=note 1")
  }

  // S5.1
  @Test func aFailedSavePostsNoDidSave() throws {
    let context = try TestStack(model: Notebook.model(titleIsOptional: false)).context()
    let log = NotificationLog(context)
    context.performAndWait {
      context.insertNote(1)
      #expect(cocoaCode { try context.save() } != nil)
    }
    #expect(log.take().map(\.kind) == ["changed", "will"])
  }

  // S5.1
  @Test func resetTellsThatEverythingIsGone() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    let reported = Locked(0)
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { notification in
      if notification.userInfo?[NSInvalidatedAllObjectsKey] != nil { reported.withLock { $0 += 1 } }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait {
      _ = try context.note(1)
      context.reset()
    }
    #expect(reported.withLock { $0 } == 1)
  }

  // S5.1
  @Test func aResetNamesTheIDsOfWhatWasThere() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    let context = stack.context()
    let reported = Locked<[NSManagedObjectID]>([])
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { notification in
      guard let gone = notification.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] else { return }
      reported.withLock { $0 = gone }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait {
      let notes = try context.notes()
      context.reset()
      withExtendedLifetime(notes) {}
    }
    #expect(Set(reported.withLock { $0 }) == Set(ids))
  }

  // S5.1, S3.6: a fetch reports inserted objects, so that their deletion is reported as well.
  @Test func aFetchReportsWhatIsUnsaved() throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    try context.performAndWait {
      context.insertNote(1)
      context.insertNote(2)
      let notes = try context.notes()
      #expect(log.takeText() == ["changed inserted=note 1,note 2"])
      for note in notes { context.delete(note) }
      #expect(try context.notes().isEmpty && log.take().isEmpty, "deletions wait for the end of the event")
      context.processPendingChanges()
      #expect(log.takeText() == ["changed deleted=note 1,note 2"])
    }
  }

  // S5.1: by controllers too.
  @Test func aControllerIsNotToldOfWhatItHasFetched() throws {
    final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
      var changes = 0
      func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        changes += 1
      }
    }
    let context = try TestStack().context()
    try context.performAndWait {
      context.insertNote(1)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = Delegate()
      controller.delegate = delegate
      try controller.performFetch()
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.count == 1 && delegate.changes == 0)
    }
  }

  // S5.1: an observer saves what the save reports, and changes something else.
  @Test func aSaveInsideTheReportOfAnotherLeavesEachItsOwnObjects() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    let log = NotificationLog(context)
    let isFirst = Locked(true)
    try context.performAndWait {
      let notes = try context.notes()
      let other = notes[1].objectID
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        let isNext = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        guard isNext, let context = notification.object as? NSManagedObjectContext else { return }
        #expect(throws: Never.self) { try context.save() }
        (context.object(with: other) as? Note)?.title = "second"
        context.processPendingChanges()
      }
      defer { NotificationCenter.default.removeObserver(token) }
      notes[0].title = "first"
      try context.save()
    }
    #expect(log.takeText().filter { $0.hasPrefix("did") } == ["did updated=note 1", "did updated=note 2"])
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE ORDER BY 1") == ["first", "second"])
  }

  // S4.1, S5.1
  @Test func aPushPostsTheChildsSaveAndTheParentsChange() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let child = stack.child(of: root)
    let (above, below) = (NotificationLog(root), NotificationLog(child))
    try child.performAndWait {
      child.insertNote(1)
      try child.save()
    }
    #expect(below.takeText() == ["changed inserted=note 1", "will", "did inserted=note 1"])
    let reported = above.take()
    #expect(reported.map(\.description) == ["changed inserted=note 1"])
    #expect(!reported.contains { !$0.wasOnQueue })
    try root.performAndWait { try root.save() }
    #expect(above.takeText() == ["will", "did inserted=note 1"])
    #expect(below.take().isEmpty)
  }
}
