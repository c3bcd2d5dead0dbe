import Scheduling

/// The rows of one store that somebody still holds, newest version each.
///
/// A row lives as long as an object, a save record or a reader has it; the cache only lists it. A read that began before
/// a commit may come with a row that the commit replaced or deleted: such a row is not listed.
final class RowCache: Sendable {
  private struct Writes {
    /// Commits so far.
    var commit: UInt64 = 0
    var activeReads = 0
    /// What was written while reads were under way, with the commit; emptied when none is.
    var recent: [RowIdentity: UInt64] = [:]
  }

  /// Keeps the model, and so the layouts of the rows, alive.
  let identity: StoreIdentity
  private let rows = WeakTable<Row>()
  private let writes = Locked(Writes())

  init(identity: StoreIdentity) { self.identity = identity }

  /// The newest row under that identity, if somebody holds it.
  func row(_ identity: RowIdentity) -> Row? { rows.object(identity) }

  // MARK: Reading

  /// Runs a read of the store; `body` gets what ``publish(_:readAt:)`` wants to know.
  func reading<Result>(_ body: (_ start: UInt64) throws -> Result) rethrows -> Result {
    let start = writes.withLock { writes in
      writes.activeReads += 1
      return writes.commit
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
  /// - Parameter start: as ``reading(_:)`` gave it; nil for a row that may be taken back, which is not listed.
  func publish(_ row: Row, readAt start: UInt64?) -> Row {
    row.isFrozen = true
    let identity = row.identity
    guard let start else {
      if let listed = rows.object(identity), listed.version == row.version { return listed }
      return row
    }
    return writes.withLock { writes in
      if writes.commit != start, let commit = writes.recent[identity], commit > start { return row }
      row.cache = self
      let listed = rows.set(identity, row) { $0.version >= row.version }
      if listed !== row { row.cache = nil }
      return listed
    }
  }

  // MARK: Writing

  /// Lists what a commit wrote and takes out what it deleted; in commit order.
  func commit(written: [Row], deleted: [RowIdentity]) {
    writes.withLock { writes in
      writes.commit += 1
      if writes.activeReads > 0 {
        for row in written { writes.recent[row.identity] = writes.commit }
        for identity in deleted { writes.recent[identity] = writes.commit }
      }
      for row in written {
        row.cache = self
        rows.set(row.identity, row)
      }
      for identity in deleted { rows.remove(identity) }
    }
  }

  /// A row goes; called by its deinitialiser.
  func forget(_ row: Row, _ header: RowHeader) {
    rows.remove(RowIdentity(key: header.key, layout: header.layout), ifItIs: row)
  }
}
