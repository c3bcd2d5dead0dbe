import CoreData
import SQLite
import Testing

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
