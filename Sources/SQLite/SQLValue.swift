import CSQLite

/// One value as SQLite has it.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// A copy of a function's argument; ill-formed UTF-8 is repaired.
  init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // The text first: its length is that of the form last asked for.
      let text = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(sqlite3_value_bytes(value)))
      self = .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
      self = .blob([UInt8](bytes))
    default: self = .null
    }
  }

  /// Gives the value to SQLite as a function's result; NaN is NULL, since SQLite has no NaN.
  func become(resultOf context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var text):
      text.withUTF8 { bytes in
        guard let count = Int32(exactly: bytes.count) else { return sqlite3_result_error_toobig(context) }
        // An empty text has no address, which would make it NULL.
        guard count > 0 else { return csqlite_result_text_copying(context, "", 0) }
        bytes.withMemoryRebound(to: CChar.self) { csqlite_result_text_copying(context, $0.baseAddress, count) }
      }
    case .blob(let blob):
      blob.withUnsafeBytes { bytes in
        guard let count = Int32(exactly: bytes.count) else { return sqlite3_result_error_toobig(context) }
        guard count > 0 else { return sqlite3_result_zeroblob(context, 0) }
        csqlite_result_blob_copying(context, bytes.baseAddress, count)
      }
    }
  }
}

/// The arguments of a call of a function; valid during the call.
package struct SQLArguments {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  package let count: Int

  init(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    self.values = values
    self.count = values == nil ? 0 : max(0, Int(count))
  }

  /// A copy of the argument at that position, from 0; NULL beyond the last.
  package subscript(position: Int) -> SQLValue {
    guard let values, position >= 0, position < count else { return .null }
    return SQLValue(values[position])
  }

  /// Whether the argument is NULL, without a copy of it.
  package func isNull(at position: Int) -> Bool {
    guard let values, position >= 0, position < count else { return true }
    return sqlite3_value_type(values[position]) == SQLITE_NULL
  }
}
