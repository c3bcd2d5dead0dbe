import CSQLite
import Synchronization

/// The moments at which a read takes one more snapshot than it should need, where the program wants to know of them, as a
/// simulation does: others may write in between.
package enum ReadStart {
  private static let isWatched = Atomic<Bool>(false)
  // Written once, before the flag is raised.
  nonisolated(unsafe) private static var handler: (@Sendable () -> Void)?

  /// Calls `handler` before each statement within ``Connection/reading(_:)`` that begins outside of a transaction, but the first;
  /// for connections that are opened from now on. Once a process, before the first connection.
  package static func watch(_ handler: @escaping @Sendable () -> Void) {
    precondition(self.handler == nil, "starts of reads are watched once")
    self.handler = handler
    isWatched.store(true, ordering: .releasing)
  }

  /// Watches a connection's statements, if the program wants that.
  static func watch(_ database: DatabaseHandle) {
    guard isWatched.load(ordering: .relaxed) else { return }
    sqlite3_trace_v2(
      database.pointer, UInt32(SQLITE_TRACE_STMT) | WorkCounts.events,
      { event, database, statement, _ in
        let database = Unmanaged<DatabaseHandle>.fromOpaque(database!).takeUnretainedValue()
        WorkCounts.note(event, of: OpaquePointer(statement), on: database)
        guard event == UInt32(SQLITE_TRACE_STMT) else { return 0 }
        // With a transaction there is a snapshot; a statement that writes has steps of its own.
        guard let starts = database.readStarts, sqlite3_get_autocommit(database.pointer) != 0,
          sqlite3_column_count(OpaquePointer(statement)) > 0,
          sqlite3_stmt_readonly(OpaquePointer(statement)) != 0,
          sqlite3_txn_state(database.pointer, "main") == SQLITE_TXN_NONE
        else { return 0 }
        database.readStarts = starts + 1
        if starts > 0 { ReadStart.handler?() }
        return 0
      }, Unmanaged.passUnretained(database).toOpaque())
  }
}
