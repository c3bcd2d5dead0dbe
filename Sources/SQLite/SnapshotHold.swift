import CSQLite

/// The snapshot of one read, kept for those that follow it: most of the cost of reading a row is the begin and the end of a
/// transaction.
///
/// Before each read ``renew()`` gives the snapshot up if any connection has committed since it was taken, so that no read is
/// answered from an older state than without. Each commit, of whatever process, changes the first bytes of the index of the
/// write-ahead log, which are in shared memory; a transaction that begins looks there, too.
/// - SeeAlso: SQLite, "WAL-mode File Format", section 2.
final class SnapshotHold {
  // The statement that runs is the transaction. Closing the connection finalises it, or keeps it.
  private let statement: OpaquePointer
  /// Where the index is, as long as the connection is open.
  private let index: UnsafeRawPointer
  @exclusivity(unchecked)
  private var taken = csqlite_log_state()
  @exclusivity(unchecked)
  private(set) var isHeld = false
  /// Selects that continue from read to read as long as the snapshot is held, by number.
  @exclusivity(unchecked)
  private var selects: ContiguousArray<KeyedSelect?> = []

  /// Nil for a database that has no index of its log in shared memory.
  init?(_ connection: Connection) throws {
    guard try connection.string("PRAGMA journal_mode") == "wal",
      try connection.string("PRAGMA locking_mode") == "normal"
    else { return nil }
    let database = connection.database.pointer
    let sql = "SELECT rootpage FROM sqlite_schema"
    let kept = connection.database.keptStatements(sql)
    var compiled = kept?.idle.popLast()
    if compiled == nil { sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil) }
    guard let compiled else { return nil }
    kept?.used.append(compiled)
    statement = compiled
    defer { sqlite3_reset(compiled) }
    // Inside of a transaction the index is there.
    guard sqlite3_step(compiled) == SQLITE_ROW, let index = csqlite_log_index(database) else { return nil }
    self.index = index
  }

  /// Takes a snapshot for this read and those to come, unless there is one.
  func acquire() {
    guard !isHeld else { return }
    taken = csqlite_log_state_now(index)
    // A commit in between may be in the snapshot or not: then none is kept.
    isHeld = sqlite3_step(statement) == SQLITE_ROW && csqlite_log_is_still(index, &taken) != 0
    if !isHeld { sqlite3_reset(statement) }
  }

  /// Gives the snapshot up if it is not the newest.
  @inline(__always)
  func renew() {
    if isHeld, csqlite_log_is_still(index, &taken) == 0 { giveUp() }
  }

  /// The statement of that number, as it is since the snapshot was taken.
  @inline(__always)
  func select(_ number: Int, _ make: () throws -> KeyedSelect) rethrows -> KeyedSelect {
    precondition(isHeld, "a statement stays in mid-run in a snapshot that is held")
    if number < selects.count, let select = selects[number] { return select }
    let select = try make()
    while selects.count <= number { selects.append(nil) }
    selects[number] = select
    return select
  }

  func giveUp() {
    guard isHeld else { return }
    for select in selects { select?.end() }
    sqlite3_reset(statement)
    isHeld = false
  }
}
