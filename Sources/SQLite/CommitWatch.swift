import CSQLite

/// Watches the commits of every connection that is opened from now on.
package enum CommitWatch {
  /// Set before there is a connection.
  nonisolated(unsafe) private static var onCommit: ((_ rows: Int) -> Void)?

  /// The rows that a connection has written before.
  private struct Written {
    let database: OpaquePointer?
    var rows = 0
  }

  /// Calls `body` at each commit, on its thread and inside its transaction, with the number of rows that it wrote.
  ///
  /// - Precondition: the process has no connection yet, and one thread; called once.
  package static func begin(_ body: @escaping (_ rows: Int) -> Void) {
    precondition(onCommit == nil, "commits are watched once")
    onCommit = body
    typealias EntryPoint =
      @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) -> Int32
    let watch: EntryPoint = { database, _, _ in
      // Lives as long as the process, as most connections do.
      let written = UnsafeMutablePointer<Written>.allocate(capacity: 1)
      written.initialize(to: Written(database: database))
      sqlite3_commit_hook(
        database,
        { state in
          guard let written = state?.assumingMemoryBound(to: Written.self) else { return 0 }
          let rows = Int(sqlite3_total_changes(written.pointee.database))
          CommitWatch.onCommit?(rows - written.pointee.rows)
          written.pointee.rows = rows
          return 0
        }, written)
      return SQLITE_OK
    }
    // SQLite declares the entry points of extensions as functions without parameters.
    sqlite3_auto_extension(unsafeBitCast(watch, to: (@convention(c) () -> Void).self))
  }
}
