import Scheduling

/// The rows of one store that somebody still holds, newest version each.
///
/// A row lives as long as an object, a save record or a reader has it; the cache only lists it. A read that began before
/// a commit may come with a row that the commit replaced or deleted: such a row is not listed.
final class RowCache: Sendable {
  /// When a read began.
  struct ReadStart {
    /// Commits before it.
    fileprivate let commit: UInt64
    /// Reads before it, modulo 2³².
    fileprivate let number: UInt32
    /// By the cache's clock.
    fileprivate let time: Double
  }

  private struct Writes {
    /// Commits so far.
    var commit: UInt64 = 0
    /// Reads so far, modulo 2³².
    var reads: UInt32 = 0
    var activeReads = 0
    /// What was written while reads were under way, with the commit; emptied when none is.
    var recent: [RowIdentity: UInt64] = [:]
    /// Rows inserted under a key that a deleted row had.
    var reinserted: Set<RowIdentity> = []
    /// The highest version that a deleted row had, by the number of its root entity.
    var highestDeleted: [Int: Int64] = [:]
    /// Seconds by which tests have put the clock forward.
    var clockOffset = 0.0

    /// Seconds on a clock that never goes back.
    var now: Double { ProcessInfo.processInfo.systemUptime + clockOffset }

    mutating func noteDeleted(_ row: Row) {
      highestDeleted[row.layout.rootNumber] = max(highestDeleted[row.layout.rootNumber] ?? 0, row.version)
    }
  }

  /// Keeps the model, and so the layouts of the rows, alive.
  let identity: StoreIdentity
  private let rows = WeakTable<Row>()
  private let writes = Locked(Writes())

  init(identity: StoreIdentity) { self.identity = identity }

  /// The newest row under that identity, if somebody holds it.
  func row(_ identity: RowIdentity) -> Row? { rows.object(identity) }

  /// The same where it was read, or read again, in the last so many seconds.
  func row(_ identity: RowIdentity, youngerThan seconds: Double) -> Row? {
    guard let row = rows.object(identity) else { return nil }
    return writes.withLock { writes in writes.now - row.confirmedAt < seconds ? row : nil }
  }

  /// Puts the clock forward by which rows grow stale.
  func advanceClock(by seconds: Double) { writes.withLock { $0.clockOffset += seconds } }

  // MARK: Reading

  /// Runs a read of the store; `body` gets what ``publish(_:readAt:)`` wants to know.
  func reading<Result>(_ body: (_ start: ReadStart) throws -> Result) rethrows -> Result {
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
  func publish(_ row: Row, readAt start: ReadStart?, comparing: Bool = false) -> Row {
    row.freeze()
    let identity = row.identity
    guard let start else {
      if let listed = rows.object(identity), listed.version == row.version { return listed }
      return row
    }
    return writes.withLock { writes in
      if writes.commit != start.commit, let commit = writes.recent[identity], commit > start.commit { return row }
      row.cache = self
      row.readsBefore = writes.reads
      row.confirmedAt = start.time
      let listed = rows.set(identity, row) { listed in
        if listed.version == row.version { return !comparing || listed.hasValues(of: row) }
        guard listed.version > row.version else { return false }
        // Two reads at one time may end in another order than that of their snapshots; but a version that goes back in
        // a read that began after the listed one came is a row that was deleted and inserted again.
        return Int32(bitPattern: start.number &- listed.readsBefore) <= 0
      }
      if listed !== row {
        row.cache = nil
        if listed.version == row.version { listed.confirmedAt = max(listed.confirmedAt, start.time) }
      }
      return listed
    }
  }

  /// A read found no row under that identity; whoever looks for it asks the store again.
  func noteMissing(_ identity: RowIdentity, readAt start: ReadStart?) {
    guard let start else { return }
    writes.withLock { writes in
      if writes.commit != start.commit, let commit = writes.recent[identity], commit > start.commit { return }
      if let row = rows.object(identity) { writes.noteDeleted(row) }
      rows.remove(identity)
    }
  }

  /// Takes out rows that may be older than the store's: whoever looks for them asks the store again.
  func drop(_ keys: [Int64], root: EntityLayout) {
    let identities = keys.map { RowIdentity(key: $0, layout: root) }
    writes.withLock { writes in
      writes.commit += 1
      // A read that is under way may still come with the older row.
      if writes.activeReads > 0 { for identity in identities { writes.recent[identity] = writes.commit } }
      rows.edit { rows in for identity in identities { rows.remove(identity) } }
    }
  }

  // MARK: Writing

  /// A row is about to be deleted.
  func noteDeleted(_ row: Row) { writes.withLock { $0.noteDeleted(row) } }

  /// The highest version that any deleted row of a hierarchy is known to have had; 0 where none was deleted.
  func highestDeleted(root: Int) -> Int64 { writes.withLock { $0.highestDeleted[root] ?? 0 } }

  /// The version an inserted row gets: a row that was deleted and comes back under its key goes on above every version
  /// that somebody may have read of it, so that whoever still has one finds it changed.
  @inline(__always)
  func insertVersion(_ object: NSManagedObject) -> Int64 {
    let last = object.lastVersion
    return last == 0 ? 1 : max(last, highestDeleted(root: Int(object.rootNumber))) + 1
  }

  /// Lists what a commit wrote and takes out what it deleted; in commit order.
  ///
  /// - Parameter reinserted: those of the written rows that had been deleted before.
  func commit(_ record: SaveRecord, reinserted: [RowIdentity]) {
    writes.withLock { writes in
      writes.reinserted.formUnion(reinserted)
      writes.commit += 1
      if writes.activeReads > 0 {
        for entry in record.inserted + record.updated + record.deleted {
          writes.recent[entry.identity] = writes.commit
        }
      }
      let listing = (writes.reads, writes.now)
      rows.edit { rows in
        for entry in record.inserted { list(entry, listing, &rows) }
        for entry in record.updated { list(entry, listing, &rows) }
        for entry in record.deleted { rows.remove(entry.identity) }
      }
    }
  }

  /// Takes out what a batch request changed or deleted: whoever looks for it asks the store again.
  func commit(_ changes: BatchChanges) {
    guard !changes.rows.isEmpty else { return }
    writes.withLock { writes in
      writes.commit += 1
      if writes.activeReads > 0 {
        for identity in changes.rows { writes.recent[identity] = writes.commit }
      }
      for (root, version) in changes.deletedVersions {
        writes.highestDeleted[root] = max(writes.highestDeleted[root] ?? 0, version)
      }
      rows.edit { rows in
        for identity in changes.rows { rows.remove(identity) }
      }
    }
  }

  /// Whether a row was once deleted and inserted again, so that an old notification of its deletion may come late.
  func wasReinserted(_ identity: RowIdentity) -> Bool { writes.withLock { $0.reinserted.contains(identity) } }

  @inline(__always)
  private func list(
    _ entry: SaveRecord.Entry, _ listing: (reads: UInt32, now: Double), _ rows: inout WeakTable<Row>.Entries
  ) {
    guard let row = entry.row else { return }
    row.cache = self
    row.readsBefore = listing.reads
    row.confirmedAt = listing.now
    rows.set(entry.identity, row)
  }

  /// A row goes; called by its deinitialiser.
  func forget(_ row: Row, _ header: RowHeader) { rows.remove(header.identity, ifItIs: row) }
}
