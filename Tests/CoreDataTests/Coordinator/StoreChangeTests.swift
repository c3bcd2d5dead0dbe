import Scheduling
import Testing

@testable import CoreData

/// Observers of a coordinator while its stores change. S6.3
@Suite struct StoreChangeTests {
  /// Calls `body` for each notification of that coordinator, until it is dropped.
  private final class Observer: Sendable {
    // Sendable: written once, in `init`.
    nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

    init(
      _ coordinator: NSPersistentStoreCoordinator,
      _ names: [Notification.Name] = [
        .NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange,
        .NSPersistentStoreCoordinatorWillRemoveStore,
      ], _ body: @escaping @Sendable (Notification) -> Void
    ) {
      tokens = names.map { name in
        let isOfStore = name == .NSPersistentStoreCoordinatorWillRemoveStore
        return NotificationCenter.default.addObserver(
          forName: name, object: isOfStore ? nil : coordinator, queue: nil
        ) { [weak coordinator] notification in
          let store = notification.object as? NSPersistentStore
          guard !isOfStore || store?.persistentStoreCoordinator === coordinator else { return }
          body(notification)
        }
      }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }
  }

  private func store(_ stack: TestStack) throws -> NSPersistentStore {
    try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
  }

  // S1.7: a context that saves waits for the writer's turn, and an observer may wait for that context.
  @Test func observersAreNotCalledInTheWritersTurn() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let turns = Locked<[Bool]>([])
    let observer = Observer(coordinator) { [weak coordinator] _ in
      turns.withLock { $0.append(coordinator?.turn.isHeld ?? true) }
    }
    try withExtendedLifetime(observer) {
      let first = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let second = try coordinator.migratePersistentStore(
        first, to: URL(fileURLWithPath: "/dev/null"), withType: NSSQLiteStoreType)
      try coordinator.remove(second)
      let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
      description.shouldAddStoreAsynchronously = true
      coordinator.addPersistentStore(with: description) { _, _ in }
      coordinator.openings.drain()
    }
    #expect(turns.withLock { $0 } == [Bool](repeating: false, count: 8))
  }

  // remover                          saver
  // tells that the store goes
  // waits for the save               saves: waits for the coordinator
  @Test func anObserverMayWaitForASaveOfAnotherThread() throws {
    let stack = try TestStack(.file)
    let coordinator = stack.container.persistentStoreCoordinator
    let context = stack.context()
    let isTurnHeld = Locked(false)
    let observer = Observer(coordinator, [.NSPersistentStoreCoordinatorWillRemoveStore]) { _ in
      // It would wait for ever.
      guard !coordinator.turn.isHeld else { return isTurnHeld.withLock { $0 = true } }
      let saved = Latch(label: "saved")
      context.perform {
        context.insertNote(1)
        #expect(throws: Never.self) { try context.save() }
        saved.open()
      }
      saved.wait()
    }
    try withExtendedLifetime(observer) { try coordinator.remove(store(stack)) }
    #expect(!isTurnHeld.withLock { $0 })
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE") == ["1"])
  }

  @Test func whatObserversSaveBeforeAMoveMovesToo() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let coordinator = stack.container.persistentStoreCoordinator
    let context = stack.context()
    context.performAndWait { _ = context.insertNote(2) }
    let moved = try store(stack)
    let reported = Locked<[String]>([])
    let observer = Observer(coordinator) { notification in
      let info = notification.userInfo ?? [:]
      let keys = [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey]
      reported.withLock { $0.append(keys.filter { info[$0] != nil }.joined(separator: " ")) }
      context.performAndWait { #expect(throws: Never.self) { try context.save() } }
    }
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    try withExtendedLifetime(observer) {
      _ = try coordinator.migratePersistentStore(moved, to: copy, type: .sqlite)
    }
    #expect(reported.withLock { $0 } == ["", "added", "changed", "removed"])
    #expect(try TestStack(url: copy).sql("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == ["1", "2"])
  }

  @Test(arguments: TestStack.Place.allCases) func metadataThatWereNotSavedMoveToo(_ place: TestStack.Place) throws {
    let stack = try TestStack(place)
    let coordinator = stack.container.persistentStoreCoordinator
    let old = try store(stack)
    coordinator.setMetadata(["author": "me"], for: old)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("copy.sqlite")
    let new = try coordinator.migratePersistentStore(old, to: copy, type: .sqlite)
    #expect(new.metadata["author"] as? String == "me")
    #expect(new.metadata[NSStoreUUIDKey] as? String == new.identifier)
    let inFile = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: copy)
    #expect(inFile["author"] as? String == "me")
    #expect(inFile[NSStoreUUIDKey] as? String == new.identifier)
    #expect(inFile[NSStoreTypeKey] as? String == NSSQLiteStoreType)
  }

  @Test func anObserverThatRemovesTheStoreItselfComesFirst() throws {
    let stack = try TestStack(.file)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try store(stack)
    let isFirst = Locked(true)
    let observer = Observer(coordinator, [.NSPersistentStoreCoordinatorWillRemoveStore]) { _ in
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return }
      #expect(throws: Never.self) { try coordinator.remove(store) }
    }
    withExtendedLifetime(observer) {
      #expect(caught { try coordinator.remove(store) }?.code == NSPersistentStoreOperationError)
    }
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test func aStoreMovesToWhereOneWasDestroyed() throws {
    let (stack, other) = (try TestStack(.file), try TestStack(.file))
    try stack.seed(1...1)
    let coordinator = stack.container.persistentStoreCoordinator
    try other.container.persistentStoreCoordinator.remove(store(other))
    try coordinator.destroyPersistentStore(at: other.url, type: .sqlite)
    try coordinator.migratePersistentStore(store(stack), to: other.url, type: .sqlite)
    #expect(try other.sql("SELECT ZNUMBER FROM ZNOTE") == ["1"])
  }

  // S6.10: another process has made another store in the file.
  @Test func anotherStoresObjectsAreNotMoved() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let coordinator = stack.container.persistentStoreCoordinator
    let model = stack.container.managedObjectModel
    try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(at: stack.url, type: .sqlite)
    try TestStack(model: model, url: stack.url).seed(11...11)
    let copy = stack.folder.appendingPathComponent("copy.sqlite")
    let error = caught { try coordinator.migratePersistentStore(store(stack), to: copy, type: .sqlite) }
    #expect(error?.code == CocoaError.fileReadUnknown.rawValue)
    #expect(!FileManager.default.fileExists(atPath: copy.path))
  }
}
