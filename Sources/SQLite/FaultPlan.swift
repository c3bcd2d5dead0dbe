import CSQLite

/// A step of a connection that fails although SQLite would have carried it out: for tests of what follows.
///
/// A step is one call of ``Statement/step()`` or ``Connection/execute(_:)``; a rollback is none. Not thread-safe: it is
/// used as its connection is.
package final class FaultPlan {
  /// What SQLite does to the transaction when a step fails so.
  package enum Transaction: Sendable, CaseIterable {
    /// Only the statement is undone.
    case staysOpen
    /// All is taken back at once, as after an I/O error or on a full disk.
    case isRolledBack
  }

  private let failing: Int
  private let failingSQL: String?
  private let code: ResultCode
  private let transaction: Transaction
  /// Steps since the plan was made.
  package private(set) var steps = 0
  /// The SQL of the step that failed; nil before.
  package private(set) var failed: String?

  /// Lets the step of that number fail, counted from 1; with 0 the plan only counts.
  package init(failing: Int = 0, with code: ResultCode = .inputOutput, transaction: Transaction = .staysOpen) {
    self.failing = failing
    failingSQL = nil
    self.code = code
    self.transaction = transaction
  }

  /// Lets the first step with that SQL fail.
  package init(
    failing sql: String, with code: ResultCode = .inputOutput, transaction: Transaction = .staysOpen
  ) {
    failing = 0
    failingSQL = sql
    self.code = code
    self.transaction = transaction
  }

  /// Counts a step.
  ///
  /// - Throws: the error of the step that is to fail.
  func pass(_ sql: @autoclosure () -> String, on database: OpaquePointer) throws {
    guard !sql().hasPrefix("ROLLBACK") else { return }
    steps += 1
    guard steps == failing || failed == nil && failingSQL == sql() else { return }
    failed = sql()
    if transaction == .isRolledBack { sqlite3_exec(database, "ROLLBACK", nil, nil, nil) }
    throw SQLiteError(code: code, message: "\(code), as a test wants it", sql: sql())
  }
}
