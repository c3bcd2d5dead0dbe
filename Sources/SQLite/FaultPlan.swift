import CSQLite

/// Steps of a connection that fail although SQLite would have carried them out: for tests of error handling.
///
/// A step is one call of ``Statement/step()`` or ``Connection/execute(_:)``; a rollback is none. Not thread-safe: it is
/// used as its connection is.
package final class FaultPlan {
  /// The state of the transaction after a step that fails so.
  package enum Transaction: Sendable, CaseIterable {
    /// Only the statement is undone.
    case staysOpen
    /// All is taken back at once, as after an I/O error or on a full disk.
    case isRolledBack
  }

  /// How a step fails.
  package struct Failure: Sendable {
    package var code: ResultCode
    package var transaction: Transaction

    package init(_ code: ResultCode, transaction: Transaction = .staysOpen) {
      self.code = code
      self.transaction = transaction
    }
  }

  private let failing: Int
  /// Says of each step's SQL whether it fails; nil for plans that know their step beforehand.
  private let decide: ((String) -> Failure?)?
  private let failingSQL: String?
  private let code: ResultCode
  private let transaction: Transaction
  /// Steps since the plan was made.
  package private(set) var steps = 0
  /// The SQL of the step that failed; nil before.
  package private(set) var failed: String?

  /// Lets the step of that number fail, counted from 1; with 0 the plan only counts.
  package init(failing: Int = 0, with code: ResultCode = .inputOutput, transaction: Transaction = .staysOpen) {
    precondition(failing >= 0, "steps count from 1, and 0 fails none")
    self.failing = failing
    failingSQL = nil
    decide = nil
    self.code = code
    self.transaction = transaction
  }

  /// Lets the first step with that SQL fail.
  package init(
    failing sql: String, with code: ResultCode = .inputOutput, transaction: Transaction = .staysOpen
  ) {
    failing = 0
    failingSQL = sql
    decide = nil
    self.code = code
    self.transaction = transaction
  }

  /// Decides for every step, by its SQL, whether and how it fails.
  package init(deciding decide: @escaping (_ sql: String) -> Failure?) {
    failing = 0
    failingSQL = nil
    self.decide = decide
    code = .ok
    transaction = .staysOpen
  }

  /// Counts a step.
  ///
  /// - Throws: the error of the step that is to fail.
  func pass(_ sql: @autoclosure () -> String, on database: OpaquePointer) throws {
    guard !sql().hasPrefix("ROLLBACK") else { return }
    steps += 1
    if let decide {
      let sql = sql()
      if let failure = decide(sql) { try fail(failure, sql, on: database) }
      return
    }
    guard steps == failing || failed == nil && failingSQL == sql() else { return }
    try fail(Failure(code, transaction: transaction), sql(), on: database)
  }

  private func fail(_ failure: Failure, _ sql: String, on database: OpaquePointer) throws {
    failed = sql
    if failure.transaction == .isRolledBack { sqlite3_exec(database, "ROLLBACK", nil, nil, nil) }
    throw SQLiteError(code: failure.code, message: "\(failure.code), injected by a test", sql: sql)
  }
}
