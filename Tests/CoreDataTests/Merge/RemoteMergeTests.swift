import CoreData
import SQLite
import Testing

@Suite struct RemoteMergeTests {
  /// How an app names the saved objects.
  enum Form: CaseIterable, Sendable {
    case arrayOfIDs, setOfIDs, arrayOfURIs, setOfIDsByIDKeys

    func userInfo(
      inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID]
    ) -> [AnyHashable: Any] {
      let lists = [inserted, updated, deleted]
      let keys =
        self == .setOfIDsByIDKeys
        ? [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey]
        : [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
      var info: [AnyHashable: Any] = [:]
      for (key, list) in zip(keys, lists) {
        info[key] =
          switch self {
          case .arrayOfIDs: list
          case .setOfIDs, .setOfIDsByIDKeys: Set(list)
          case .arrayOfURIs: list.map { $0.uriRepresentation() }
          }
      }
      return info
    }
  }

  // S5.2: members that came and went without a change of the owner's row are read again, and the owner is reported.
  @Test func membersAreReadAgainThoughTheRowIsAsBefore() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...2)
    try stack.change { context in
      for term in ["a", "b"] {
        let word = NSEntityDescription.insertNewObject(forEntityName: "Word", into: context)
        word.setValue(term, forKey: "term")
        word.setValue(try context.note(1), forKey: "note")
      }
    }
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map { $0.words.count } == [2, 0])
      try Connection.write(stack.url, "UPDATE ZWORD SET ZNOTE = \(notes[1].primaryKey) WHERE ZTERM = 'a'")
      let log = NotificationLog(context)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectIDsKey: notes.map(\.objectID)], into: [context])
      #expect(notes.map { $0.words.count } == [1, 1])
      #expect(log.takeText() == ["changed refreshed=note 1,note 2"])
    }
  }

  // S5.2: rows that another process wrote are seen though the row cache has the old ones, without a change of version even.
  @Test(arguments: Form.allCases)
  func idsAndURIsAreMergedPastTheRowCache(_ form: Form) throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map(\.title) == ["note 1", "note 2", "note 3"])
      try Connection.write(
        stack.url,
        """
        UPDATE ZNOTE SET ZTITLE = 'elsewhere' WHERE Z_PK = \(notes[0].primaryKey);
        DELETE FROM ZNOTE WHERE Z_PK = \(notes[1].primaryKey);
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTITLE)
        SELECT 99, Z_ENT, 1, 4, 'new' FROM ZNOTE WHERE Z_PK = \(notes[0].primaryKey)
        """)
      let new = try #require(
        stack.container.persistentStoreCoordinator.managedObjectID(
          forURIRepresentation: URL(string: "\(ids[0].uriRepresentation())".replacing(/p\d+$/, with: "p99"))!))
      let log = NotificationLog(context)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: form.userInfo(inserted: [new], updated: [ids[0]], deleted: [ids[1]]), into: [context])
      #expect(notes[0].title == "elsewhere")
      #expect(notes[1].isDeleted)
      #expect(notes[1].title == "note 2")
      #expect(log.takeText() == ["changed deleted=note 2 inserted=fault p99 refreshed=note 1"])
      let new4 = try #require(context.object(with: new) as? Note)
      #expect(new4.title == "new")
      #expect(!context.hasChanges)
    }
    // The cache is refreshed for every context.
    let other = stack.context("other")
    other.performAndWait { #expect((other.object(with: ids[0]) as? Note)?.title == "elsewhere") }
  }

  // S5.2: a child's parent has to know first.
  @Test func nestedContextsAreMergedFromTheRootDown() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...2)
    let root = stack.context("root")
    let middle = stack.child(of: root, "middle")
    let child = stack.child(of: middle)
    let held = try root.performAndWait {
      let note = try root.note(1)
      _ = note.title
      return note
    }
    try child.performAndWait {
      let (note, doomed) = (try child.note(1), try child.note(2))
      _ = (note.title, doomed.title)
      note.number = 7
      try Connection.write(
        stack.url,
        """
        UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = 2 WHERE Z_PK = \(note.primaryKey);
        DELETE FROM ZNOTE WHERE Z_PK = \(doomed.primaryKey)
        """)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: [ids[0]], NSDeletedObjectsKey: [ids[1]]], into: [child])
      #expect(note.title == "elsewhere")
      #expect(note.number == 7)
      #expect(doomed.isDeleted)
      try child.save()
    }
    root.performAndWait { #expect(held.title == "elsewhere") }
    try middle.performAndWait { try middle.save() }
    try root.performAndWait { try root.save() }
    #expect(try stack.sql("SELECT ZTITLE || ZNUMBER FROM ZNOTE") == ["elsewhere7"])
  }

  // S5.2
  @Test func manyContextsOfTwoCoordinatorsAreMerged() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...1)
    let second = try TestStack(url: stack.url)
    let contexts = [stack.context("a"), stack.context("b"), second.context("c")]
    let notes = try contexts.map { context in
      try context.performAndWait {
        let note = try context.note(1)
        _ = note.title
        return note
      }
    }
    try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = Z_OPT + 1")
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: contexts)
    for (context, note) in zip(contexts, notes) { context.performAndWait { #expect(note.title == "elsewhere") } }
  }

  // S5.2: late, twice, of another store, unknown: none does harm.
  @Test func whatCannotBeMergedDoesNoHarm() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...2)
    try stack.change { $0.delete(try $0.note(2)) }
    let other = try TestStack(.file)
    let foreign = try other.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      let log = NotificationLog(context)
      for _ in 0..<2 {
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [
            NSInsertedObjectsKey: [ids[1]] + foreign, NSUpdatedObjectsKey: [ids[1]] + foreign,
            NSDeletedObjectsKey: foreign + [ids[0]],
          ], into: [context])
      }
      // Note 1 is there: a report of its deletion is wrong.
      #expect(!note.isDeleted)
      #expect(note.title == "note 1")
      #expect(log.take().isEmpty)
      let numbers = try context.notes().map(\.number)
      #expect(numbers == [1])
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: "nonsense"], into: [context])
    }
  }

  // S5.1, S5.2
  @Test func everythingIsReadAgainWhereAllIsInvalid() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      _ = notes.map(\.title)
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = Z_OPT + 1")
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSInvalidatedAllObjectsKey: [NSManagedObjectID]()], into: [context])
      #expect(notes.map(\.title) == ["elsewhere", "elsewhere"])
    }
  }

  // S5.2: a temporary ID means nothing there, also where an object of the context has it.
  @Test(arguments: [NSDeletedObjectsKey, NSUpdatedObjectsKey, NSInsertedObjectsKey])
  func anUnsavedObjectIsLeftAlone(key: String) throws {
    let stack = try TestStack()
    let context = stack.context()
    let id = context.performAndWait { context.insertNote(1, title: "unsaved").objectID }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: [id]], into: [context])
    try context.performAndWait {
      #expect(context.insertedObjects.map(\.objectID) == [id] && context.deletedObjects.isEmpty)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["unsaved"])
  }
}

extension NSManagedObject {
  /// The primary key in the file.
  var primaryKey: Int { Int(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}
