import CSQLite

/// One compiled statement; parameters count from 1, columns from 0.
package final class Statement: ColumnValues {
  private let handle: OpaquePointer
  /// Retained in place of the connection, which has statements in its cache.
  private let database: DatabaseHandle
  /// The connection's owner that the statement is of.
  private let generation: Int
  private let arena = BindingArena()
  /// The first value refused since the last reset.
  @exclusivity(unchecked)
  private var refusedBinding: SQLiteError?

  /// Where the statement goes when its user has finished with it; nil where it is not kept.
  private let kept: KeptStatements?

  init(handle: OpaquePointer, database: DatabaseHandle, _ kept: KeptStatements?) {
    self.handle = handle
    self.database = database
    self.kept = kept
    kept?.used.append(handle)
    generation = database.generation
  }

  deinit {
    if !isClosed { database.finish(handle, of: kept) }
  }

  /// Whether the statement went with its connection.
  @inline(__always)
  private var isClosed: Bool { database.generation != generation }

  /// The SQL as compiled.
  package var sql: String { String(cString: sqlite3_sql(handle)) }

  // MARK: Binding

  // A value that SQLite refuses (no such parameter, a statement in mid-run, too long) fails the next step, so that
  // it is never silently NULL.

  package func bind(_ value: Int64, at index: Int32) { note(sqlite3_bind_int64(handle, index, value), at: index) }

  /// Binds a number; NaN becomes NULL, since SQLite has no NaN.
  package func bind(_ value: Double, at index: Int32) { note(sqlite3_bind_double(handle, index, value), at: index) }

  package func bindNull(at index: Int32) { note(sqlite3_bind_null(handle, index), at: index) }

  /// Binds a copy of the text that lives until ``reset()``.
  package func bind(_ text: borrowing String, at index: Int32) {
    // Texts of Swift are contiguous; one that is not is made so first.
    let isBound: Void? = text.utf8.withContiguousStorageIfAvailable { bind(utf8: $0, at: index) }
    if isBound == nil {
      var contiguous = copy text
      contiguous.withUTF8 { bind(utf8: $0, at: index) }
    }
  }

  private func bind(utf8 bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
    let code =
      if let copy = arena.copy(UnsafeRawBufferPointer(bytes)) {
        csqlite_bind_text_borrowing(handle, index, copy.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      } else {
        bytes.withMemoryRebound(to: CChar.self) { characters in
          csqlite_bind_text_copying(handle, index, characters.baseAddress, Int32(bytes.count))
        }
      }
    note(code, at: index)
  }

  /// Binds a copy of the bytes; an empty buffer is an empty blob, not NULL.
  package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    if bytes.isEmpty {
      note(sqlite3_bind_zeroblob(handle, index, 0), at: index)
    } else {
      note(csqlite_bind_blob_copying(handle, index, bytes.baseAddress, Int32(bytes.count)), at: index)
    }
  }

  @inline(__always)
  private func note(_ code: Int32, at index: Int32) {
    if code != SQLITE_OK { refuse(code, at: index) }
  }

  @inline(never)
  private func refuse(_ code: Int32, at index: Int32) {
    guard refusedBinding == nil else { return }
    let code = ResultCode(rawValue: code)
    refusedBinding = SQLiteError(code: code, message: "parameter \(index) cannot be bound: \(code)", sql: sql)
  }

  // MARK: Running

  /// Goes to the next row; false at the end.
  ///
  /// - Throws: `SQLiteError`, also for a value bound since the last reset that SQLite refused.
  package func step() throws -> Bool {
    if let refusedBinding { throw refusedBinding }
    guard !isClosed else { throw SQLiteError(code: .misuse, message: "the connection is closed") }
    try database.pass(sql)
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.error(code, sql: sql)
    }
  }

  /// Runs a statement that gives no rows to its end and resets it.
  package func run() throws {
    defer { reset() }
    _ = try step()
  }

  /// Makes the statement ready to run again; bound values stay, but texts must be bound anew before the next step.
  package func reset() {
    if !isClosed { sqlite3_reset(handle) }
    arena.reset()
    if refusedBinding != nil { refusedBinding = nil }
  }

  /// Resets, and makes every parameter NULL.
  func resetAndUnbind() {
    precondition(!database.isClosed, "a statement that is used again has an open connection")
    reset()
    sqlite3_clear_bindings(handle)
  }

  // MARK: Columns

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  package func columnName(at index: Int32) -> String {
    precondition(0..<columnCount ~= Int(index), "a column's name is asked for by its index")
    return String(cString: sqlite3_column_name(handle, index))
  }

  package func isNull(at index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  package func int64(at index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  package func double(at index: Int32) -> Double { sqlite3_column_double(handle, index) }

  package func text(at index: Int32) -> String? { Self.text(of: sqlite3_column_value(handle, index)) }

  /// Until the next step or reset.
  package func withBytes<Result>(
    at index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try Self.withBytes(of: sqlite3_column_value(handle, index), body)
  }

  // No mutex protects a value that is looked at: one thread at a time uses a connection.

  @inline(__always)
  static func text(of value: OpaquePointer?) -> String? {
    guard let text = sqlite3_value_text(value) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  static func withBytes<Result>(
    of value: OpaquePointer?, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let bytes = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// A copy of the column's bytes; empty for NULL.
  package func bytes(at index: Int32) -> [UInt8] { withBytes(at: index) { [UInt8]($0) } }

  package func storage(at index: Int32) -> ColumnStorage { ColumnStorage(sqlite3_column_type(handle, index)) }
}

/// How SQLite stores a value.
package enum ColumnStorage: Sendable {
  case null, integer, real, text, blob

  /// - Parameter type: one of SQLite's numbers.
  @inline(__always)
  init(_ type: Int32) {
    switch type {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}
