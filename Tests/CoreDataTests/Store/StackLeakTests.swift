import SQLite
import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// Stacks made, used and dropped by the thousand leave nothing. S1.5.
///
/// In a process of its own, since the counts (open files, SQLite's memory) are those of the whole process.
@Suite struct StackLeakTests {
  /// The objects that must be gone once their stack is dropped.
  private struct Witness {
    weak var coordinator: NSPersistentStoreCoordinator?
    weak var store: NSPersistentStore?
    weak var sqlite: SQLiteStore?
    weak var connection: Connection?
    weak var model: NSManagedObjectModel?
    weak var context: NSManagedObjectContext?
    weak var child: NSManagedObjectContext?
    weak var undoManager: UndoManager?
    var queues: [WeakQueue] = []
    weak var note: NSManagedObject?
    weak var word: NSManagedObject?
    weak var inserted: NSManagedObject?
    weak var id: NSManagedObjectID?
    weak var row: Row?

    struct WeakQueue { weak var queue: SerialQueue? }

    /// Names of the objects that are still there.
    var survivors: [String] {
      let all: [(String, AnyObject?)] =
        [
          ("coordinator", coordinator), ("store", store), ("sqlite", sqlite), ("connection", connection),
          ("model", model), ("context", context), ("child", child), ("undoManager", undoManager), ("note", note),
          ("word", word), ("inserted", inserted), ("id", id), ("row", row),
        ] + queues.map { ("queue", $0.queue) }
      return all.compactMap { $0.1 == nil ? nil : $0.0 }
    }
  }

  /// Files this process has open.
  private static func openFiles() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// Makes a stack, uses it in every way that holds on to something, and drops it.
  ///
  /// - Parameter inFlight: queues of contexts with blocks that may still be waiting; for the caller to drain.
  private static func use(_ place: TestStack.Place, inFlight: inout [SerialQueue]) throws -> Witness {
    let stack = try TestStack(place)
    try stack.seed(1...2, words: ["a", "b"])
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let context = stack.context()
    let child = stack.child(of: context)
    let observer = stack.context("observer")
    observer.automaticallyMergesChangesFromParent = true
    child.automaticallyMergesChangesFromParent = true
    context.undoManager = UndoManager()
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { [weak observer] notification in
      observer?.performAndWait { observer?.mergeChanges(fromContextDidSave: notification) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    // Sendable: only read again on the observer's queue.
    nonisolated(unsafe) let seen = try observer.performAndWait { try observer.notes() }
    var witness = try context.performAndWait {
      // Relationships realised in both directions are a cycle.
      let note = try context.note(1)
      let word = try #require(note.words.first as? Word)
      _ = (note.title, word.note, word.tags)
      note.title = "saved"
      context.delete(try context.note(2))
      try context.save()
      // Changes of every kind that are never saved.
      note.title = "unsaved"
      word.note = nil
      word.tags = [context.insert("Tag", ["name": "tag"])]
      let inserted = context.insertNote(3, words: ["c"])
      context.delete(try #require(note.words.first))
      context.processPendingChanges()
      context.undo()
      context.redo()
      return Witness(
        coordinator: coordinator, store: store, sqlite: store.sqlite, connection: store.sqlite.connection,
        model: stack.container.managedObjectModel, context: context, child: child,
        undoManager: context.undoManager, note: note, word: word, inserted: inserted, id: note.objectID,
        row: note.values)
    }
    try child.performAndWait {
      let note = try child.note(1)
      note.title = "pushed"
      _ = note.words.map(\.objectID)
      child.insertNote(4, words: ["d"])
      try child.save()
      child.insertNote(5)
    }
    // Blocks that may run after the stack was dropped here.
    child.perform { child.insertNote(6) }
    observer.perform { _ = seen.map(\.title) }
    context.perform { _ = try? context.notes() }
    let queues = [child.queue, observer.queue, context.queue]
    witness.queues = queues.map { Witness.WeakQueue(queue: $0) }
    inFlight += queues
    return witness
  }

  /// Makes and drops stacks; afterwards every block that was in flight has run, and is gone.
  private static func use(_ count: Int, filesEvery: Int) throws -> [Witness] {
    var inFlight: [SerialQueue] = []
    let witnesses = try (1...count).map { number in
      try use(number % filesEvery == 0 ? .file : .memory, inFlight: &inFlight)
    }
    for queue in inFlight { queue.drain() }
    return witnesses
  }

  // S1.5. SQLite holds memory for each of its connections and statements.
  @Test func aThousandStacksLeaveNothing() async {
    await #expect(processExitsWith: .success) {
      _ = try Self.use(4, filesEvery: 2)
      #expect(Connection.memoryInUse == 0)
      let files = try Self.openFiles()
      let witnesses = try Self.use(1_000, filesEvery: 20)
      #expect(witnesses.flatMap(\.survivors) == [])
      #expect(Connection.memoryInUse == 0)
      #expect(try Self.openFiles() == files)
    }
  }

  // S1.5: the witnesses see objects that are not released.
  @Test func whatIsHeldIsASurvivor() async throws {
    await #expect(processExitsWith: .success) {
      var inFlight: [SerialQueue] = []
      let witness = try Self.use(.file, inFlight: &inFlight)
      for queue in inFlight { queue.drain() }
      #expect(witness.survivors == ["queue", "queue", "queue"])
      inFlight = []
      #expect(witness.survivors == [])
      let files = try Self.openFiles()
      let stack = try TestStack(.file)
      #expect(try Self.openFiles() > files && Connection.memoryInUse > 0)
      withExtendedLifetime(stack) {}
    }
  }

  // S1.5: one statement is enough to be seen, and keeps its connection open.
  @Test func aStatementThatIsHeldIsSeen() async throws {
    await #expect(processExitsWith: .success) {
      let stack = try TestStack(.file)
      let files = try Self.openFiles()
      let memory = Connection.memoryInUse
      do {
        // A file of its own: SQLite closes no file while the process has a lock on it through another connection.
        let statement = try Connection(path: stack.url.path + "-other").prepare("PRAGMA user_version")
        _ = try statement.step()
        #expect(try Self.openFiles() > files && Connection.memoryInUse > memory)
      }
      #expect(try Self.openFiles() == files)
      #expect(Connection.memoryInUse == memory)
      withExtendedLifetime(stack) {}
    }
  }
}
