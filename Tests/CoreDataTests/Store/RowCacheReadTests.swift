import Testing

@testable import CoreData
@testable import RowStore

/// Reads that end while others begin: a row that is known to be old does not stay listed.
@Suite struct RowCacheReadTests {
  /// The result of a read that may be outdated, since another coordinator's save is read again meanwhile.
  enum End: CaseIterable {
    case newerRow, sameRow, noRow
  }

  // S3.3
  @Test(arguments: End.allCases) func aReadThatMayBeOutdatedLeavesNoOlderRow(_ end: End) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      let row = try #require(note.snapshot)
      let cache = try #require(row.cache)
      cache.reading { start in
        cache.recordForeignWrites([row.identity.key], root: note.layout.root)
        switch end {
        case .newerRow, .sameRow:
          let read = row.mutableCopy()
          if end == .newerRow { read.version += 1 }
          _ = cache.publish(read, readAt: start)
        case .noRow: cache.recordMissing(row.identity, readAt: start)
        }
      }
      #expect((cache.row(row.identity) === row) == (end == .sameRow))
      #expect(cache.row(row.identity) == nil || end == .sameRow)
      try cache.verifyInvariants()
    }
  }
}
