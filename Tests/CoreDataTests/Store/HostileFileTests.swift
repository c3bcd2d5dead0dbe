import CoreData
import SQLite
import Testing

/// Files that someone changed: their contents end in an error, not in a loop or a crash.
@Suite struct HostileFileTests {
  /// A store with a few notes and a closed file.
  private func closedStore() throws -> (stack: TestStack, url: URL) {
    let stack = try TestStack(.file)
    try stack.seed(1...50, words: ["a", "b"])
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    return (stack, stack.url)
  }

  /// Opens the store and reads all of it; nil when both can be done.
  private func failure(_ url: URL) -> (any Error)? {
    do {
      let stack = try TestStack(url: url)
      let context = stack.context()
      return try context.performAndWait { () -> (any Error)? in
        for note in try context.notes() { _ = note.words.count }
        return caught { try context.save() }
      }
    } catch {
      return error
    }
  }

  // S6.3: a view with endless rows, in the place of a table.
  @Test func aRecursiveViewIsNoTable() throws {
    let (stack, url) = try closedStore()
    try withExtendedLifetime(stack) {
      try Connection.write(
        url,
        """
        ALTER TABLE ZNOTE RENAME TO HIDDEN;
        CREATE VIEW ZNOTE AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, i AS ZNUMBER, 'x' AS ZTITLE, NULL AS ZCREATEDAT, NULL AS ZUUID FROM n
        """)
      #expect(failure(url) != nil)
    }
  }

  // S6.3: the file ends in the middle of its pages.
  @Test(arguments: [1, 2, 3, 5, 8]) func cutPagesAreAnError(pages: UInt64) throws {
    let (stack, url) = try closedStore()
    try withExtendedLifetime(stack) {
      let handle = try FileHandle(forWritingTo: url)
      try handle.truncate(atOffset: 4096 * pages)
      try handle.close()
      #expect(failure(url) != nil)
    }
  }
}
