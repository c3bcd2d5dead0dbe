import CSQLite

/// Keeps the write-ahead log of one connection's database short: after each commit of the connection the log goes to the file,
/// as far as readers let it, and above a size the log begins anew.
///
/// Readers that overlap each other may leave no moment without a reader that needs the log; it would grow for ever. So above
/// ``restartPages`` a commit waits a little for readers, during which new ones read the file alone; where one reads for
/// longer, the next try comes when the log has grown by as much again. The pragma `wal_autocheckpoint` takes the place of
/// all this.
/// - SeeAlso: SQLite, "Write-Ahead Logging", section 6.
final class WriteAheadLog {
  /// A commit that leaves so many pages in the log moves them to the file; SQLite's own default.
  private static let checkpointPages: Int32 = 1_000
  /// A log of so many pages is to begin anew: 16 MB of pages of 4 KB.
  private static let restartPages: Int32 = 4_000
  /// How long a commit waits for readers then, at most.
  private static let restartMilliseconds: Int32 = 100

  /// How long the connection's statements wait for a lock.
  var busyTimeoutMilliseconds: Int32 = 0
  private var nextRestart = restartPages

  /// - Precondition: this object lives as long as the connection.
  func watch(_ database: OpaquePointer) {
    sqlite3_wal_hook(
      database,
      { log, database, name, pages in
        guard let log, let database, pages >= WriteAheadLog.checkpointPages else { return SQLITE_OK }
        Unmanaged<WriteAheadLog>.fromOpaque(log).takeUnretainedValue().checkpoint(database, name, pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func checkpoint(_ database: OpaquePointer, _ name: UnsafePointer<CChar>?, _ pages: Int32) {
    precondition(pages >= Self.checkpointPages, "a log is checkpointed once it is long")
    if pages < Self.restartPages { nextRestart = Self.restartPages }
    guard pages >= nextRestart else {
      sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      return
    }
    BusyWait.setLimit(min(busyTimeoutMilliseconds, Self.restartMilliseconds), of: database)
    defer { BusyWait.setLimit(busyTimeoutMilliseconds, of: database) }
    let code = sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_RESTART, nil, nil)
    nextRestart = code == SQLITE_OK ? Self.restartPages : pages + Self.restartPages
  }
}
