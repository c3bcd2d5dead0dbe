import CSQLite

/// Rows as they lie in the file, put aside until their order is known: made in that order, they lie in memory as a program
/// goes over them.
///
/// Each is a bit for each column that is null, a word for each column, and the bytes of texts and data behind them. Rows stay
/// where they are.
package final class RawRows {
  /// How a value is put aside.
  package enum Form { case integer, real, text, bytes }

  private static let chunkSize = 64 * 1024

  fileprivate let forms: [Form]
  fileprivate let sql: String
  /// Bytes of the bits of a row, and of those with its words.
  @usableFromInline let (maskSize, headSize): (Int, Int)
  private var chunks: [UnsafeMutableRawPointer] = []
  /// Where the next row begins, and how many bytes there are from there on.
  @exclusivity(unchecked)
  private var next: UnsafeMutableRawPointer?
  @exclusivity(unchecked)
  private var free = 0

  /// - Parameters:
  ///   - forms: those of the selected columns.
  ///   - sql: the statement that selects them.
  package init(_ forms: [Form], sql: String) {
    (self.forms, self.sql) = (forms, sql)
    maskSize = (forms.count + 63) / 64 * 8
    headSize = maskSize + forms.count * 8
  }

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Puts a row aside; nil for one of four gigabytes or more.
  package func add(_ values: CollectedRow) -> RawRow? {
    var end = headSize
    var place = room(end, keeping: 0)
    var target = 0
    while target < maskSize {
      place.storeBytes(of: 0, toByteOffset: target, as: UInt64.self)
      target &+= 8
    }
    forms.withUnsafeBufferPointer { forms in
      for column in forms.indices {
        let value = values.values[column]
        let word: UInt64
        // Whether there is a value is asked only where the value means none.
        let isNothing: Bool
        switch forms[column] {
        case .integer:
          word = UInt64(bitPattern: sqlite3_value_int64(value))
          isNothing = word == 0
        case .real:
          word = sqlite3_value_double(value).bitPattern
          isNothing = word << 1 == 0
        case .text:
          word = append(UnsafeRawPointer(sqlite3_value_text(value)), of: value, to: &place, &end)
          isNothing = word >> 32 == 0
        case .bytes:
          word = append(sqlite3_value_blob(value), of: value, to: &place, &end)
          isNothing = word >> 32 == 0
        }
        place.storeBytes(of: word, toByteOffset: target, as: UInt64.self)
        target &+= 8
        if isNothing, sqlite3_value_type(value) == SQLITE_NULL { setNull(column, of: place) }
      }
    }
    guard end <= Int(UInt32.max) else { return nil }
    let size = (end + 7) & ~7
    next = place + size
    free -= size
    return row(at: place)
  }

  /// The word of a value with those bytes: where they begin, and above how many there are.
  @inline(__always)
  private func append(
    _ bytes: UnsafeRawPointer?, of value: OpaquePointer?, to place: inout UnsafeMutableRawPointer, _ end: inout Int
  ) -> UInt64 {
    let count = Int(sqlite3_value_bytes(value))
    if end &+ count &+ 8 > free { place = room(end &+ count, keeping: end) }
    if let bytes { (place + end).copyMemory(from: bytes, byteCount: count) }
    defer { end &+= count }
    return UInt64(count) << 32 | UInt64(truncatingIfNeeded: end)
  }

  @inline(__always)
  private func setNull(_ column: Int, of place: UnsafeMutableRawPointer) {
    let word = place + column / 64 * 8
    word.storeBytes(of: word.load(as: UInt64.self) | 1 << UInt64(column % 64), as: UInt64.self)
  }

  /// The place of the next row, with so many bytes and up to a word more.
  ///
  /// - Parameter kept: the bytes that were written there, and move along.
  @inline(__always)
  private func room(_ size: Int, keeping kept: Int) -> UnsafeMutableRawPointer {
    if let next, size &+ 8 <= free { return next }
    return addChunk(size &+ 8, keeping: kept)
  }

  @inline(never)
  private func addChunk(_ size: Int, keeping kept: Int) -> UnsafeMutableRawPointer {
    let capacity = max(size, Self.chunkSize)
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    if let next { chunk.copyMemory(from: next, byteCount: kept) }
    chunks.append(chunk)
    (next, free) = (chunk, capacity)
    return chunk
  }

  /// The row at a place that ``add(_:)`` gave.
  @inlinable @inline(__always)
  package func row(at place: UnsafeMutableRawPointer) -> RawRow {
    RawRow(place, words: place + maskSize, .passUnretained(self))
  }
}

/// A row that was put aside; as long as those that it is one of. That it is ``ColumnValues`` says the module that asks it for
/// values: from another one the compiler calls each method by a table.
package struct RawRow {
  package let place: UnsafeMutableRawPointer
  @usableFromInline let words: UnsafeMutableRawPointer
  @usableFromInline let rows: Unmanaged<RawRows>

  @inlinable @inline(__always)
  init(_ place: UnsafeMutableRawPointer, words: UnsafeMutableRawPointer, _ rows: Unmanaged<RawRows>) {
    (self.place, self.words, self.rows) = (place, words, rows)
  }

  package var sql: String { rows._withUnsafeGuaranteedRef { $0.sql } }

  /// The class that the column's values have.
  package func storage(at index: Int32) -> ColumnStorage {
    if isNull(at: index) { return .null }
    return switch rows._withUnsafeGuaranteedRef({ $0.forms[Int(index)] }) {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .bytes: .blob
    }
  }

  @inlinable @inline(__always)
  func word(_ index: Int32) -> UInt64 { (words + Int(index) * 8).load(as: UInt64.self) }

  @inlinable @inline(__always)
  package func isNull(at index: Int32) -> Bool {
    (place + Int(index) / 64 * 8).load(as: UInt64.self) & 1 << UInt64(index % 64) != 0
  }

  @inlinable @inline(__always)
  package func int64(at index: Int32) -> Int64 { Int64(bitPattern: word(index)) }

  @inlinable @inline(__always)
  package func double(at index: Int32) -> Double { Double(bitPattern: word(index)) }

  /// The column's bytes, as long as the rows.
  @inlinable @inline(__always)
  package func bytes(at index: Int32) -> UnsafeRawBufferPointer {
    let word = word(index)
    return UnsafeRawBufferPointer(start: place + Int(word & 0xFFFF_FFFF), count: Int(word >> 32))
  }

  @inlinable @inline(__always)
  package func text(at index: Int32) -> String? {
    isNull(at: index) ? nil : String(decoding: bytes(at: index), as: UTF8.self)
  }

  @inlinable @inline(__always)
  package func withBytes<Result>(
    at index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result { try body(bytes(at: index)) }
}
