import SQLite
import Scheduling
import Testing

@testable import CoreData

/// Stores that are moved, replaced and destroyed as a whole.
@Suite struct StoreFileTests {
  private func store(_ stack: TestStack) throws -> NSPersistentStore {
    try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
  }

  // S6.3
  @Test func aStoreMovesToAFileIntoMemoryAndBack() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...50, words: ["a", "b"])
    let coordinator = stack.container.persistentStoreCoordinator
    let reported = Locked<[[Any]]>([])
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    ) { notification in
      // Sendable: read by the test's thread only.
      nonisolated(unsafe) let changed = notification.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any]
      if let changed { reported.withLock { $0.append(changed) } }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let first = try store(stack)
    let context = stack.context()
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    let again = stack.folder.appendingPathComponent("again.sqlite")
    let memory = try coordinator.migratePersistentStore(first, to: stack.url, type: .inMemory)
    let second = try coordinator.migratePersistentStore(memory, to: copy, withType: NSSQLiteStoreType)
    let third = try coordinator.migratePersistentStore(second, to: again, type: .sqlite)
    #expect(coordinator.persistentStores == [third])
    #expect([memory.type, second.type, third.type] == [NSInMemoryStoreType, NSSQLiteStoreType, NSSQLiteStoreType])
    #expect(Set([first, memory, second, third].map(\.identifier)).count == 4, "each copy has a UUID of its own")
    #expect(first.persistentStoreCoordinator == nil)
    #expect(third.metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    reported.withLock { reported in
      #expect(reported.count == 3)
      #expect(reported[0].first as? NSPersistentStore === first && reported[0][1] as? NSPersistentStore === memory)
      let last = reported[2].last as? [NSManagedObjectID] ?? []
      #expect(last.count == 300)
      #expect(
        last[0].persistentStore == nil && last[1].persistentStore === third, "each old ID comes before the new one")
      #expect(last[0].uriRepresentation().lastPathComponent == last[1].uriRepresentation().lastPathComponent)
    }
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map(\.number) == Array(1...50))
      #expect(notes[7].words.count == 2)
      #expect(notes[7].objectID != ids[7])
      #expect(caught { _ = try context.existingObject(with: ids[7]) }?.code == NSPersistentStoreOperationError)
      notes[7].title = "moved"
      context.insertNote(51)
      try context.save()
    }
    for file in [copy, again] { #expect(try TestStack(url: file).sql("PRAGMA integrity_check") == ["ok"]) }
    #expect(try TestStack(url: again).sql("SELECT count(*) FROM ZNOTE") == ["51"])
    #expect(try TestStack(url: again).sql("PRAGMA journal_mode") == ["wal"])
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["50"], "the old file stays as it was")
  }

  // S6.3
  @Test func aStoreIsNotMovedOverAnother() throws {
    let (stack, other) = (try TestStack(.file), try TestStack(.file))
    try stack.seed(1...1)
    try other.seed(2...2)
    let coordinator = stack.container.persistentStoreCoordinator
    let error = caught { try coordinator.migratePersistentStore(store(stack), to: other.url, type: .sqlite) }
    #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
    #expect(coordinator.persistentStores.count == 1)
    #expect(try other.sql("SELECT ZNUMBER FROM ZNOTE") == ["2"])
    let closed = try store(other)
    #expect(
      caught { try coordinator.migratePersistentStore(closed, to: stack.folder, type: .sqlite) }?.code
        == NSPersistentStoreOperationError)
  }

  // S6.3
  @Test func aStoreReplacesAnother() throws {
    let (source, target) = (try TestStack(.file), try TestStack(.file))
    try source.seed(1...3)
    try target.seed(7...9)
    let coordinator = target.container.persistentStoreCoordinator
    let replace = { (destination: URL, from: URL) in
      try coordinator.replacePersistentStore(at: destination, withPersistentStoreFrom: from, type: .sqlite)
    }
    #expect(caught { try replace(target.url, source.url) }?.code == NSPersistentStoreOperationError, "it is open here")
    try coordinator.remove(store(target))
    try replace(target.url, source.url)
    let missing = target.folder.appendingPathComponent("new.sqlite")
    try replace(missing, source.url)
    for file in [target.url, missing] {
      let stack = try TestStack(url: file)
      #expect(try store(stack).identifier == store(source).identifier)
      #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE") == ["1", "2", "3"])
      try stack.change { $0.insertNote(4) }
    }
    #expect(try source.sql("SELECT count(*) FROM ZNOTE") == ["3"])
    let nothing = target.folder.appendingPathComponent("nothing.sqlite")
    #expect(caught { try replace(target.url, nothing) }?.code == CocoaError.Code.fileReadUnknown.rawValue)
    try Connection.write(nothing, "CREATE TABLE t (a)")
    #expect(caught { try replace(target.url, nothing) }?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(try TestStack(url: target.url).sql("SELECT count(*) FROM ZNOTE") == ["4"])
  }

  // S6.3
  @Test func largeValuesInFilesGoWithTheirStore() throws {
    let (source, target) = (try TestStack(.file), try TestStack(.file))
    try source.seed(1...1)
    let folder = source.folder.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("large".utf8).write(to: folder.appendingPathComponent("A"))
    let coordinator = target.container.persistentStoreCoordinator
    try coordinator.remove(store(target))
    try coordinator.replacePersistentStore(at: target.url, withPersistentStoreFrom: source.url, type: .sqlite)
    let copied = target.folder.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA/A")
    #expect(try Data(contentsOf: copied) == Data("large".utf8))
    try coordinator.destroyPersistentStore(at: target.url, type: .sqlite)
    #expect(!FileManager.default.fileExists(atPath: copied.path))
  }

  // S6.3
  @Test func anOpenStoreIsDestroyedAndAddedAgain() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let coordinator = stack.container.persistentStoreCoordinator
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      try coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
      note.title = "lost"
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      context.reset()
    }
    try coordinator.remove(store(stack))
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
    #expect(try context.performAndWait { try context.notes().isEmpty })
  }

  // S6.3
  @Test func aStoreThatOthersHaveLockedIsNotDestroyed() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    // Another coordinator's lock is waited for, and then an error.
    let other = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    try stack.withWriter { writer in
      try writer.connection.execute("BEGIN IMMEDIATE")
      defer { writer.rollBack() }
      let error = caught {
        try other.destroyPersistentStore(
          at: stack.url, type: .sqlite, options: [NSPersistentStoreTimeoutOption: 0.01])
      }
      #expect(error?.code == CocoaError.Code.fileReadUnknown.rawValue)
    }
    try other.destroyPersistentStore(
      at: stack.url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
    #expect(!FileManager.default.fileExists(atPath: stack.url.path))
    #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
  }

  // S6.1: two coordinators on one file: the second writer waits for the time-out, then throws; readers continue.
  @Test func aSecondCoordinatorsWriterWaitsAndThenThrows() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let other = try TestStack(url: stack.url, timeout: 0.01)
    let context = other.context()
    try stack.withWriter { writer in
      try writer.connection.execute("BEGIN IMMEDIATE")
      defer { writer.rollBack() }
      try context.performAndWait {
        let count = try context.notes().count
        #expect(count == 1)
        let note = context.insertNote(2)
        let error = caught { try context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 5, "SQLITE_BUSY")
        #expect(context.insertedObjects == [note])
      }
    }
    try context.performAndWait { try context.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
  }

  // S6.3
  @Test func aModelThatDoesNotFitIsRefusedWithWhatDiffers() throws {
    let stack = try TestStack(.file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Zoo.model())
    let refused = caught { try coordinator.addPersistentStore(type: .sqlite, at: stack.url) }
    #expect(refused?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(refused?.userInfo["reason"] is String)
    #expect(
      (refused?.userInfo["metadata"] as? [String: Any])?[NSStoreUUIDKey] as? String == (try store(stack).identifier))
    let options = [NSMigratePersistentStoresAutomaticallyOption: true]
    let missing = caught { try coordinator.addPersistentStore(type: .sqlite, at: stack.url, options: options) }
    #expect(missing?.code == NSMigrationMissingSourceModelError)
    #expect((missing?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == refused?.code)
    #expect(coordinator.persistentStores.isEmpty)
  }

  // S6.3, S6.5: requests for a store that is opened.
  @Test func aStoreIsAnalysedAndRebuiltOnRequest() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...200)
    try stack.container.persistentStoreCoordinator.remove(store(stack))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    try coordinator.addPersistentStore(
      type: .sqlite, at: stack.url, options: [NSSQLiteAnalyzeOption: true, NSSQLiteManualVacuumOption: true])
    #expect(try stack.sql("SELECT count(*) > 0 FROM sqlite_stat1") == ["1"])
    #expect(try stack.sql("PRAGMA integrity_check") == ["ok"])
  }
}
