import SQLite
import Scheduling
import Testing

@testable import CoreData

/// Several stores on one coordinator.
@Suite struct SeveralStoresTests {
  // S6.3
  @Test func aNewObjectGoesToTheStoreItIsAssignedToElseToTheFirst() throws {
    let stack = try SeveralStores()
    let context = stack.context()
    try context.performAndWait {
      let (first, second) = (context.insertNote(1), context.insertNote(2))
      context.assign(second, to: stack.stores[1])
      try context.save()
      #expect(first.objectID.persistentStore === stack.stores[0])
      #expect(second.objectID.persistentStore === stack.stores[1])
      // Both are the first row of their store, and yet two objects.
      #expect(first.objectID != second.objectID)
      #expect(first.objectID.uriRepresentation().lastPathComponent == "p1")
      #expect(second.objectID.uriRepresentation().lastPathComponent == "p1")
      #expect(second.objectID.uriRepresentation().host == stack.stores[1].identifier)
    }
    #expect(try stack.sql(0, "SELECT ZNUMBER FROM ZNOTE") == ["1"])
    #expect(try stack.sql(1, "SELECT ZNUMBER FROM ZNOTE") == ["2"])
  }

  // S6.3
  @Test func aSaveWritesTheMetadataOfEveryStore() throws {
    let stack = try SeveralStores()
    let context = stack.context()
    try context.performAndWait {
      let store = stack.stores[1]
      store.metadata["author"] = "me"
      let note = context.insertNote(1)
      context.assign(note, to: stack.stores[0])
      try context.save()
      let written = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: try #require(store.url))
      #expect(written["author"] as? String == "me")
    }
  }

  // S6.3
  @Test func objectsWithTheSamePrimaryKeyAreDistinguished() throws {
    let stack = try SeveralStores()
    let ids = try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let notes = try ids.map { try #require(try context.existingObject(with: $0) as? Note) }
      #expect(notes.map(\.title) == ["note 1", "note 2"])
      #expect(notes.map { note in note.words.compactMap { ($0 as? Word)?.term } } == [["word 1"], ["word 2"]])
      #expect(notes.map { context.registeredObject(for: $0.objectID) } == notes)
      for id in ids {
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
      }
      // A fault's row and its relationships come from its own store.
      let fresh = stack.context()
      try fresh.performAndWait {
        let note = try #require(fresh.object(with: ids[1]) as? Note)
        #expect(note.title == "note 2")
        let word = try #require(note.words.first as? Word)
        #expect(word.note === note)
        #expect(word.objectID.persistentStore === stack.stores[1])
      }
    }
  }

  // S6.3, S7.1
  @Test func aFetchMergesWhatTheStoresHave() throws {
    let stack = try SeveralStores([nil, nil, nil])
    try stack.seed(1...20)
    let context = stack.context()
    try context.performAndWait {
      #expect(try context.notes().map(\.number) == Array(1...20))
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      request.fetchOffset = 3
      request.fetchLimit = 5
      #expect(try context.fetch(request).map(\.number) == [17, 16, 15, 14, 13])
      #expect(try context.count(for: request) == 5)
      request.fetchOffset = 18
      #expect(try context.count(for: request) == 2)
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 20)
      // An object is itself only in its own store.
      let note = try context.note(5)
      #expect(try context.notes(NSPredicate(format: "SELF == %@", note)) == [note])
      #expect(try context.words(NSPredicate(format: "note == %@", note)).map(\.term) == ["word 5"])
      // Unsaved changes are part of the answer.
      note.number = 100
      context.insertNote(50)
      #expect(try context.fetch(request).map(\.number) == [3, 2, 1])
    }
  }

  // S6.3, S3.1
  @Test func aSaveWritesEachStoresChanges() throws {
    let stack = try SeveralStores()
    let ids = try stack.seed(1...4)
    let context = stack.context()
    let other = stack.context()
    other.automaticallyMergesChangesFromParent = true
    try other.performAndWait { try #expect(other.notes().map(\.title) == (1...4).map { "note \($0)" }) }
    let log = NotificationLog(context)
    try context.performAndWait {
      for note in try context.notes() { note.title = "new \(note.number)" }
      context.delete(context.object(with: ids[3]))
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(log.didSaves.count == 1)
    #expect(try stack.sql(0, "SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["new 1", "new 3"])
    #expect(try stack.sql(1, "SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["new 2"])
    try other.performAndWait {
      let titles = try other.notes().map(\.title)
      #expect(titles == ["new 1", "new 2", "new 3"])
      other.checkInvariants()
    }
  }

  // S6.3, S3.4
  @Test func conflictsOfSeveralStoresAreResolvedTogether() throws {
    let stack = try SeveralStores()
    try stack.seed(1...2)
    let (mine, theirs) = (stack.context(), stack.context())
    try mine.performAndWait { for note in try mine.notes() { note.title = "mine" } }
    try theirs.performAndWait {
      for note in try theirs.notes() { note.title = "theirs" }
      try theirs.save()
    }
    try mine.performAndWait {
      let error = caught { try mine.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      #expect((error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.count == 2)
      mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      try mine.save()
    }
    for store in 0...1 { try #expect(stack.sql(store, "SELECT ZTITLE FROM ZNOTE") == ["mine"]) }
  }

  // S3.5, S6.3
  @Test func aUniquenessConstraintHoldsWithinAStore() throws {
    let stack = try SeveralStores(model: Notebook.model(uniqueNotes: [["number"]]))
    let context = stack.context()
    try context.performAndWait {
      context.insertNote(1)
      context.assign(context.insertNote(1), to: stack.stores[1])
      try context.save()
      context.assign(context.insertNote(1), to: stack.stores[1])
      #expect(caught { try context.save() }?.code == NSManagedObjectConstraintMergeError)
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      try context.save()
      #expect(try context.notes().count == 2)
    }
  }

  // S3.1, S6.3: nothing is committed before everything is written.
  @Test(arguments: ["BEGIN IMMEDIATE", "COMMIT"]) func aSaveThatFailsInItsFirstCommitOrBeforeLeavesEveryStoreAsItWas(
    _ step: String
  ) throws {
    let stack = try SeveralStores()
    try stack.seed(1...2)
    let last = try #require(stack.stores.max { $0.identifier < $1.identifier })
    let first = try #require(stack.stores.min { $0.identifier < $1.identifier })
    let context = stack.context()
    try context.performAndWait {
      for note in try context.notes() { note.title = "new" }
      context.insertNote(3)
      let failing = step == "COMMIT" ? first : last
      stack.coordinator.performAndWait { failing.sqlite.connection.faults = FaultPlan(failing: step) }
      #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
      #expect(context.updatedObjects.count == 2)
      #expect(context.insertedObjects.count == 1)
      for store in 0...1 { try #expect(stack.sql(store, "SELECT ZTITLE FROM ZNOTE") == ["note \(store + 1)"]) }
      try context.save()
      for store in 0...1 { try #expect(stack.sql(store, "SELECT ZTITLE FROM ZNOTE WHERE ZNUMBER < 3") == ["new"]) }
    }
  }

  // S3.1, S6.3: two files are not committed in one step; the error says which is, and how to continue.
  @Test func aCommitThatFailsAfterAnotherStoresLeavesTheRestUnsaved() throws {
    let stack = try SeveralStores()
    let ids = try stack.seed(1...2)
    let (first, last) = stack.stores[0].identifier < stack.stores[1].identifier ? (0, 1) : (1, 0)
    let (context, other) = (stack.context(), stack.context())
    other.automaticallyMergesChangesFromParent = true
    try other.performAndWait { try #expect(other.notes().count == 2) }
    let log = NotificationLog(context)
    try context.performAndWait {
      for note in try context.notes() { note.title = "new" }
      let new = context.insertNote(3)
      context.assign(new, to: stack.stores[last])
      stack.coordinator.performAndWait {
        stack.stores[last].sqlite.connection.faults = FaultPlan(failing: "COMMIT")
      }
      let error = caught { try context.save() }
      #expect(error?.code == NSPersistentStoreIncompleteSaveError)
      #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stack.stores[last]])
      #expect(log.didSaves.count == 1)
      #expect(context.updatedObjects.map(\.objectID) == [ids[last]])
      #expect(context.insertedObjects == [new])
      #expect(new.objectID.isTemporaryID)
      #expect(try stack.sql(first, "SELECT ZTITLE FROM ZNOTE") == ["new"])
      #expect(try stack.sql(last, "SELECT ZTITLE FROM ZNOTE") == ["note \(last + 1)"])
      context.checkInvariants()
      try context.save()
      #expect(try stack.sql(last, "SELECT ZTITLE FROM ZNOTE WHERE ZNUMBER < 3") == ["new"])
      #expect(try stack.sql(last, "SELECT count(*) FROM ZNOTE") == ["2"])
    }
    try other.performAndWait { try #expect(other.notes().map(\.title) == ["new", "new", nil]) }
  }

  // S7.4: a delete that one store refuses is carried out in none.
  @Test func aBatchRequestThatOneStoreRefusesChangesNone() throws {
    let stack = try SeveralStores(model: Notebook.model(wordsRule: .denyDeleteRule))
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      // Only a word in the store that is written last prevents it.
      let first: Int64 = stack.stores[0].identifier < stack.stores[1].identifier ? 1 : 2
      context.delete(try #require(try context.note(first).words.first))
      try context.save()
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      let error = caught { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
      #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
      #expect(error?.localizedDescription.contains("Nothing was deleted") ?? false)
    }
    for store in 0...1 { #expect(try stack.sql(store, "SELECT count(*) FROM ZNOTE") == ["1"]) }
  }

  // S7.4
  @Test func aBatchRequestThatOnlySomeStoresCommitSaysSo() throws {
    let stack = try SeveralStores()
    try stack.seed(1...2)
    stack.coordinator.performAndWait {
      stack.stores[1].sqlite.connection.faults = FaultPlan(failing: "COMMIT")
    }
    let context = stack.context()
    context.performAndWait {
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      let error = caught { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
      #expect(error?.code == NSPersistentStoreIncompleteSaveError)
      #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stack.stores[1]])
    }
    #expect(try stack.sql(0, "SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql(1, "SELECT count(*) FROM ZNOTE") == ["1"])
  }

  // S6.3
  @Test func aRelationshipToAnotherStoreIsRefused() throws {
    let stack = try SeveralStores()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let (one, two) = (try context.note(1), try context.note(2))
      let word = try #require(one.words.first as? Word)
      word.note = two
      let error = caught { try context.save() }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      #expect(error?.localizedDescription.contains("'note'") ?? false)
      #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [word])
      context.rollback()
      let tag = context.make("Tag", "tag")
      context.assign(tag, to: stack.stores[1])
      word.tags = [tag]
      #expect(caught { try context.save() }?.code == NSManagedObjectReferentialIntegrityError)
      context.assign(tag, to: stack.stores[0])
      try context.save()
      #expect(try stack.sql(0, "SELECT count(*) FROM ZTAG") == ["1"])
    }
  }

  // S2.2, S6.3
  @Test func permanentIDsComeFromTheStoreOfEachObject() throws {
    let stack = try SeveralStores()
    let context = stack.context()
    try context.performAndWait {
      let notes = (1...4).map { context.insertNote($0) }
      for note in notes.suffix(2) { context.assign(note, to: stack.stores[1]) }
      try context.obtainPermanentIDs(for: notes)
      #expect(notes.map { $0.objectID.persistentStore === stack.stores[1] } == [false, false, true, true])
      #expect(Set(notes.map(\.objectID)).count == 4)
      try context.save()
    }
    for store in 0...1 { try #expect(stack.sql(store, "SELECT count(*) FROM ZNOTE") == ["2"]) }
  }

  // S4.1, S4.3, S6.3
  @Test func aChildsObjectsGoToTheStoresItAssignedThemTo() throws {
    let stack = try SeveralStores()
    let ids = try stack.seed(1...2)
    let parent = stack.context()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      #expect(try child.notes().map(\.number) == [1, 2])
      (try child.existingObject(with: ids[1]) as? Note)?.title = "changed"
      let note = child.insertNote(3, words: ["three"])
      child.assign(note, to: stack.stores[1])
      for word in note.words { child.assign(word, to: stack.stores[1]) }
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    #expect(try stack.sql(1, "SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["changed", "NULL"])
    #expect(try stack.sql(1, "SELECT ZTERM FROM ZWORD WHERE ZNOTE = 2") == ["three"])
    #expect(try stack.sql(0, "SELECT count(*) FROM ZNOTE") == ["1"])
    try child.performAndWait { try #expect(child.notes().map(\.number) == [1, 2, 3]) }
  }

  // S6.3: the values read from the removed store stay; the other store continues.
  @Test func theOtherStoreContinuesWhenOneIsRemoved() throws {
    let stack = try SeveralStores()
    let ids = try stack.seed(1...4)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map(\.title).count == 4)
      try stack.coordinator.remove(stack.stores[0])
      #expect(try context.notes().map(\.number) == [2, 4])
      #expect(notes[0].title == "note 1")
      #expect(notes[0].objectID == ids[0])
      #expect(notes[0].objectID.persistentStore == nil)
      notes[1].title = "changed"
      try context.save()
      notes[0].title = "lost"
      let error = caught { try context.save() }
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(error?.userInfo[NSStoreUUIDKey] as? String == stack.stores[0].identifier)
      #expect(caught { _ = try stack.context().existingObject(with: ids[0]) }?.code == NSPersistentStoreOperationError)
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: ids[0].uriRepresentation()) == nil)
    }
    #expect(try stack.sql(1, "SELECT ZTITLE FROM ZNOTE ORDER BY ZNUMBER") == ["changed", "note 4"])
    // A store that comes back has its objects again, under the same IDs.
    try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.folder.appendingPathComponent("0.sqlite"))
    try context.performAndWait {
      try context.save()
      #expect(try context.notes().map(\.title) == ["lost", "changed", "note 3", "note 4"])
      #expect(try context.existingObject(with: ids[0]).objectID == ids[0])
    }
  }

  // S6.3
  @Test func aStoreIsOpenedOncePerCoordinator() throws {
    let stack = try SeveralStores()
    let error = caught {
      try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.folder.appendingPathComponent("1.sqlite"))
    }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(error?.localizedDescription.contains("Can't add the same store twice") ?? false)
    #expect(stack.coordinator.persistentStores == stack.stores)
  }

  // S5.2, S6.3: another coordinator has only one of the stores.
  @Test func aForeignSaveIsMergedAsFarAsItsStoresAreOpen() throws {
    let stack = try SeveralStores()
    let ids = try stack.seed(1...2)
    let other = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
    try other.addPersistentStore(type: .sqlite, at: stack.folder.appendingPathComponent("1.sqlite"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = other
    let note = try context.performAndWait {
      let note = try #require(try context.existingObject(with: ids[1]) as? Note)
      #expect(note.title == "note 2")
      #expect(note.objectID == ids[1])
      return note
    }
    let writer = stack.context()
    // Sendable: the block runs before the save returns.
    nonisolated(unsafe) let object = note
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { notification in
      // The observer's context only takes the IDs from it.
      nonisolated(unsafe) let notification = notification
      context.performAndWait {
        context.mergeChanges(fromContextDidSave: notification)
        #expect(object.title == "new")
        #expect(context.registeredObjects.count == 1)
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try writer.performAndWait {
      for note in try writer.notes() { note.title = "new" }
      try writer.save()
    }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: ids.map { $0.uriRepresentation() }], into: [context])
  }

  // S2.4, S6.3
  @Test func refreshingAllObjectsReadsEachFromItsStore() throws {
    let stack = try SeveralStores()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map(\.title) == ["note 1", "note 2"])
      context.stalenessInterval = 0
      for store in 0...1 {
        try Connection.write(
          stack.folder.appendingPathComponent("\(store).sqlite"), "UPDATE ZNOTE SET ZTITLE = 'past \(store)', Z_OPT = 9"
        )
      }
      context.refreshAllObjects()
      #expect(notes.map(\.title) == ["past 0", "past 1"])
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      #expect(try Set(context.fetch(request)) == Set(notes.map(\.objectID)))
    }
  }
}
