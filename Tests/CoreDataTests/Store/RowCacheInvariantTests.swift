import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// Soak and the random test check the row cache; each check can fail.
@Suite struct RowCacheInvariantTests {
  /// Three realised objects, and the cache that lists their rows.
  private func withCache(_ body: (RowCache, [Note]) throws -> Void) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let notes = try (1...3).map { try context.note($0) }
      for note in notes { _ = note.title }
      let cache = try #require(stack.container.persistentStoreCoordinator.persistentStores.first).sqlite.cache
      try cache.verifyInvariants()
      try body(cache, notes)
    }
  }

  private static let broken: [(String, @Sendable (inout RowCache.Writes) -> Void)] = [
    ("a read ends once", { $0.activeReads = -1 }),
    (
      "what was written is kept only for reads that are under way",
      { $0.recent.note([RowIdentity(key: 1, rootNumber: 1)], commit: 0) }
    ),
    (
      "no row is of a commit that is still to come",
      { writes in
        writes.activeReads += 1
        writes.recent.note([RowIdentity(key: 1, rootNumber: 1)], commit: writes.commit + 1)
      }
    ),
    ("of a store that is gone no row is listed", { $0.isLost = true }),
    ("a row was read before now", { $0.clock.offset -= 1_000_000 }),
  ]

  @Test(arguments: broken.indices) func whatItCountsIsLookedAt(_ index: Int) throws {
    let (sentence, change) = Self.broken[index]
    try withCache { cache, _ in
      cache.writes.withLock(change)
      #expect(throws: BrokenInvariant.self) { try cache.verifyInvariants() }
      do { try cache.verifyInvariants() } catch { #expect("\(error)".contains(sentence)) }
    }
  }

  @Test func aListedRowThatDoesNotKnowItsCacheIsFound() throws {
    try withCache { cache, notes in
      let row = try #require(notes[1].snapshot)
      row.cache = nil
      #expect(throws: BrokenInvariant.self) { try cache.verifyInvariants() }
      row.cache = cache
      try cache.verifyInvariants()
    }
  }

  @Test func aRowThatACommitIsAboutToReplaceIsNotListed() throws {
    try withCache { cache, notes in
      let identity = try #require(notes[1].snapshot).identity
      cache.hide([identity])
      try cache.verifyInvariants()
      cache.rows.set(identity, try #require(notes[1].snapshot))
      #expect(throws: BrokenInvariant.self) { try cache.verifyInvariants() }
      cache.unhide()
      try cache.verifyInvariants()
    }
  }

  @Test func aPageInTheWrongPlaceIsFound() throws {
    try withCache { cache, notes in
      let identity = try #require(notes[0].snapshot).identity
      let moved = 1_024 as Int64
      let position = cache.rows.edit { entries in
        let position = entries.values.find(identity.key, Int32(truncatingIfNeeded: identity.root))
        entries.values.pages[position].word += moved
        return position
      }
      #expect(throws: BrokenInvariant.self) { try cache.verifyInvariants() }
      cache.rows.edit { $0.values.pages[position].word -= moved }
      try cache.verifyInvariants()
    }
  }

  @Test func aPageThatCountsWrongIsFound() throws {
    try withCache { cache, notes in
      let identity = try #require(notes[0].snapshot).identity
      let position = cache.rows.edit { entries in
        let position = entries.values.find(identity.key, Int32(truncatingIfNeeded: identity.root))
        entries.values.pages[position].word += 1
        entries.values.count += 1
        return position
      }
      #expect(throws: BrokenInvariant.self) { try cache.verifyInvariants() }
      cache.rows.edit { entries in
        entries.values.pages[position].word -= 1
        entries.values.count -= 1
      }
      try cache.verifyInvariants()
    }
  }
}
