import CSQLite
import Synchronization

/// How a connection waits for another one's lock where the program decides meanwhile, as a simulation does: SQLite's own way
/// puts the thread to sleep.
package enum BusyWait {
  private static let isReplaced = Atomic<Bool>(false)
  // Written once, before the flag is raised.
  nonisolated(unsafe) private static var replacement: (@Sendable () -> Bool)?

  /// The duration of one wait, by the clock of its replacement.
  package static let microseconds: Int32 = 1_000

  /// Calls `wait` for each wait of connections that are opened from now on; once a process, before the first one.
  ///
  /// - Parameter wait: lets ``microseconds`` pass; false where the calling thread is to sleep in SQLite's own way.
  package static func replace(by wait: @escaping @Sendable () -> Bool) {
    precondition(replacement == nil, "waiting is replaced once, before it is used")
    replacement = wait
    isReplaced.store(true, ordering: .releasing)
  }

  /// Lets the program wait; false where SQLite waits in its own way.
  static func wait() -> Bool { isReplaced.load(ordering: .relaxed) && replacement?() == true }

  /// Sets how long the connection's statements wait for a lock: in SQLite's own way unless it was replaced.
  static func setLimit(_ milliseconds: Int32, of connection: OpaquePointer) {
    guard isReplaced.load(ordering: .relaxed) else {
      sqlite3_busy_timeout(connection, milliseconds)
      return
    }
    let triesMax = Int(milliseconds) * 1_000 / Int(microseconds)
    sqlite3_busy_handler(
      connection,
      { triesMax, tries in
        guard Int(tries) < Int(bitPattern: triesMax) else { return 0 }
        if !BusyWait.wait() { sqlite3_sleep(1) }
        return 1
      }, UnsafeMutableRawPointer(bitPattern: triesMax))
  }
}
