import Scheduling
import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// Opening, closing and losing a store's file while others use it. S6.8 to S6.14
@Suite struct StoreOpeningTests {
  private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "store.sqlite") -> URL { url.appendingPathComponent(name) }
  }

  private static let threads = 6

  /// Runs `body` on several threads at once; the errors.
  private func atOnce(_ body: @escaping @Sendable (Int) throws -> Void) -> [any Error] {
    let errors = Locked<[any Error]>([])
    let pool = WorkPool(label: "openers", width: Self.threads)
    for number in 0..<Self.threads {
      pool.submit("opener") {
        do { try body(number) } catch { errors.withLock { $0.append(error) } }
      }
    }
    pool.waitUntilAllFinished()
    return errors.withLock { $0 }
  }

  private func open(
    _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil
  ) throws -> (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    return (
      coordinator,
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    )
  }

  // S6.8
  @Test func oneFileIsMadeByWhoeverComesFirstAndOpenedByAll() throws {
    // Frozen by the first coordinator that gets it, and not changed before.
    nonisolated(unsafe) let model = Notebook.model()
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    for _ in 0..<40 {
      let folder = try Folder()
      let uuids = Locked<Set<String>>([])
      let errors = atOnce { _ in
        let opened = try open(folder.file(), model)
        uuids.withLock { _ = $0.insert(opened.store.identifier) }
        try opened.coordinator.remove(opened.store)
      }
      try #require(errors.isEmpty, "\(errors)")
      #expect(uuids.withLock { $0.count } == 1)
    }
  }

  // S6.8: the last one to close takes the file for itself for a moment.
  @Test func aFileThatOthersCloseCanBeOpened() throws {
    let folder = try Folder()
    // Frozen by the first coordinator that gets it, and not changed before.
    nonisolated(unsafe) let model = Notebook.model()
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    let errors = atOnce { number in
      for round in 0..<30 {
        let opened = try open(folder.file(), model, number == 0 ? [NSReadOnlyPersistentStoreOption: round > 0] : nil)
        try opened.coordinator.remove(opened.store)
      }
    }
    #expect(errors.isEmpty, "\(errors)")
  }

  // S6.9
  @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, 1e12, -1, .nan, 0])
  func anyTimeOutIsTaken(seconds: Double) throws {
    let milliseconds = StoreOptions([NSPersistentStoreTimeoutOption: seconds]).timeoutMilliseconds
    #expect(milliseconds == (seconds > 0 ? .max : 0))
    let folder = try Folder()
    let opened = try open(folder.file(), Notebook.model(), [NSPersistentStoreTimeoutOption: seconds])
    try opened.coordinator.remove(opened.store)
  }

  // MARK: Closing

  /// Files of a folder that this process has open.
  private func openFiles(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return path.flatMap { $0.hasPrefix(folder.path) ? $0 : nil }
    }
  }

  // S6.12
  @Test func aRemovedStoreIsClosedThoughItIsHeld() throws {
    let folder = try Folder()
    let opened = try open(folder.file(), Notebook.model())
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = opened.coordinator
    try context.performAndWait {
      context.insertNote(1, title: "one")
      try context.save()
      #expect(try context.notes().count == 1)
    }
    #expect(try !openFiles(in: folder.url).isEmpty)
    try opened.coordinator.remove(opened.store)
    #expect(try openFiles(in: folder.url).isEmpty)
    // The file alone is the whole store.
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: folder.file(), to: copy)
    #expect(try Connection(path: copy.path).int64("SELECT count(*) FROM ZNOTE") == 1)
    #expect(opened.store.metadata[NSStoreUUIDKey] as? String == opened.store.identifier)
    withExtendedLifetime(context) {}
  }

  // S6.12: a reader of that moment ends its read.
  @Test func aStoreIsRemovedDuringARead() throws {
    let stack = try TestStack()
    try stack.seed(1...5)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let context = stack.context()
    let thread = pthread_self()
    let isRemoved = Locked(false)
    let numbers = try Checkpoint.watching { place, _ in
      guard place == StoreCheckpoints.afterRead, pthread_equal(pthread_self(), thread) != 0,
        !isRemoved.withLock({ $0 })
      else { return }
      isRemoved.withLock { $0 = true }
      do { try coordinator.remove(store) } catch { Issue.record(error) }
    } _: {
      try context.performAndWait {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.returnsObjectsAsFaults = false
        return try context.fetch(request).map(\.number)
      }
    }
    #expect(isRemoved.withLock { $0 })
    #expect(numbers.sorted() == [1, 2, 3, 4, 5])
    #expect(try openFiles(in: stack.folder).isEmpty)
  }

  // S6.12: the file alone is the whole store, though another coordinator has it open.
  @Test func aRemovedStoreIsInItsFileThoughOthersHaveItOpen() throws {
    let stack = try TestStack()
    let other = try TestStack(model: stack.container.managedObjectModel, url: stack.url)
    try stack.seed(1...5)
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    try FileManager.default.copyItem(at: stack.url, to: copy)
    #expect(try Connection(path: copy.path).int64("SELECT count(*) FROM ZNOTE") == 5)
    withExtendedLifetime(other) {}
  }

  // S6.12
  @Test func aCoordinatorThatIsGoneLeavesNoFileOpen() throws {
    let folder = try Folder()
    func openedAndLetGo() throws -> NSPersistentStore { try open(folder.file(), Notebook.model()).store }
    let store = try openedAndLetGo()
    #expect(store.persistentStoreCoordinator == nil)
    #expect(try openFiles(in: folder.url).isEmpty)
    withExtendedLifetime(store) {}
  }

  // S6.12: a writer that comes when the store is closed gets an error.
  @Test func whoComesAfterTheStoreWasClosedGetsAnError() throws {
    let stack = try TestStack()
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let sqlite = store.sqlite
    try coordinator.remove(store)
    let note = try #require(coordinator.layout.entitiesByName["Note"])
    #expect(cocoaCode { _ = try sqlite.allotKeys([.passUnretained(note)]) } == NSPersistentStoreSaveError)
    #expect(cocoaCode { _ = try sqlite.count(StoreQuery(entity: note)) } == CocoaError.Code.fileReadUnknown.rawValue)
  }

  // S6.3: files that SQLite put beside a file that was only read go when the last read has ended.
  @Test func aStoreThatIsOnlyReadLeavesNothingBesideItsFile() throws {
    let folder = try Folder()
    let model = Notebook.model()
    let made = try open(folder.file(), model)
    let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = made.coordinator
    try writer.performAndWait {
      writer.insertNote(1)
      try writer.save()
    }
    try made.coordinator.remove(made.store)
    let opened = try open(folder.file(), model, [NSReadOnlyPersistentStoreOption: true])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = opened.coordinator
    let thread = pthread_self()
    let isRemoved = Locked(false)
    try Checkpoint.watching { place, _ in
      guard place == StoreCheckpoints.afterRead, pthread_equal(pthread_self(), thread) != 0, !isRemoved.withLock({ $0 })
      else { return }
      isRemoved.withLock { $0 = true }
      do { try opened.coordinator.remove(opened.store) } catch { Issue.record(error) }
    } _: {
      let count = try context.performAndWait { try context.notes().count }
      #expect(count == 1)
    }
    #expect(isRemoved.withLock { $0 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
  }

  // S6.3
  @Test func aFaultIsFilledThoughItsStoreMoves() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    try Connection(path: stack.url.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try FileManager.default.copyItem(at: stack.url, to: copy)
    let context = stack.context()
    let thread = pthread_self()
    let isMoved = Locked(false)
    try Checkpoint.watching { place, _ in
      guard place == StoreCheckpoints.beforeRead, pthread_equal(pthread_self(), thread) != 0, !isMoved.withLock({ $0 })
      else { return }
      isMoved.withLock { $0 = true }
      #expect(coordinator.setURL(copy, for: store))
    } _: {
      try context.performAndWait {
        #expect((context.object(with: ids[0]) as? Note)?.title == "note 1")
        (context.object(with: ids[1]) as? Note)?.title = "changed"
        try context.save()
      }
    }
    #expect(isMoved.withLock { $0 })
  }

  // S6.12
  @Test func aMovedStoreLeavesItsOldFileClosed() throws {
    let folder = try Folder()
    let opened = try open(folder.file(), Notebook.model())
    let new = try opened.coordinator.migratePersistentStore(
      opened.store, to: folder.file("new.sqlite"), options: nil, withType: NSSQLiteStoreType)
    let open = try openFiles(in: folder.url)
    #expect(!open.isEmpty)
    #expect(open.allSatisfy { $0.contains("new.sqlite") })
    try opened.coordinator.remove(new)
    #expect(try openFiles(in: folder.url).isEmpty)
  }

  // MARK: Losing the file

  // S6.10: a write to a log without a name is in no file.
  @Test(arguments: [false, true]) func aStoreWhoseLogIsGoneIsRefused(isReplaced: Bool) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let context = stack.context()
    let note = try context.performAndWait { try context.note(1) }
    for end in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: stack.url.path + end) }
    if isReplaced { try Data().write(to: URL(fileURLWithPath: stack.url.path + "-wal")) }
    context.performAndWait {
      note.title = "lost"
      let error = caught { try context.save() }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("write-ahead log was removed") ?? false, "\(error)")
      #expect(context.hasChanges)
    }
    // Earlier saves are in the file once the store is closed, where no other log has taken its place.
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.remove(#require(coordinator.persistentStores.first))
    if !isReplaced { #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 1"]) }
  }

  /// The fate of a file that a coordinator has open.
  enum Loss: CaseIterable, Sendable {
    case destroyed, destroyedAndMadeAnew, removedAndMadeAnew, replaced
  }

  // S6.10
  @Test(arguments: Loss.allCases) func aStoreWhoseFileBecameAnotherIsRefused(_ loss: Loss) throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...3)
    let context = stack.context()
    let note = try context.performAndWait { try context.note(1) }
    let other = NSPersistentStoreCoordinator(managedObjectModel: stack.container.managedObjectModel)
    func makeAnew(_ url: URL) throws {
      let store = try other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = other
      try context.performAndWait {
        for number: Int64 in 11...13 { context.insertNote(number, title: "new \(number)") }
        try context.save()
      }
      try other.remove(store)
    }
    switch loss {
    case .destroyed: try other.destroyPersistentStore(at: stack.url, ofType: NSSQLiteStoreType)
    case .destroyedAndMadeAnew:
      try other.destroyPersistentStore(at: stack.url, ofType: NSSQLiteStoreType)
      try makeAnew(stack.url)
    case .removedAndMadeAnew:
      try other.destroyPersistentStore(
        at: stack.url, ofType: NSSQLiteStoreType, options: [NSPersistentStoreForceDestroyOption: true])
      try makeAnew(stack.url)
    case .replaced:
      let source = stack.folder.appendingPathComponent("source.sqlite")
      try makeAnew(source)
      try other.replacePersistentStore(
        at: stack.url, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
    }
    let before = try? Connection(path: stack.url.path, mode: .readOnly).column("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK")
    context.performAndWait {
      note.title = "changed"
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      #expect(context.hasChanges)
    }
    #expect(cocoaCode { try stack.change { $0.insertNote(4) } } == NSPersistentStoreSaveError)
    let reader = stack.context("reader")
    reader.performAndWait {
      // A file that was taken away can still be read through an open descriptor; rows of the new one belong to no object here.
      guard loss != .removedAndMadeAnew else { return }
      #expect(cocoaCode { _ = try reader.notes() } == CocoaError.Code.fileReadUnknown.rawValue)
      #expect(cocoaCode { _ = try reader.existingObject(with: ids[1]) } == CocoaError.Code.fileReadUnknown.rawValue)
    }
    let after = try? Connection(path: stack.url.path, mode: .readOnly).column("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK")
    #expect(before == after)
  }

  // MARK: Logs

  // S6.13
  @Test func theLogBeginsAnewThoughReadersOverlap() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...3)
    let log = stack.url.path + "-wal"
    let pool = WorkPool(label: "readers", width: 3)
    let isOver = Locked(false)
    for number in 0..<3 {
      pool.submit("reader \(number)") {
        do {
          let connection = try Connection(path: stack.url.path, mode: .readOnly, busyTimeoutMilliseconds: 1_000)
          while !isOver.withLock({ $0 }) {
            try connection.execute("BEGIN")
            for _ in 0..<20 { _ = try connection.int64("SELECT count(*) FROM ZNOTE") }
            try connection.execute("COMMIT")
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    let context = stack.context("writer")
    let large = String(repeating: "x", count: 200_000)
    var sizes: [Int] = []
    try context.performAndWait {
      let note = try #require(context.object(with: ids[0]) as? Note)
      for round in 0..<400 {
        note.title = "\(round) " + large
        try context.save()
        sizes.append((try FileManager.default.attributesOfItem(atPath: log)[.size] as? NSNumber)?.intValue ?? 0)
      }
    }
    isOver.withLock { $0 = true }
    pool.waitUntilAllFinished()
    // 400 rounds write 80 MB.
    #expect(try #require(sizes.max()) < 40_000_000)
  }

  // S6.14
  @Test func aStoreWithoutALogIsReadInsideItsOwnSave() throws {
    let folder = try Folder()
    let opened = try open(
      folder.file(), Notebook.model(),
      [NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSPersistentStoreTimeoutOption: 0])
    let (context, other) = (
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    )
    for context in [context, other] { context.persistentStoreCoordinator = opened.coordinator }
    let thread = pthread_self()
    let counts = Locked<[Int]>([])
    try Checkpoint.watching { place, _ in
      guard pthread_equal(pthread_self(), thread) != 0, place == Checkpoints.beforeCommit else { return }
      other.performAndWait {
        do {
          let count = try other.notes().count
          counts.withLock { $0.append(count) }
        } catch {
          Issue.record(error)
        }
      }
    } _: {
      try context.performAndWait {
        for number: Int64 in 1...2 {
          context.insertNote(number)
          try context.save()
        }
      }
    }
    #expect(counts.withLock { $0 } == [1, 2])
    try opened.coordinator.remove(opened.store)
  }

  // S6.15
  @Test func aRowWhosePrimaryKeyNoIDCanHoldIsAnError() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    try Connection.write(stack.url, "UPDATE ZNOTE SET Z_PK = \(Int64(1) << 40) WHERE ZNUMBER = 2")
    let context = stack.context()
    context.performAndWait {
      #expect(cocoaCode { _ = try context.notes() } == CocoaError.Code.fileReadUnknown.rawValue)
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      ids.resultType = .managedObjectIDResultType
      #expect(cocoaCode { _ = try context.fetch(ids) } == CocoaError.Code.fileReadUnknown.rawValue)
    }
  }
}
