import Scheduling
import Testing

@testable import RowStore

/// Rows that were written while reads were under way, beside a dictionary of them.
@Suite struct RecentWritesTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func itKnowsWhatADictionaryKnows(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var writes = RecentWrites()
    var expected: [RowIdentity: UInt64] = [:]
    func draw() -> RowIdentity {
      // Near, far, and of groups that are one.
      let keys: [ClosedRange<Int64>] = [1...300, 1_000_000...1_000_300, 128 * 256...128 * 256 + 300]
      let key = Int64.random(in: keys.randomElement(using: &random) ?? 1...1, using: &random)
      return RowIdentity(key: key, rootNumber: Int32.random(in: 1...2, using: &random))
    }
    for commit in 1...300 as ClosedRange<UInt64> {
      let rows = (0..<Int.random(in: 0...60, using: &random)).map { _ in draw() }
      writes.note(rows, commit: commit)
      for row in rows { expected[row] = commit }
      for _ in 0..<5 {
        let (row, start) = (draw(), UInt64.random(in: 0...commit, using: &random))
        #expect(writes.hasWritten(row, after: start) == (expected[row, default: 0] > start))
      }
      if commit.isMultiple(of: 70) {
        writes.removeAll()
        expected = [:]
        #expect(writes.isEmpty)
      }
      #expect(writes.isEmpty == expected.isEmpty)
    }
  }

  @Test func rowsWrittenAgainAndAgainAreKeptOnce() {
    var writes = RecentWrites()
    let rows = (1...100).map { RowIdentity(key: $0, rootNumber: 1) }
    for commit in 1...1_000 as ClosedRange<UInt64> { writes.note(rows, commit: commit) }
    #expect(writes.allCommits.count <= 4_096 + 200)
    #expect(writes.hasWritten(rows[0], after: 999) && !writes.hasWritten(rows[0], after: 1_000))
  }
}
