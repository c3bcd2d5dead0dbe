import Foundation
import SQLite

/// Sorts rows as SQLite would, which has to carry every column of a row through its sorter: 40 % of a sorted fetch.
///
/// Only by columns with a known order of values, and only as long as the file has such values in them: a column of SQLite may
/// have values of any type.
final class RowOrder {
  /// One sort key: nothing that would have to be retained, since each row is asked for it.
  private struct Key {
    /// Place of the column among the selected ones.
    let position: Int32
    /// Index of the property.
    let property: Int
    let isText: Bool
    let isAscending: Bool
  }

  private typealias Place = PrefixOrder.Place

  private let first: Key
  /// The keys behind the first.
  private let others: [Key]
  private let table: String
  private let textColumns: [String]
  // Not checked for exclusivity at run time: the rows are taken in one by one.
  @exclusivity(unchecked)
  private var places: ContiguousArray<Place> = []

  /// Nil where the query's order, or a part of the answer, is for SQLite to find.
  init?(_ query: StoreQuery, _ table: TableSchema) {
    guard !query.sort.isEmpty, query.limit == 0, query.offset == 0, !query.isCutLater, query.order.isEmpty,
      !query.isDistinct, query.groups.isEmpty, query.having == nil
    else {
      return nil
    }
    var keys: [Key] = []
    var textColumns: [String] = []
    for key in query.sort {
      guard key.path.count == 1, let position = table.position(key.path[0]) else { return nil }
      let column = table.columns[position]
      guard column.codec == .text || column.codec == .integer, column.property.encoding == nil else { return nil }
      // Rows of the entity itself have no place for a property of a subentity.
      guard query.entity.isKind(of: column.property.owner) else { return nil }
      if column.codec == .text { textColumns.append(column.name) }
      keys.append(
        Key(
          position: RowReader.position(ofColumn: position), property: column.property.index,
          isText: column.codec == .text, isAscending: key.isAscending))
    }
    first = keys.removeFirst()
    others = keys
    self.table = table.name
    self.textColumns = textColumns
  }

  /// Whether texts are compared by their bytes in UTF-8: a file may say otherwise of itself or of a column.
  func isKnown(to connection: Connection) throws -> Bool {
    try textColumns.allSatisfy { try connection.comparesBytes(table: table, column: $0) }
  }

  /// Whether the row has values that are compared as here; before they are read.
  @inline(__always)
  func accepts(_ values: some ColumnValues) -> Bool {
    Self.accepts(first, values) && (others.isEmpty || others.allSatisfy { Self.accepts($0, values) })
  }

  @inline(__always)
  private static func accepts(_ key: Key, _ values: some ColumnValues) -> Bool {
    switch values.storage(at: key.position) {
    case .null: true
    case .integer: !key.isText
    case .text: key.isText
    case .real, .blob: false
    }
  }

  /// Takes in the row that was made of these values; false where one of its texts differs from the file's, as ill-formed UTF-8
  /// does.
  @inline(__always)
  func add(_ row: Row, _ values: some ColumnValues) -> Bool {
    guard let prefix = Self.prefix(first, row, values),
      others.isEmpty || others.allSatisfy({ Self.prefix($0, row, values) != nil })
    else { return false }
    places.append(Place(prefix: first.isAscending ? prefix : ~prefix, index: places.count))
    return true
  }

  /// Of two values that differ the lower has no higher one; null has the lowest. Nil for a text that is not the file's.
  @inline(__always)
  private static func prefix(_ key: Key, _ row: Row, _ values: some ColumnValues) -> UInt64? {
    let all = row.values
    switch all.kind(key.property) {
    case .integer: return UInt64(bitPattern: all.place(key.property, of: Int64.self).pointee) ^ (1 << 63)
    case .string:
      return all.place(key.property, of: String.self).pointee.utf8.withContiguousStorageIfAvailable { own -> UInt64? in
        let own = UnsafeRawBufferPointer(own)
        // Where the file has ill-formed bytes, the text has a replacement character, which begins with this byte.
        if has(own, 0xEF), !values.withBytes(at: key.position, { isSame($0, own) }) { return nil }
        return prefix(own)
      } ?? nil
    default: return 0
    }
  }

  @inline(__always)
  private static func has(_ bytes: UnsafeRawBufferPointer, _ byte: UInt8) -> Bool {
    bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
  }

  private static func isSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count, let one = one.baseAddress, let start = other.baseAddress else {
      return one.isEmpty && other.isEmpty
    }
    return memcmp(one, start, other.count) == 0
  }

  @inline(__always)
  private static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var prefix: UInt64 = 0
    for byte in bytes { prefix = prefix << 8 | UInt64(byte) }
    return bytes.isEmpty ? 0 : prefix << (64 - 8 * UInt64(bytes.count))
  }

  /// Finds the order of the rows that were taken in; those with equal keys are in that of their primary keys, as in pages
  /// of them.
  ///
  /// Complexity: O(*n*) for *n* rows with first keys that differ in their first eight bytes.
  /// - Returns: false where they are in that order.
  func sort(_ rows: [Row]) -> Bool { PrefixOrder.sort(&places) { precedes($0, $1, rows) } }

  /// Brings the rows, or their substitutes, into the order that was found; none of them is retained.
  func apply(to rows: inout [Row]) {
    precondition(rows.count == places.count, "each row was taken in")
    rows.withUnsafeMutableBufferPointer { rows in
      guard let target = rows.baseAddress else { return }
      withUnsafeTemporaryAllocation(of: Row.self, capacity: rows.count) { unsorted in
        guard let source = unsorted.baseAddress else { return }
        source.moveInitialize(from: target, count: rows.count)
        for (position, place) in places.enumerated() {
          (target + position).moveInitialize(from: source + place.index, count: 1)
        }
      }
    }
  }

  @inline(never)
  private func precedes(_ left: Place, _ right: Place, _ rows: [Row]) -> Bool {
    let (left, right) = (rows[left.index], rows[right.index])
    let order = left[first.property].sortOrder(right[first.property])
    if order != 0 { return (order < 0) == first.isAscending }
    for key in others {
      let order = left[key.property].sortOrder(right[key.property])
      if order != 0 { return (order < 0) == key.isAscending }
    }
    return (others.last ?? first).isAscending ? left.key < right.key : left.key > right.key
  }
}
