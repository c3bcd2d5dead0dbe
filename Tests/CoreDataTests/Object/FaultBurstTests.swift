import CoreData
import SQLite
import Scheduling
import Testing

@testable import RowStore

/// Faults that one block reads from the file share a snapshot.
@Suite struct FaultBurstTests {
  private let stack: TestStack
  private let ids: [NSManagedObjectID]

  init() throws {
    stack = try TestStack(.file)
    ids = try stack.seed(1...4)
  }

  private func title(_ place: Int, in context: NSManagedObjectContext) -> String? {
    (context.object(with: ids[place]) as? Note)?.title
  }

  /// Whether somebody reads a state of the file that the log is needed for.
  private func isRead() throws -> Bool {
    try Connection(path: stack.url.path).int64("PRAGMA wal_checkpoint(TRUNCATE)") != 0
  }

  // S6.16
  @Test func theSnapshotIsHeldUntilTheBlockEnds() throws {
    let context = stack.context()
    try context.performAndWait {
      #expect(title(0, in: context) == "note 1")
      #expect(try !isRead())
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'again' WHERE Z_PK <> 1")
      #expect(title(1, in: context) == "again")
      #expect(title(2, in: context) == "again")
      #expect(try isRead())
    }
    #expect(try !isRead())
  }

  // S6.16
  @Test func whatAnyoneCommitsMeanwhileIsRead() throws {
    let context = stack.context()
    try context.performAndWait {
      #expect(title(0, in: context) == "note 1")
      #expect(title(1, in: context) == "note 2")
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere' WHERE ZNUMBER = 3")
      #expect(title(2, in: context) == "elsewhere")
      try stack.change { try $0.note(4).title = "by another context" }
      #expect(title(3, in: context) == "by another context")
    }
  }

  // S6.6: the row of the snapshot is older than the row cache's by then.
  @Test func whatIsCommittedAfterTheSnapshotIsNotReplaced() throws {
    let (context, writer, late) = (stack.context(), stack.context("writer"), stack.context("late"))
    let thread = pthread_self()
    /// Keeps the row listed that was saved last.
    let saved = Locked<Note?>(nil)
    @Sendable func save(_ title: String) throws {
      try writer.performAndWait {
        let note = try writer.note(3)
        note.title = title
        try writer.save()
        saved.withLock { $0 = note }
      }
    }
    context.performAndWait {
      #expect(title(0, in: context) == "note 1")
      #expect(title(1, in: context) == "note 2")
      Checkpoint.watching { place, _ in
        guard place == StoreCheckpoints.snapshotHeld, pthread_equal(pthread_self(), thread) != 0,
          saved.withLock({ $0 == nil })
        else { return }
        #expect(throws: Never.self) { try save("newer") }
      } _: {
        #expect(title(2, in: context) == "note 3")
      }
    }
    #expect(saved.withLock { $0 != nil })
    late.performAndWait { #expect(title(2, in: late) == "newer") }
    try save("the only writer's next")
  }

  // S6.16
  @Test func aSaveOfThisProcessEndsIt() throws {
    let context = stack.context()
    try context.performAndWait {
      for place in 0...2 { _ = title(place, in: context) }
      (context.object(with: ids[0]) as? Note)?.title = "saved"
      try context.save()
      #expect(try !isRead())
      #expect(title(3, in: context) == "note 4")
    }
  }

  // S6.12, S6.16
  @Test func aStoreCanBeRemovedMeanwhile() throws {
    let context = stack.context()
    let coordinator = stack.container.persistentStoreCoordinator
    try context.performAndWait {
      for place in 0...2 { _ = title(place, in: context) }
      try coordinator.remove(#require(coordinator.persistentStores.first))
    }
    #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
  }
}
