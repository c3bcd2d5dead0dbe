import Scheduling
import Testing

@testable import CoreData

/// Notifications of a merge, and objects that it has deleted. S5.1, S5.2
@Suite(.everyStore) struct MergedDeletionTests {
  // S5.2: until the context saves, is reset or rolled back.
  @Test(arguments: [0, 1, 2]) func aMergedDeletionIsAmongTheDeletedObjects(end: Int) throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let (context, other) = (stack.context(), stack.context("other"))
    try context.performAndWait {
      let notes = try context.notes()
      try other.performAndWait {
        let log = NotificationLog(other)
        other.delete(try other.note(1))
        try other.save()
        context.mergeChanges(fromContextDidSave: log.didSaves[0])
      }
      #expect(context.deletedObjects == [notes[0]] && notes[0].isDeleted)
      #expect(context.registeredObjects == Set(notes))
      #expect(!context.hasChanges && context.insertedObjects.isEmpty)
      switch end {
      case 0: try context.save()
      case 1: context.rollback()
      default: context.reset()
      }
      #expect(context.deletedObjects.isEmpty && !context.registeredObjects.contains(notes[0]))
    }
  }

  // S5.1
  @Test func aMergeIsToldFromAChangeOfTheContextsOwn() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let (context, other) = (stack.context(), stack.context("other"))
    let reported = Locked<[Int]>([])
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { notification in
      let merged = notification.userInfo?[NotificationLog.mergeKey] as? Set<NSManagedObject>
      reported.withLock { $0.append(merged?.count ?? -1) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait {
      let notes = try context.notes()
      notes[0].title = "own"
      context.processPendingChanges()
      try other.performAndWait {
        let log = NotificationLog(other)
        try other.note(1).title = "other"
        other.delete(try other.note(2))
        other.insertNote(3)
        try other.save()
        context.mergeChanges(fromContextDidSave: log.didSaves[0])
      }
      #expect(reported.withLock { $0 } == [-1, 3])
      withExtendedLifetime(notes) {}
    }
  }

  // S5.1: an object that was brought up to date is among the refreshed IDs too.
  @Test func mergedUpdatesAreRefreshedIDs() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...3)
    let (context, other) = (stack.context(), stack.context("other"))
    let reported = Locked<[[NSManagedObjectID]]>([])
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context, queue: nil
    ) { notification in
      let sets = [NSUpdatedObjectIDsKey, NSRefreshedObjectIDsKey].map { key in
        Array(notification.userInfo?[key] as? Set<NSManagedObjectID> ?? [])
      }
      reported.withLock { $0 = sets }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try other.performAndWait {
        let log = NotificationLog(other)
        for number in [Int64(1), 2] { try other.note(number).title = "other" }
        try other.save()
        context.mergeChanges(fromContextDidSave: log.didSaves[0])
      }
      #expect(note.title == "other")
    }
    #expect(reported.withLock { $0.map(Set.init) } == [[ids[0], ids[1]], [ids[0]]])
  }

  // S5.3: the insertion is posted, and nothing of the deletion, since nothing held the object.
  @Test func whatWasInsertedAndDeletedBeforeTheMergeIsPostedOnce() throws {
    let stack = try TestStack()
    let (context, other) = (stack.context(), stack.context("other"))
    context.automaticallyMergesChangesFromParent = true
    let log = NotificationLog(context)
    try context.performAndWait {
      try other.performAndWait {
        let note = other.insertNote(1)
        try other.save()
        other.delete(note)
        try other.save()
      }
    }
    context.performAndWait {}
    let reported = log.take()
    #expect(reported.map { $0.sets[NSInsertedObjectsKey]?.count } == [1])
    context.performAndWait { #expect(context.registeredObjects.isEmpty) }
  }
}
