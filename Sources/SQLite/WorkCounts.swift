import CSQLite

/// The work of all connections of this process, where the program has it counted.
///
/// Counted without a lock: one thread at a time has the connections, as in a simulation.
package struct WorkCounts: Sendable {
  /// Statements that were begun, those of triggers among them.
  package private(set) var statements = 0
  /// Steps of SQLite's virtual machine.
  package private(set) var steps = 0
  /// Rows that statements gave.
  package private(set) var rowsRead = 0
  /// Rows that were inserted, updated and deleted.
  package private(set) var rowsWritten = 0

  // Set before the first connection, and changed by the one thread that has the connections.
  nonisolated(unsafe) private static var counts: WorkCounts?

  /// The counts so far; nil where nothing is counted.
  package static var current: WorkCounts? { counts }

  /// Counts from now on, by every connection that is opened later.
  ///
  /// - Precondition: the process has no connection yet; starts of reads are watched: ``ReadStart``.
  package static func begin() {
    precondition(counts == nil, "work is counted from one moment on")
    counts = WorkCounts()
  }

  /// The events of a connection that it takes; none where nothing is counted.
  static var events: UInt32 { counts == nil ? 0 : UInt32(SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE) }

  /// Counts one of those events, or the begin of a statement.
  static func note(_ event: UInt32, of statement: OpaquePointer?, on database: DatabaseHandle) {
    switch Int32(bitPattern: event) {
    case SQLITE_TRACE_STMT: counts?.statements += 1
    case SQLITE_TRACE_ROW: counts?.rowsRead += 1
    default:
      counts?.steps += Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
      let changes = Int(sqlite3_total_changes(database.pointer))
      counts?.rowsWritten += changes - database.countedChanges
      database.countedChanges = changes
    }
  }
}
