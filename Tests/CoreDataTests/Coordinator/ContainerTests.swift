import CoreData
import SQLite
import Scheduling
import Testing

@Suite struct ContainerTests {
  private static let patienceSeconds = 20.0

  // S6.2
  @Test func aContainersContextsAreOfTheRightKind() throws {
    let container = try TestStack().container
    #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
    let background = container.newBackgroundContext()
    #expect(background.concurrencyType == .privateQueueConcurrencyType)
    #expect(background !== container.newBackgroundContext())
    #expect(background.persistentStoreCoordinator === container.persistentStoreCoordinator)
  }

  // S6.2
  @Test func aBackgroundTaskGetsAContextOfItsOwn() async throws {
    let stack = try TestStack()
    try await stack.container.performBackgroundTask { context in
      _ = context.insertNote(1)
      try context.save()
    }
    let done = Latch(label: "done")
    let work: @Sendable (NSManagedObjectContext) -> Void = { context in
      #expect((try? context.notes().count) == 1)
      done.open()
    }
    let start: (@escaping @Sendable (NSManagedObjectContext) -> Void) -> Void = stack.container.performBackgroundTask
    start(work)
    #expect(done.wait(atMost: Self.patienceSeconds))
    withExtendedLifetime(stack) {}
  }

  // S6.2
  @Test func aStoreCanBeLoadedOnAnotherThread() throws {
    let stack = try TestStack()
    let container = NSPersistentContainer(name: "again", managedObjectModel: Notebook.model())
    let description = NSPersistentStoreDescription(url: stack.url)
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    let done = Latch(label: "loaded")
    container.loadPersistentStores { _, error in
      #expect(error == nil)
      done.open()
    }
    #expect(done.wait(atMost: Self.patienceSeconds))
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  // S6.3
  @Test func anotherModelIsRefusedByName() throws {
    let stack = try TestStack()
    let error = caught { _ = try TestStack(model: Zoo.model(), url: stack.url) }
    #expect(error?.code == NSMigrationMissingSourceModelError, "a container migrates by default")
    #expect(error?.localizedDescription.contains("Keeper") == true)
    #expect(error?.localizedDescription.contains("Migration is not available yet") == true)
  }

  // S6.3
  @Test func aFileThatIsNoStoreIsRefused() throws {
    let folder = try TestStack()
    let text = folder.folder.appendingPathComponent("text.sqlite")
    try Data(
      "no database, only words, and enough of them to fill a header of a hundred bytes, which is what is read first"
        .utf8
    )
    .write(to: text)
    #expect(caught { _ = try TestStack(url: text) } != nil)
    let database = folder.folder.appendingPathComponent("database.sqlite")
    try Connection.write(database, "CREATE TABLE t (a)")
    #expect(caught { _ = try TestStack(url: database) } != nil)
  }

  // S6.1
  @Test func twoCoordinatorsWorkOnOneFile() throws {
    let first = try TestStack()
    let second = try TestStack(url: first.url)
    for round in 0..<10 {
      try (round % 2 == 0 ? first : second).change { $0.insertNote(Int64(round)) }
      let other = (round % 2 == 0 ? second : first).context()
      #expect(try other.performAndWait { try other.notes().count } == round + 1)
    }
    #expect(try first.sql("SELECT count(DISTINCT Z_PK) FROM ZNOTE") == ["10"])
  }

  // S6.1
  @Test func aReaderIsNotBlockedByTheWriter() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let writer = stack.context("writer \(UUID())")
    let name = try #require(writer.name)
    let seen = Locked<[Int]>([])
    try Checkpoint.watching({ place, subject in
      guard place.name == "save.beforeCommit", subject == name else { return }
      let reader = stack.context("reader")
      let count = reader.performAndWait { (try? reader.notes().count) ?? -1 }
      seen.withLock { $0.append(count) }
    }) {
      try writer.performAndWait {
        writer.insertNote(2)
        try writer.save()
      }
    }
    #expect(seen.withLock { $0 } == [1], "the reader sees what was committed, at once")
  }
}
