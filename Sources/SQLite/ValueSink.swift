/// A place that takes one value of SQLite's: a parameter of a statement, or a column of a fed row.
package protocol ValueSink {
  func setNull()
  func set(_ value: Int64)
  /// Sets a number; NaN becomes NULL, since SQLite has no NaN.
  func set(_ value: Double)
  func set(_ text: borrowing String)
  /// Sets the text in a place that keeps it, as it is, until the row that is written has been.
  func set(textAt place: UnsafeMutablePointer<String>)
  /// Sets a copy of the bytes; an empty buffer is an empty blob, not NULL.
  func set(_ bytes: UnsafeRawBufferPointer)
}

extension ValueSink {
  package func set(textAt place: UnsafeMutablePointer<String>) { set(place.pointee) }
}

/// One parameter of a statement; parameters count from 1.
package struct Parameter: ValueSink {
  private let statement: Statement
  private let index: Int32

  package init(_ index: Int32, of statement: Statement) {
    self.statement = statement
    self.index = index
  }

  package func setNull() { statement.bindNull(at: index) }

  package func set(_ value: Int64) { statement.bind(value, at: index) }

  package func set(_ value: Double) { statement.bind(value, at: index) }

  package func set(_ text: borrowing String) { statement.bind(text, at: index) }

  package func set(_ bytes: UnsafeRawBufferPointer) { statement.bind(bytes, at: index) }
}

extension SQLValue {
  /// Gives the value to a place.
  package func bind(to sink: some ValueSink) {
    switch self {
    case .null: sink.setNull()
    case .integer(let value): sink.set(value)
    case .real(let value): sink.set(value)
    case .text(let text): sink.set(text)
    case .blob(let bytes): bytes.withUnsafeBytes { sink.set($0) }
    }
  }
}

/// A place that keeps the value it is given.
package final class KeptValue: ValueSink {
  package private(set) var value = SQLValue.null

  package init() {}

  package func setNull() { value = .null }
  package func set(_ value: Int64) { self.value = .integer(value) }
  package func set(_ value: Double) { self.value = .real(value) }
  package func set(_ text: borrowing String) { value = .text(copy text) }
  package func set(_ bytes: UnsafeRawBufferPointer) { value = .blob([UInt8](bytes)) }
}
