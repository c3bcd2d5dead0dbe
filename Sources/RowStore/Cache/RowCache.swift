import CRuntime
import Foundation
import Scheduling
import Synchronization

/// The rows of one store that are still referenced, newest version each.
///
/// A row lives as long as an object, a save record or a reader has it; the cache only lists it. A read that began before
/// a commit may come with a row that the commit replaced or deleted: such a row is not listed. Nor is a row that a commit
/// replaces while that commit is in the file and not published yet: until then a look-up goes to the store.
package final class RowCache: Sendable {
  /// When a read began.
  package struct ReadStart {
    /// Commits before it.
    fileprivate let commit: UInt64
    /// Reads before it, modulo 2³².
    fileprivate let number: UInt32
    /// By the cache's clock.
    fileprivate let time: CacheTime
  }

  struct Writes {
    /// Commits so far.
    package var commit: UInt64 = 0
    /// Reads so far, modulo 2³².
    package var reads: UInt32 = 0
    package var activeReads = 0
    /// Rows written while reads were under way, with the commit; emptied when none is.
    var recent = RecentWrites()
    /// Whether the file is another store's by now: nothing is listed any more.
    package var isLost = false
    /// Rows that the commit under way replaces or deletes; nil while none is.
    package var hidden: HiddenRows?
    /// Rows inserted under a key that a deleted row had.
    package var reinserted: Set<RowIdentity> = []
    package var clock = CacheClock()

    /// Counts one commit more; reads that are under way may have begun before it.
    package mutating func recordCommit(_ identities: some Sequence<RowIdentity>) {
      commit += 1
      guard activeReads > 0 else { return }
      recent.note(identities, commit: commit)
    }

    /// Whether a commit since the read began has replaced or deleted the row.
    package mutating func isOutdated(_ identity: RowIdentity, _ start: ReadStart) -> Bool {
      commit != start.commit && recent.hasWritten(identity, after: start.commit)
    }
  }

  /// Keeps the model, and so the layouts of the rows, alive.
  package let identity: StoreIdentity
  let rows = WeakTable<Row>()
  let writes = Locked(Writes())

  package init(identity: StoreIdentity) { self.identity = identity }

  /// Changes under the lock.
  let replacements = ReplacementCounts()

  /// Whether the store is open where it was.
  @inline(__always)
  package var isInUse: Bool { !isRetired.load(ordering: .acquiring) }

  private let isRetired = Atomic<Bool>(false)

  /// Retires the cache of a closed store: a look-up of a row has to ask for the store first.
  package func retire() {
    writes.withLock { _ in
      isRetired.store(true, ordering: .releasing)
      replacements.recordAll()
    }
  }

  /// The number of commits that the cache has recorded, modulo 2⁶⁴; it only says whether there was another one.
  package var commits: Int { writes.withLock { Int(truncatingIfNeeded: $0.commit) } }

  /// How often a connection found that the file had changed since it looked last, by whomever. Any thread.
  package var sightings: Int { sightingCount.load(ordering: .acquiring) }

  private let sightingCount = Atomic<Int>(0)

  /// Notes that a connection has found the file changed. Any thread.
  func noteSighting() { sightingCount.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// The newest row under that identity, if it is referenced.
  package func row(_ identity: RowIdentity) -> Row? { rows.object(identity) }

  /// The same where it was read, or read again, in the last so many seconds.
  package func row(_ identity: RowIdentity, youngerThan seconds: Double) -> Row? {
    guard let row = rows.object(identity) else { return nil }
    return writes.withLock { writes in writes.clock.age(of: row.confirmedAt) < seconds ? row : nil }
  }

  /// Puts the clock forward by which rows grow stale.
  package func advanceClock(by seconds: Double) {
    precondition(seconds >= 0, "a clock goes forward")
    writes.withLock { $0.clock.offset += seconds }
  }

  // MARK: Reading

  /// Runs a read of the store; `body` gets its start, for ``publish(_:readAt:)``.
  package func reading<Result>(_ body: (_ start: ReadStart) throws -> Result) rethrows -> Result {
    let start = writes.withLock { writes in
      writes.activeReads += 1
      writes.reads &+= 1
      return ReadStart(commit: writes.commit, number: writes.reads, time: writes.clock.now)
    }
    defer {
      writes.withLock { writes in
        writes.activeReads -= 1
        if writes.activeReads == 0, !writes.recent.isEmpty { writes.recent.removeAll() }
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
    guard let start else {
      if let listed = rows.object(row.identity), listed.version == row.version { return listed }
      return row
    }
    // A replaced row is released after the lock.
    let listing = writes.withLock { writes in
      rows.edit { entries in list(row, start, comparing: comparing, &writes, &entries) }
    }
    if case .other(let listed) = listing { return listed }
    return row
  }

  /// Lists rows that one read came with, from that place on; listed ones of the same version take their places. A newer one
  /// does not: rows of one read are of one state.
  package func publish(_ read: inout [Row], from first: Int, readAt start: ReadStart) {
    guard first < read.count else { return }
    for _ in read[first...] { StoreCheckpoints.afterRead.reach("reader") }
    var replaced: ContiguousArray<Row> = []
    writes.withLock { writes in
      rows.edit { entries in
        entries.reserve(read.count - first)
        for index in first..<read.count {
          let listing = Unmanaged.passUnretained(read[index])._withUnsafeGuaranteedRef { row in
            row.freeze()
            return list(row, start, comparing: false, &writes, &entries)
          }
          switch listing {
          case .own: break
          case .replacing(let old): replaced.append(old)
          // One that is not used has no cache, and so may go here.
          case .other(let listed): if listed.version == read[index].version { read[index] = listed }
          }
        }
      }
    }
  }

  /// The outcome of listing a row that was read.
  private enum Listing {
    /// It is the one to use.
    case own
    /// It is the one to use, in the place of that one.
    case replacing(Row)
    /// The listed row is to be used.
    case other(Row)
  }

  /// Lists a row that was read, unless the listed one is as new; under both locks, where the row it replaced must not be
  /// released.
  ///
  /// Two reads at one time may end in another order than that of their snapshots. But a version other than that of a row listed
  /// before the read began is newer: also one that went back, of a row that was deleted and inserted again.
  @inline(__always)
  private func list(
    _ row: Row, _ start: ReadStart, comparing: Bool, _ writes: inout Writes, _ entries: inout WeakTable<Row>.Entries
  ) -> Listing {
    let identity = row.identity
    if writes.isLost { return .own }
    if writes.isOutdated(identity, start) { return leaveUnlisted(row, &entries) }
    if writes.hidden?.note(identity, version: row.version) ?? false { return .own }
    // As a rule none is listed, and one look finds that.
    if entries.set(identity, row, replacing: { _ in false }) {
      note(row, writes.reads, start.time)
      return .own
    }
    let listed = entries.object(identity)
    if let listed {
      // A derived value changes with other rows, and leaves the version as it is.
      let mayDiffer = comparing || row.layoutReference._withUnsafeGuaranteedRef { $0.hasDerived }
      if listed.version == row.version, !mayDiffer || listed.hasValues(of: row) {
        listed.confirmedAt = max(listed.confirmedAt, start.time)
        return .other(listed)
      }
      let isListedFirst = Int32(bitPattern: start.number &- listed.readsBefore) > 0
      if listed.version > row.version, !isListedFirst { return .other(listed) }
      replacements.record(identity)
      if listed.version == row.version, !isListedFirst {
        // One version, two values, and neither is known to be the newer: the next look-up goes to the store.
        entries.remove(identity)
        return .replacing(listed)
      }
    }
    note(row, writes.reads, start.time)
    entries.set(identity, row)
    return listed.map { .replacing($0) } ?? .own
  }

  /// A row that may be older than the store's. A listed one of a lower version is so for certain: the next look-up goes to the
  /// store.
  private func leaveUnlisted(_ row: Row, _ entries: inout WeakTable<Row>.Entries) -> Listing {
    guard let listed = entries.object(row.identity), listed.version < row.version else { return .own }
    replacements.record(row.identity)
    entries.remove(row.identity)
    return .replacing(listed)
  }

  /// Prepares a row that is about to be listed; no other thread has it yet.
  @inline(__always)
  private func note(_ row: Row, _ readsBefore: UInt32, _ time: CacheTime) {
    row.withUnsafeMutablePointerToHeader { header in
      header.pointee.cache = self
      header.pointee.readsBefore = readsBefore
      header.pointee.confirmedAt = time
      header.pointee.listedAt = replacements[header.pointee.identity]
    }
  }

  /// Notes that a read found no row under that identity; the next look-up goes to the store.
  package func recordMissing(_ identity: RowIdentity, readAt start: ReadStart?) {
    guard let start else { return }
    writes.withLock { writes in
      let isHidden = !writes.isOutdated(identity, start) && writes.hidden?.recordMissing(identity) ?? false
      if isHidden { return }
      replacements.record(identity)
      rows.remove(identity)
    }
  }

  /// Empties the cache, as the file is another store's: its rows are none of this store.
  package func lose() {
    writes.withLock { writes in
      writes.isLost = true
      replacements.recordAll()
      rows.removeAll()
    }
  }

  /// Removes rows that may be older than the store's: the next look-up goes to the store.
  package func drop(_ keys: [Int64], root: EntityLayout) {
    let identities = keys.map { RowIdentity(key: $0, layout: root) }
    writes.withLock { writes in
      writes.recordCommit(identities)
      replacements.record(identities)
      rows.edit { rows in for identity in identities { rows.remove(identity) } }
    }
  }

  // MARK: Writing

  /// Removes the rows that a commit is about to replace or delete: from the moment it is in the file until it is published, or
  /// taken back, look-ups of them go to the store. One commit at a time.
  ///
  /// - Parameter plan: inserts the rows that the commit makes; they are not listed yet.
  /// - Complexity: O(*n*) for *n* replaced rows.
  package func hide(_ replaced: ContiguousArray<RowIdentity>, inserted plan: SavePlan? = nil) {
    writes.withLock { writes in
      precondition(writes.hidden == nil, "a commit ends before the next one begins")
      writes.hidden = HiddenRows(replaced, inserted: plan)
      guard !replaced.isEmpty else { return }
      writes.recordCommit(replaced)
      replacements.record(replaced)
      rows.edit { rows in for identity in replaced { rows.remove(identity) } }
    }
  }

  /// Notes rows written by another coordinator: reads under way may come with older ones, which are not to be listed.
  package func recordForeignWrites(_ keys: some Sequence<Int64>, root: EntityLayout) {
    writes.withLock { $0.recordCommit(keys.lazy.map { RowIdentity(key: $0, layout: root) }) }
  }

  /// Ends the hiding of rows for a commit that did not happen.
  package func unhide() { writes.withLock { $0.hidden = nil } }

  /// Lists the rows that a commit wrote and removes those that it deleted; in the order of this coordinator's commits.
  ///
  /// Another coordinator may have written a newer row since the commit, which may have been read: that one stays.
  /// - Parameter reinserted: those of the written rows that had been deleted before.
  package func commit(
    inserted: ContiguousArray<SavedRow>, updated: ContiguousArray<SavedRow>, deleted: ContiguousArray<SavedRow>,
    reinserted: [RowIdentity]
  ) {
    writes.withLock { writes in
      writes.reinserted.formUnion(reinserted)
      writes.recordCommit([inserted, updated, deleted].joined().lazy.map(\.identity))
      let listing = (writes.reads, writes.clock.now)
      let hidden = writes.hidden
      writes.hidden = nil
      for list in [updated, deleted] { replacements.record(list.lazy.map(\.identity)) }
      replacements.record(reinserted)
      rows.edit { rows in
        rows.reserve(inserted.count)
        for list in [inserted, updated] {
          list.withUnsafeBufferPointer { list in
            for place in list.indices {
              let entry = list.baseAddress! + place
              if place + Int(CONTEXTBENCH_PREFETCH_DISTANCE) < list.count,
                let ahead = entry[Int(CONTEXTBENCH_PREFETCH_DISTANCE)].row.map(Unmanaged.passUnretained)
              {
                contextbench_prefetch(ahead.toOpaque(), 2)
              }
              self.list(entry, listing, hidden, &rows)
            }
          }
        }
        deleted.forEachInPlace { rows.remove($0.pointee.identity) }
      }
    }
  }

  /// Removes the rows that a batch request deleted or wrote over: the next look-up goes to the store. Rows that a batch update
  /// gave a newer version stay listed in the old one, as rows do that another coordinator has written.
  package func commit(_ changes: BatchChanges) {
    writes.withLock { writes in
      writes.hidden = nil
      writes.recordCommit(changes.superseded)
      guard !changes.rows.isEmpty else { return }
      writes.recordCommit(changes.rows)
      replacements.record(changes.rows)
      rows.edit { rows in
        for identity in changes.rows { rows.remove(identity) }
      }
    }
  }

  /// Whether a row was once deleted and inserted again, so that an old notification of its deletion may come late.
  package func wasReinserted(_ identity: RowIdentity) -> Bool { writes.withLock { $0.reinserted.contains(identity) } }

  @inline(__always)
  private func list(
    _ entry: UnsafePointer<SavedRow>, _ listing: (reads: UInt32, now: CacheTime), _ hidden: HiddenRows?,
    _ rows: inout WeakTable<Row>.Entries
  ) {
    guard let reference = entry.pointee.row.map(Unmanaged.passUnretained) else { return }
    reference._withUnsafeGuaranteedRef { row in
      let (identity, version) = (entry.pointee.identity, row.version)
      if let hidden, !hidden.isNewest(identity, version: version) { return }
      note(row, listing.reads, listing.now)
      if !rows.set(identity, row, replacing: { $0.version <= version }) { row.cache = nil }
    }
  }

  /// Forgets a row that goes; called by its deinitialiser.
  package func forget(_ row: Row, _ identity: RowIdentity) { rows.remove(identity, ifItIs: row) }
}

/// The rows that a batch request wrote over, as far as the row cache has to know.
package struct BatchChanges {
  /// Rows that existed before, and are changed or gone: the next look-up goes to the store.
  package private(set) var rows: [RowIdentity] = []
  /// Rows that have a newer version, and of which the cache answers with the old one until someone has read the new one.
  package private(set) var superseded: [RowIdentity] = []

  package mutating func note(_ identity: RowIdentity) { rows.append(identity) }

  package mutating func noteUpdate(_ identity: RowIdentity) { superseded.append(identity) }
}
