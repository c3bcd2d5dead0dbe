/// The values of one row that a statement selects; columns count from 0.
package protocol ColumnValues {
  /// The SQL of the statement, for errors about a row that makes no sense.
  var sql: String { get }

  func isNull(at index: Int32) -> Bool

  /// SQLite's storage class of the column.
  func storage(at index: Int32) -> ColumnStorage

  func int64(at index: Int32) -> Int64

  func double(at index: Int32) -> Double

  /// The column as text; ill-formed UTF-8 is repaired; nil for NULL.
  func text(at index: Int32) -> String?

  /// The column's bytes, valid during the call.
  func withBytes<Result>(at index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension ColumnValues {
  /// The column as text; ill-formed UTF-8 is repaired; "" for NULL.
  @inline(__always)
  package func string(at index: Int32) -> String { text(at: index) ?? "" }
}
