import CoreData
import Scheduling
import Testing

@Suite struct ObjectIDNotificationTests {
  /// The notifications of a name and a context, while they are asked for.
  private final class Log: Sendable {
    private let log = Locked<[[String: Set<NSManagedObjectID>]]>([])
    // Sendable: written once, in `init`.
    nonisolated(unsafe) private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, _ context: NSManagedObjectContext) {
      token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
        var sets: [String: Set<NSManagedObjectID>] = [:]
        for (key, value) in $0.userInfo ?? [:] {
          if let key = key as? String, let ids = value as? Set<NSManagedObjectID> { sets[key] = ids }
        }
        self?.log.withLock { [sets] in $0.append(sets) }
      }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    var all: [[String: Set<NSManagedObjectID>]] { log.withLock { $0 } }
  }

  // S5.1
  @Test func aSaveTellsTheIDsOnce() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...3)
    let context = stack.context()
    let log = Log(.NSManagedObjectContextDidSaveObjectIDs, context)
    let inserted = try context.performAndWait {
      let note = context.insertNote(4)
      try context.note(1).title = "changed"
      context.delete(try context.note(2))
      try context.save()
      try context.save()
      return note.objectID
    }
    #expect(!inserted.isTemporaryID)
    #expect(
      log.all == [
        [NSInsertedObjectIDsKey: [inserted], NSUpdatedObjectIDsKey: [ids[0]], NSDeletedObjectIDsKey: [ids[1]]]
      ])
  }

  // S5.1: setting an equal value leaves nothing to write, but the object was to be saved.
  @Test func theIDsAreThoseOfTheSavesObjects() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    let context = stack.context()
    let (objects, log) = (NotificationLog(context), Log(.NSManagedObjectContextDidSaveObjectIDs, context))
    try context.performAndWait {
      try context.note(1).title = "changed"
      let same = try context.note(2)
      same.title = same.title
      try context.save()
    }
    #expect(objects.takeText().last == "did updated=note 1,note 2")
    #expect(log.all == [[NSUpdatedObjectIDsKey: Set(ids)]])
  }

  // S5.1, S4.3
  @Test func aChildsSaveTellsItsTemporaryIDs() throws {
    let stack = try TestStack()
    let root = stack.context("root")
    let child = stack.child(of: root)
    let log = Log(NSManagedObjectContext.didSaveObjectIDsNotification, child)
    try child.performAndWait {
      let id = child.insertNote(1).objectID
      try child.save()
      #expect(id.isTemporaryID)
      #expect(log.all == [[NSInsertedObjectIDsKey: [id]]])
    }
  }

  // S5.1
  @Test func aMergeTellsTheIDsOnce() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    let (writer, reader) = (stack.context("writer"), stack.context("reader"))
    let log = Log(NSManagedObjectContext.didMergeChangesObjectIDsNotification, reader)
    reader.performAndWait { reader.automaticallyMergesChangesFromParent = true }
    let inserted = try writer.performAndWait {
      let note = writer.insertNote(3)
      try writer.note(1).title = "changed"
      writer.delete(try writer.note(2))
      try writer.save()
      return note.objectID
    }
    reader.performAndWait {}
    #expect(
      log.all == [
        [NSInsertedObjectIDsKey: [inserted], NSUpdatedObjectIDsKey: [ids[0]], NSDeletedObjectIDsKey: [ids[1]]]
      ])
  }

  // S5.1, S5.2: the notification of IDs is merged like that of objects.
  @Test func aNotificationOfIDsIsMerged() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (writer, reader) = (stack.context("writer"), stack.context("reader"))
    let saved = Locked<Notification?>(nil)
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs, object: writer, queue: nil
    ) { notification in saved.withLock { $0 = notification } }
    defer { NotificationCenter.default.removeObserver(token) }
    try reader.performAndWait {
      let note = try reader.note(1)
      #expect(note.title == "note 1")
      try writer.performAndWait {
        try writer.note(1).title = "changed"
        try writer.save()
      }
      reader.mergeChanges(fromContextDidSave: try #require(saved.withLock { $0 }))
      #expect(note.title == "changed")
    }
  }

  // S5.1
  @Test func theNewerNamesAreTheOldOnes() {
    typealias Key = NSManagedObjectContext.NotificationKey
    #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
    #expect(NSManagedObjectContext.didSaveObjectIDsNotification == .NSManagedObjectContextDidSaveObjectIDs)
    #expect(
      NSManagedObjectContext.didMergeChangesObjectIDsNotification == .NSManagedObjectContextDidMergeChangesObjectIDs)
    #expect(Key.insertedObjects.rawValue == NSInsertedObjectsKey)
    #expect(Key.updatedObjects.rawValue == NSUpdatedObjectsKey)
    #expect(Key.deletedObjects.rawValue == NSDeletedObjectsKey)
    #expect(Key.refreshedObjects.rawValue == NSRefreshedObjectsKey)
    #expect(Key.invalidatedObjects.rawValue == NSInvalidatedObjectsKey)
    #expect(Key.invalidatedAllObjects.rawValue == NSInvalidatedAllObjectsKey)
    #expect(Key.insertedObjectIDs.rawValue == NSInsertedObjectIDsKey)
    #expect(Key.updatedObjectIDs.rawValue == NSUpdatedObjectIDsKey)
    #expect(Key.deletedObjectIDs.rawValue == NSDeletedObjectIDsKey)
    #expect(Key.refreshedObjectIDs.rawValue == NSRefreshedObjectIDsKey)
    #expect(Key.invalidatedObjectIDs.rawValue == NSInvalidatedObjectIDsKey)
  }
}
