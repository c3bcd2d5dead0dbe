import CoreData
import Scheduling
import Testing

/// Stores without a file.
@Suite struct MemoryStoreTests {
  private static let places: [TestStack.Place] = [.memory, .devNull]

  // S6.3
  @Test func aStoreInMemoryHasItsTypeAndNoFile() throws {
    let stack = try TestStack(.memory)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    #expect(store.type == NSInMemoryStoreType)
    #expect(store.metadata[NSStoreTypeKey] as? String == "InMemory")
    #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(store.persistentStoreCoordinator === coordinator)
    #expect(!FileManager.default.fileExists(atPath: stack.folder.path))
  }

  // S6.2
  @Test func aSQLiteStoreAtDevNullIsInMemory() throws {
    let stack = try TestStack(.devNull)
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.type == NSSQLiteStoreType)
    #expect(store.url == URL(fileURLWithPath: "/dev/null"))
    #expect(NSPersistentStoreDescription().url == store.url)
  }

  // S6.3
  @Test func aStoreInMemoryNeedsNoURL() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notebook.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    #expect(store.url != nil)
  }

  // S6.2
  @Test(arguments: places) func everyStoreInMemoryIsEmptyAndItsOwn(_ place: TestStack.Place) throws {
    let first = try TestStack(place)
    try first.seed(1...3)
    let second = try TestStack(place)
    let context = second.context()
    #expect(try context.performAndWait { try context.notes().count } == 0)
    #expect(
      first.container.persistentStoreCoordinator.persistentStores.first?.identifier
        != second.container.persistentStoreCoordinator.persistentStores.first?.identifier)
  }

  // S6.3
  @Test(arguments: places) func savedObjectsComeBackInAnotherContext(_ place: TestStack.Place) throws {
    let stack = try TestStack(place)
    let ids = try stack.seed(1...2, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      #expect(try context.notes().map(\.title) == ["note 1", "note 2"])
      let note = try #require(try context.existingObject(with: ids[0]) as? Note)
      #expect(note.words.count == 2)
      context.delete(note)
      try context.save()
      #expect(try context.notes().map(\.number) == [2])
      #expect(try context.words().count == 2)
    }
  }

  // S6.1: the one connection is read in the writer's turn; a policy that fetches is in it already.
  @Test(arguments: places) func aMergePolicyMayFetch(_ place: TestStack.Place) throws {
    final class FetchingPolicy: NSMergePolicy, @unchecked Sendable {
      // Sendable: it has nothing of its own.
      override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let context = try #require(list.first?.sourceObject.managedObjectContext)
        #expect(try context.notes().count == 2)
        try super.resolve(optimisticLockingConflicts: list)
      }
    }
    let stack = try TestStack(place)
    try stack.seed(1...2)
    let context = stack.context()
    context.mergePolicy = FetchingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "mine"
      try stack.change { try $0.note(1).title = "theirs" }
      try context.save()
      #expect(note.title == "mine")
    }
  }

  // S6.1
  @Test(arguments: places) func readersWaitForTheWriterAndSeeItsSave(_ place: TestStack.Place) throws {
    let stack = try TestStack(place)
    try stack.seed(1...1)
    let writer = stack.context("writer \(UUID())")
    let name = try #require(writer.name)
    let readers = WorkPool(label: "readers", width: 2)
    let counts = Locked<[Int]>([])
    try Checkpoint.watching({ checkpoint, subject in
      guard checkpoint.name == "save.beforeCommit", subject == name else { return }
      for _ in 0..<2 {
        readers.submit("read") {
          let reader = stack.context("reader")
          let count = reader.performAndWait { (try? reader.notes().count) ?? -1 }
          counts.withLock { $0.append(count) }
        }
      }
    }) {
      try writer.performAndWait {
        writer.insertNote(2)
        try writer.save()
      }
    }
    readers.waitUntilAllFinished()
    #expect(counts.withLock { $0 } == [2, 2])
  }
}
