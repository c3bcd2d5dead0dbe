import CSQLite

extension Connection {
  /// An aggregate function of the columns of a row; see ``collect(_:bind:_:)``.
  package static let collector = "collect_row"

  /// How many columns a row can have that is collected; any number where ``collect(_:bind:_:)`` fails, the connection being
  /// closed.
  package var collectedColumnsMax: Int {
    database.isClosed ? .max : Int(sqlite3_limit(database.pointer, SQLITE_LIMIT_FUNCTION_ARG, -1))
  }

  /// Runs `SELECT collect_row(column, …) FROM …`, and calls `body` with each row, without a step for each or a call that
  /// looks a column up. The rows come in no order.
  ///
  /// - Precondition: `sql` has no DISTINCT, GROUP BY, ORDER BY or LIMIT, which would be about the one row that it gives.
  /// - Parameters:
  ///   - bind: binds the parameters.
  ///   - body: false where no more rows are wanted.
  /// - Returns: whether all rows came.
  package func collect(
    _ sql: String, bind: (Statement) -> Void, _ body: (CollectedRow) throws -> Bool
  ) throws -> Bool {
    try requireOpen(sql)
    let collector = try database.rowCollector()
    let statement = try cached(sql)
    bind(statement)
    return try withoutActuallyEscaping(body) { body in
      let receiver = RowReceiver(statement, body)
      let outer = collector.receiver
      collector.receiver = .passUnretained(receiver)
      defer { withExtendedLifetime(receiver) { collector.receiver = outer } }
      do {
        try statement.run()
        return true
      } catch {
        if let failure = receiver.failure { throw failure }
        if receiver.isStopped { return false }
        throw error
      }
    }
  }
}

/// A row that is handed over, as long as the call.
package struct CollectedRow: ColumnValues {
  let values: UnsafeMutablePointer<OpaquePointer?>
  fileprivate let statement: Unmanaged<Statement>

  package var sql: String { statement._withUnsafeGuaranteedRef { $0.sql } }

  @inline(__always)
  package func isNull(at index: Int32) -> Bool { sqlite3_value_type(values[Int(index)]) == SQLITE_NULL }

  @inline(__always)
  package func storage(at index: Int32) -> ColumnStorage { ColumnStorage(sqlite3_value_type(values[Int(index)])) }

  @inline(__always)
  package func int64(at index: Int32) -> Int64 { sqlite3_value_int64(values[Int(index)]) }

  @inline(__always)
  package func double(at index: Int32) -> Double { sqlite3_value_double(values[Int(index)]) }

  @inline(__always)
  package func text(at index: Int32) -> String? { Statement.text(of: values[Int(index)]) }

  /// How many bytes the column has as text in UTF-8; 0 for NULL.
  @inline(__always)
  package func textCount(at index: Int32) -> Int { Int(sqlite3_value_bytes(values[Int(index)])) }

  /// The column as text in UTF-8, as long as the row; nil for NULL.
  @inline(__always)
  package func utf8(at index: Int32) -> UnsafeRawBufferPointer? {
    let value = values[Int(index)]
    guard let text = sqlite3_value_text(value) else { return nil }
    return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
  }

  @inline(__always)
  package func withBytes<Result>(
    at index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try Statement.withBytes(of: values[Int(index)], body)
  }
}

/// The function's state in SQLite: the receiver of the rows of the statement that runs.
final class RowCollector {
  @exclusivity(unchecked)
  fileprivate final var receiver: Unmanaged<RowReceiver>?
}

private final class RowReceiver {
  private let statement: Unmanaged<Statement>
  private let body: (CollectedRow) throws -> Bool
  private(set) var failure: (any Error)?
  private(set) var isStopped = false

  /// - Parameter statement: lives as long as this.
  init(_ statement: Statement, _ body: @escaping (CollectedRow) throws -> Bool) {
    self.statement = .passUnretained(statement)
    self.body = body
  }

  @inline(__always)
  func take(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
    do {
      if try body(CollectedRow(values: values, statement: statement)) { return true }
    } catch {
      failure = error
    }
    isStopped = true
    return false
  }
}

extension DatabaseHandle {
  /// The function of this connection, made when it is first used.
  fileprivate func rowCollector() throws -> RowCollector {
    if let collector { return collector }
    let new = RowCollector()
    // No schema may call it. Also when it fails, SQLite gives the collector back through the last argument.
    let code = sqlite3_create_function_v2(
      pointer, Connection.collector, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(new).toOpaque(), nil,
      { context, _, values in
        let collector = Unmanaged<RowCollector>.fromOpaque(sqlite3_user_data(context))
        let isTaken = collector._withUnsafeGuaranteedRef { collector in
          collector.receiver?._withUnsafeGuaranteedRef { receiver in values.map { receiver.take($0) } }
        }
        if isTaken != true { sqlite3_result_error(context, "no more rows are wanted", -1) }
      }, { sqlite3_result_null($0) }, { if let data = $0 { Unmanaged<RowCollector>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw error(code, sql: Connection.collector) }
    collector = new
    return new
  }
}
