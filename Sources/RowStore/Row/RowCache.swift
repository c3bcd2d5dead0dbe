import Foundation
import Scheduling

/// The rows of one store that are still referenced, newest version each.
///
/// A row lives as long as an object, a save record or a reader has it; the cache only lists it. A read that began before
/// a commit may come with a row that the commit replaced or deleted: such a row is not listed. Nor is a row that a commit
/// replaces while that commit is in the file and not published yet: until then whoever looks for it asks the store.
package final class RowCache: Sendable {
  /// When a read began.
  package struct ReadStart {
    /// Commits before it.
    fileprivate let commit: UInt64
    /// Reads before it, modulo 2³².
    fileprivate let number: UInt32
    /// By the cache's clock.
    fileprivate let time: Double
  }

  private struct Writes {
    /// Commits so far.
    package var commit: UInt64 = 0
    /// Reads so far, modulo 2³².
    package var reads: UInt32 = 0
    package var activeReads = 0
    /// What was written while reads were under way, with the commit; emptied when none is.
    package var recent: [RowIdentity: UInt64] = [:]
    /// Whether the file is another store's by now: nothing is listed any more.
    package var isLost = false
    /// What the commit under way replaces or deletes; nil while none is.
    package var hidden: HiddenRows?
    /// Rows inserted under a key that a deleted row had.
    package var reinserted: Set<RowIdentity> = []
    /// Seconds by which tests have put the clock forward.
    package var clockOffset = 0.0

    /// Seconds on a clock that never goes back.
    package var now: Double { ProcessInfo.processInfo.systemUptime + clockOffset }

    /// One commit more; reads that are under way may have begun before it.
    package mutating func noteCommit(_ identities: some Sequence<RowIdentity>) {
      commit += 1
      guard activeReads > 0 else { return }
      for identity in identities { recent[identity] = commit }
    }

    /// Whether a commit since the read began has replaced or deleted the row.
    package func isOutdated(_ identity: RowIdentity, _ start: ReadStart) -> Bool {
      guard commit != start.commit, let written = recent[identity] else { return false }
      return written > start.commit
    }
  }

  /// Keeps the model, and so the layouts of the rows, alive.
  package let identity: StoreIdentity
  private let rows = WeakTable<Row>()
  private let writes = Locked(Writes())

  package init(identity: StoreIdentity) { self.identity = identity }

  /// The newest row under that identity, if it is referenced.
  package func row(_ identity: RowIdentity) -> Row? { rows.object(identity) }

  /// The same where it was read, or read again, in the last so many seconds.
  package func row(_ identity: RowIdentity, youngerThan seconds: Double) -> Row? {
    guard let row = rows.object(identity) else { return nil }
    return writes.withLock { writes in writes.now - row.confirmedAt < seconds ? row : nil }
  }

  /// Puts the clock forward by which rows grow stale.
  package func advanceClock(by seconds: Double) { writes.withLock { $0.clockOffset += seconds } }

  // MARK: Reading

  /// Runs a read of the store; `body` gets what ``publish(_:readAt:)`` wants to know.
  package func reading<Result>(_ body: (_ start: ReadStart) throws -> Result) rethrows -> Result {
    let start = writes.withLock { writes in
      writes.activeReads += 1
      writes.reads &+= 1
      return ReadStart(commit: writes.commit, number: writes.reads, time: writes.now)
    }
    defer {
      writes.withLock { writes in
        writes.activeReads -= 1
        if writes.activeReads == 0, !writes.recent.isEmpty { writes.recent = [:] }
      }
    }
    return try body(start)
  }

  /// Lists a row that was read; the row to use: the listed one when it is as new.
  ///
  /// - Parameters:
  ///   - start: as ``reading(_:)`` gave it; nil for a row that may be taken back, which is not listed.
  ///   - comparing: whether a row of the same version may have other values: changed past every stack.
  package func publish(_ row: Row, readAt start: ReadStart?, comparing: Bool = false) -> Row {
    StoreCheckpoints.afterRead.reach("reader")
    row.freeze()
    let identity = row.identity
    guard let start else {
      if let listed = rows.object(identity), listed.version == row.version { return listed }
      return row
    }
    return writes.withLock { writes in
      if writes.isLost || writes.isOutdated(identity, start) { return row }
      if writes.hidden?.note(identity, version: row.version) ?? false { return row }
      // A derived value changes with other rows, and leaves the version as it is.
      let mayDiffer = comparing || row.layoutReference._withUnsafeGuaranteedRef { $0.hasDerived }
      return list(row, start, comparing: mayDiffer, readsBefore: writes.reads)
    }
  }

  /// Lists a row that was read, unless the listed one is as new; under the lock.
  ///
  /// Two reads at one time may end in another order than that of their snapshots. But what differs from a row that was
  /// listed before the read began is newer: also a version that went back, of a row that was deleted and inserted again.
  private func list(_ row: Row, _ start: ReadStart, comparing: Bool, readsBefore: UInt32) -> Row {
    row.cache = self
    row.readsBefore = readsBefore
    row.confirmedAt = start.time
    var isUnclear = false
    let listed = rows.set(row.identity, row) { listed in
      if listed.version < row.version { return false }
      if listed.version == row.version, !comparing || listed.hasValues(of: row) { return true }
      let isListedFirst = Int32(bitPattern: start.number &- listed.readsBefore) > 0
      isUnclear = listed.version == row.version && !isListedFirst
      return !isListedFirst
    }
    if listed === row { return row }
    row.cache = nil
    if isUnclear {
      // One version, two values, and neither is known to be the newer: whoever looks for it asks the store again.
      rows.remove(row.identity, ifItIs: listed)
      return row
    }
    if listed.version == row.version { listed.confirmedAt = max(listed.confirmedAt, start.time) }
    return listed
  }

  /// A read found no row under that identity; whoever looks for it asks the store again.
  package func noteMissing(_ identity: RowIdentity, readAt start: ReadStart?) {
    guard let start else { return }
    writes.withLock { writes in
      if writes.isOutdated(identity, start) { return }
      if writes.hidden?.noteMissing(identity) ?? false { return }
      rows.remove(identity)
    }
  }

  /// The file is another store's: what was listed, or is read from it, is no row of this one.
  package func lose() {
    writes.withLock { writes in
      writes.isLost = true
      rows.removeAll()
    }
  }

  /// Takes out rows that may be older than the store's: whoever looks for them asks the store again.
  package func drop(_ keys: [Int64], root: EntityLayout) {
    let identities = keys.map { RowIdentity(key: $0, layout: root) }
    writes.withLock { writes in
      writes.noteCommit(identities)
      rows.edit { rows in for identity in identities { rows.remove(identity) } }
    }
  }

  // MARK: Writing

  /// Takes out what a commit is about to replace or delete, so that from the moment it is in the file until it is
  /// published, or taken back, whoever looks for one of the rows asks the store. One commit at a time.
  ///
  /// - Parameter inserted: rows that the commit makes; they are not listed yet.
  /// - Complexity: O(*n*) for *n* rows.
  package func hide(_ replaced: ContiguousArray<RowIdentity>, inserted: ContiguousArray<RowIdentity> = []) {
    writes.withLock { writes in
      precondition(writes.hidden == nil, "a commit ends before the next one begins")
      writes.hidden = HiddenRows(inserted.isEmpty ? replaced : inserted + replaced)
      guard !replaced.isEmpty else { return }
      writes.noteCommit(replaced)
      rows.edit { rows in for identity in replaced { rows.remove(identity) } }
    }
  }

  /// Another coordinator has written these rows: reads that are under way may come with older ones, which are not to be listed.
  package func noteForeignWrites(_ keys: some Sequence<Int64>, root: EntityLayout) {
    writes.withLock { $0.noteCommit(keys.lazy.map { RowIdentity(key: $0, layout: root) }) }
  }

  /// The commit for which rows were hidden did not happen.
  package func unhide() { writes.withLock { $0.hidden = nil } }

  /// Lists what a commit wrote and takes out what it deleted; in the order of this coordinator's commits.
  ///
  /// Another coordinator may have written a newer row since the commit, which may have been read: that one stays.
  /// - Parameter reinserted: those of the written rows that had been deleted before.
  package func commit(
    inserted: ContiguousArray<SavedRow>, updated: ContiguousArray<SavedRow>, deleted: ContiguousArray<SavedRow>,
    reinserted: [RowIdentity]
  ) {
    writes.withLock { writes in
      writes.reinserted.formUnion(reinserted)
      writes.noteCommit([inserted, updated, deleted].joined().lazy.map(\.identity))
      let listing = (writes.reads, writes.now)
      let hidden = writes.hidden
      writes.hidden = nil
      rows.edit { rows in
        rows.reserve(inserted.count)
        for entry in inserted { list(entry, listing, hidden, &rows) }
        for entry in updated { list(entry, listing, hidden, &rows) }
        for entry in deleted { rows.remove(entry.identity) }
      }
    }
  }

  /// Takes out what a batch request changed or deleted: whoever looks for it asks the store again.
  package func commit(_ changes: BatchChanges) {
    writes.withLock { writes in
      writes.hidden = nil
      guard !changes.rows.isEmpty else { return }
      writes.noteCommit(changes.rows)
      rows.edit { rows in
        for identity in changes.rows { rows.remove(identity) }
      }
    }
  }

  /// Whether a row was once deleted and inserted again, so that an old notification of its deletion may come late.
  package func wasReinserted(_ identity: RowIdentity) -> Bool { writes.withLock { $0.reinserted.contains(identity) } }

  @inline(__always)
  private func list(
    _ entry: SavedRow, _ listing: (reads: UInt32, now: Double), _ hidden: HiddenRows?,
    _ rows: inout WeakTable<Row>.Entries
  ) {
    guard let row = entry.row else { return }
    if let hidden, !hidden.isNewest(entry.identity, version: row.version) { return }
    row.cache = self
    row.readsBefore = listing.reads
    row.confirmedAt = listing.now
    if !rows.set(entry.identity, row, replacing: { $0.version <= row.version }) { row.cache = nil }
  }

  /// A row goes; called by its deinitialiser.
  package func forget(_ row: Row, _ identity: RowIdentity) { rows.remove(identity, ifItIs: row) }
}
