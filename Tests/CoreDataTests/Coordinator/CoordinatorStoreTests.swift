import SQLite
import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// One store of a coordinator: opening, closing, moving, destroying, metadata.
@Suite struct CoordinatorStoreTests {
  private func store(_ stack: TestStack) throws -> NSPersistentStore {
    try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
  }

  // S6.3
  @Test func storesAreOpenedUnderApplesNewerNames() throws {
    let stack = try TestStack(.file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let store = try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
    #expect(store.type == NSSQLiteStoreType)
    let other = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let memory = try other.addPersistentStore(type: .inMemory, configuration: nil, at: stack.url, options: nil)
    #expect(memory.type == NSInMemoryStoreType)
    #expect(memory.url == stack.url)
    #expect(caught { try other.remove(store) }?.code == NSPersistentStoreOperationError)
    #expect(
      caught {
        try NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
          .addPersistentStore(ofType: "XML", configurationName: nil, at: stack.url)
      }?.code
        == NSPersistentStoreInvalidTypeError)
  }

  // S6.3
  @Test func aStoreIsFoundByItsURL() throws {
    let stack = try TestStack(.file)
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(coordinator.persistentStore(for: stack.url) === coordinator.persistentStores.first)
    #expect(coordinator.persistentStore(for: stack.folder) == nil)
    #expect(coordinator.url(for: try store(stack)) == stack.url)
  }

  // S6.3
  @Test func openingAndClosingIsPosted() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let reported = Locked<[String]>([])
    let names: [Notification.Name] = [
      .NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange,
      .NSPersistentStoreCoordinatorWillRemoveStore,
    ]
    let tokens = names.map { name in
      let isOfStore = name == .NSPersistentStoreCoordinatorWillRemoveStore
      return NotificationCenter.default.addObserver(
        forName: name, object: isOfStore ? nil : coordinator, queue: nil
      ) { [weak known = coordinator] notification in
        let store = notification.object as? NSPersistentStore
        let coordinator = store?.persistentStoreCoordinator ?? notification.object as? NSPersistentStoreCoordinator
        guard coordinator === known else { return }
        let kind = name == names[0] ? "will" : name == names[1] ? "did" : "remove"
        let added = (notification.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore])?.count ?? 0
        let removed = (notification.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore])?.count ?? 0
        reported.withLock { $0.append("\(kind) +\(added) -\(removed) \(coordinator?.persistentStores.count ?? -1)") }
      }
    }
    defer { tokens.forEach(NotificationCenter.default.removeObserver) }
    let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    #expect(reported.withLock { $0 } == ["did +1 -0 1"])
    reported.withLock { $0 = [] }
    try coordinator.remove(store)
    #expect(reported.withLock { $0 } == ["remove +0 -0 1", "did +0 -1 0"])
    #expect(store.persistentStoreCoordinator == nil)
  }

  // S6.3
  @Test(arguments: TestStack.Place.allCases) func afterItsStoreWasRemovedAContextReadsAndSavesNothing(
    _ place: TestStack.Place
  ) throws {
    let stack = try TestStack(place)
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      let coordinator = stack.container.persistentStoreCoordinator
      try coordinator.remove(store(stack))
      #expect(note.title == "note 1", "what was read stays readable")
      #expect(note.objectID == id)
      #expect(note.objectID.uriRepresentation() == id.uriRepresentation())
      #expect(caught { _ = try context.notes() }?.code == NSPersistentStoreOpenError)
      note.title = "changed"
      #expect(caught { try context.save() }?.code == NSPersistentStoreOpenError)
      #expect(note.title == "changed")
      #expect(context.updatedObjects == [note])
    }
  }

  // S6.3
  @Test func firingAFaultOfARemovedStoreIsFatal() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack(.memory)
      let id = try stack.seed(1...1)[0]
      let coordinator = stack.container.persistentStoreCoordinator
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      let context = stack.context()
      context.performAndWait { _ = (context.object(with: id) as? Note)?.title }
    }
  }

  // S6.3: keys of one store mean nothing in the next.
  @Test func objectsOfARemovedStoreAreNotMixedUpWithAnother() throws {
    let stack = try TestStack(.memory)
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      let coordinator = stack.container.persistentStoreCoordinator
      try coordinator.remove(store(stack))
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      try stack.seed(7...7)
      #expect(try context.notes().map(\.number) == [7])
      #expect(note.title == "note 1")
      note.title = "lost"
      #expect(caught { try context.save() }?.code == NSPersistentStoreOperationError)
      context.reset()
      #expect(try context.notes().map(\.number) == [7])
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 7"])
  }

  // S6.3
  @Test func aMovedFileIsGoneOnWithAtItsNewPlace() throws {
    let stack = try TestStack(.file)
    let id = try stack.seed(1...1)[0]
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try store(stack)
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    try stack.withWriter { try $0.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    try FileManager.default.copyItem(at: stack.url, to: copy)
    #expect(!coordinator.setURL(stack.folder.appendingPathComponent("nothing.sqlite"), for: store))
    let other = try TestStack(.file)
    #expect(!coordinator.setURL(other.url, for: store), "another store")
    #expect(store.url == stack.url)
    let old = store.sqlite
    #expect(coordinator.setURL(copy, for: store))
    #expect(coordinator.persistentStore(for: copy) === store)
    #expect(store.sqlite.cache.isInUse, "rows that contexts share are still found at once")
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(try context.existingObject(with: id) as? Note)
      note.title = "moved"
      try context.save()
    }
    #expect(try TestStack(url: copy).sql("SELECT ZTITLE FROM ZNOTE") == ["moved"])
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 1"])
    let titles = try old.reading { connection, _ in try connection.column("SELECT ZTITLE FROM ZNOTE") }
    #expect(titles == ["moved"], "whoever had the store before, and reads now")
  }

  // S6.3
  @Test func aDestroyedStoreIsANewOneWhenItIsOpenedAgain() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...100)
    let coordinator = stack.container.persistentStoreCoordinator
    let first = try store(stack)
    let uuid = first.identifier
    try coordinator.remove(first)
    try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
    #expect(try store(stack).identifier != uuid)
    let context = stack.context()
    #expect(try context.performAndWait { try context.notes().isEmpty })
    #expect(try stack.sql("PRAGMA integrity_check") == ["ok"])
    #expect(try stack.sql("PRAGMA journal_mode") == ["wal"])
    let nothing = stack.folder.appendingPathComponent("nothing.sqlite")
    try coordinator.destroyPersistentStore(at: nothing, ofType: NSSQLiteStoreType)
    #expect(
      FileManager.default.fileExists(atPath: nothing.path), "the next store there is a new one, as of any other file")
    #expect(
      caught { try coordinator.destroyPersistentStore(at: nothing, ofType: "XML") }?.code
        == NSPersistentStoreInvalidTypeError)
  }

  // S6.3
  @Test(arguments: TestStack.Place.allCases) func metadataIsWrittenByTheNextSave(_ place: TestStack.Place) throws {
    let stack = try TestStack(place)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try store(stack)
    var metadata = coordinator.metadata(for: store)
    let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data]
    metadata["author"] = "me"
    metadata[NSStoreUUIDKey] = "another"
    coordinator.setMetadata(metadata, for: store)
    #expect(coordinator.metadata(for: store)["author"] as? String == "me")
    #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    func written() throws -> [String: Any] {
      try stack.withWriter { try StoreMetadata.read($0.connection) }
    }
    #expect(try written()["author"] == nil)
    // A save that fails keeps it for the next.
    let context = stack.context()
    try context.performAndWait {
      context.insertNote(1)
      try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT") }
      #expect(caught { try context.save() } != nil)
      #expect(try written()["author"] == nil)
      try context.save()
    }
    #expect(try written()["author"] as? String == "me")
    #expect(try written()[NSStoreUUIDKey] as? String == store.identifier)
    #expect(try written()["NSStoreModelVersionHashes"] as? [String: Data] == hashes)
  }

  // S6.3
  @Test func metadataOfAFileIsReadAndWrittenWithoutAModel() throws {
    let stack = try TestStack(.file)
    let store = try store(stack)
    try stack.container.persistentStoreCoordinator.remove(store)
    typealias Coordinator = NSPersistentStoreCoordinator
    var metadata = try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    metadata["author"] = "me"
    try Coordinator.setMetadata(metadata, type: .sqlite, at: stack.url)
    #expect(try Coordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)["author"] as? String == "me")
    let nothing = stack.folder.appendingPathComponent("nothing.sqlite")
    #expect(
      caught { _ = try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: nothing) }?.code
        == CocoaError.Code.fileReadUnknown.rawValue)
    #expect(
      caught { _ = try Coordinator.metadataForPersistentStore(ofType: NSInMemoryStoreType, at: nothing) }?.code
        == NSPersistentStoreInvalidTypeError)
  }

  // S6.3: a description is for apps, which find the folder of their stores there or not.
  @Test func onlyADescriptionHasItsFolderMade() throws {
    let stack = try TestStack()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let url = stack.folder.appendingPathComponent("deep/down/notes.sqlite")
    let error = try #require(caught { try coordinator.addPersistentStore(type: .sqlite, at: url) })
    #expect(error.domain == NSCocoaErrorDomain && error.code == CocoaError.Code.fileWriteUnknown.rawValue)
    #expect(
      error.userInfo[NSSQLiteErrorDomain] as? Int == 14 && error.userInfo[NSFilePathErrorKey] as? String == url.path)
    var failures: [(any Error)?] = []
    coordinator.addPersistentStore(with: NSPersistentStoreDescription(url: url)) { failures.append($1) }
    #expect(failures.count == 1 && failures[0] == nil && coordinator.persistentStores.count == 1)
  }

  // S6.1: blocks of the coordinator and saves take turns; reading a file continues.
  @Test func noSaveComesBetweenTheStepsOfACoordinatorsBlock() async throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let coordinator = stack.container.persistentStoreCoordinator
    let started = Latch(label: "started")
    let saved = Latch(label: "saved")
    let isSaved = Locked(false)
    let context = stack.context()
    let value = coordinator.performAndWait {
      context.perform {
        context.insertNote(2)
        started.open()
        #expect((try? context.save()) != nil)
        isSaved.withLock { $0 = true }
        saved.open()
      }
      started.wait()
      let reader = stack.context()
      let count = reader.performAndWait { (try? reader.notes().count) ?? -1 }
      #expect(!isSaved.withLock { $0 })
      return coordinator.performAndWait { count }
    }
    #expect(value == 1)
    saved.wait()
    let stores = await coordinator.perform { coordinator.persistentStores.count }
    #expect(stores == 1)
    let ran = Latch(label: "ran")
    let enqueue: (@escaping @Sendable () -> Void) -> Void = coordinator.perform
    enqueue { ran.open() }
    ran.wait()
  }
}
