import CRuntime
import Foundation
import SQLite

extension RawRow: ColumnValues {}

/// Sorts rows as SQLite would, which has to carry every column of a row through its sorter: 40 % of a sorted fetch.
///
/// Only by columns with a known order of values, and only as long as the file has such values in them: a column of SQLite may
/// have values of any type. Rows that come in order are made at once; from the first other one on they are put aside as they lie
/// in the file, and made in their order.
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
  private let reader: RowReader
  // Not checked for exclusivity at run time: the rows are taken in one by one.
  /// Of each row the beginning of its key, and where it is put aside; or a negative number, from -1 on, among those made at once.
  @exclusivity(unchecked)
  private var places: ContiguousArray<Place> = []
  @exclusivity(unchecked)
  private var made: [Row] = []
  @exclusivity(unchecked)
  private var putAside: RawRows?

  /// Nil where the query's order, or a part of the answer, is for SQLite to find.
  init?(_ query: StoreQuery, _ table: TableSchema, _ reader: RowReader) {
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
    self.reader = reader
  }

  /// Whether texts are compared by their bytes in UTF-8: a file may say otherwise of itself or of a column.
  func isKnown(to connection: Connection) throws -> Bool {
    try textColumns.allSatisfy { try connection.comparesBytes(table: table, column: $0) }
  }

  /// Whether the row has values that are compared as here.
  @inline(__always)
  private func accepts(_ values: CollectedRow) -> Bool {
    Self.accepts(first, values) && (others.isEmpty || others.allSatisfy { Self.accepts($0, values) })
  }

  @inline(__always)
  private static func accepts(_ key: Key, _ values: CollectedRow) -> Bool {
    switch values.storage(at: key.position) {
    case .null: true
    case .integer: !key.isText
    case .text: key.isText
    case .real, .blob: false
    }
  }

  /// Takes in a row; false where its values are not compared as here.
  ///
  /// - Throws: for a primary key that no ID can hold.
  @inline(__always)
  func add(_ values: CollectedRow) throws -> Bool {
    guard accepts(values) else { return false }
    // Without a reference counted.
    if let putAside = putAside.map({ Unmanaged.passUnretained($0) }) {
      return putAside._withUnsafeGuaranteedRef { add(values, to: $0) }
    }
    let prefix = prefix(values)
    if places.last.map({ $0.prefix <= prefix }) ?? true {
      guard let row = try reader.row(values) else { return true }
      if hasTexts(of: values, row) {
        made.append(row)
        places.append(Place(prefix: prefix, index: -made.count))
        return true
      }
    }
    let rows = RawRows(reader.forms, sql: values.sql)
    putAside = rows
    return add(values, to: rows)
  }

  @inline(__always)
  private func add(_ values: CollectedRow, to rows: RawRows) -> Bool {
    guard let raw = rows.add(values) else { return false }
    places.append(Place(prefix: prefix(raw), index: Int(bitPattern: raw.place)))
    return true
  }

  /// Whether the texts that are sorted by are the file's: ill-formed ones are repaired in a row.
  @inline(__always)
  private func hasTexts(of values: CollectedRow, _ row: Row) -> Bool {
    Self.hasText(first, values, row) && (others.isEmpty || others.allSatisfy { Self.hasText($0, values, row) })
  }

  @inline(__always)
  private static func hasText(_ key: Key, _ values: CollectedRow, _ row: Row) -> Bool {
    guard key.isText, row.values.kind(key.property) == .string else { return true }
    return withText(key, row) { own in values.withBytes(at: key.position) { compare(own, $0) == 0 } }
  }

  /// Of two values that differ the lower has no higher one; null has the lowest.
  @inline(__always)
  private func prefix(_ values: some ColumnValues) -> UInt64 {
    let prefix: UInt64
    if first.isText {
      prefix = values.withBytes(at: first.position, Self.prefix)
    } else {
      let value = values.int64(at: first.position)
      prefix = value == 0 && values.isNull(at: first.position) ? 0 : UInt64(bitPattern: value) ^ (1 << 63)
    }
    return first.isAscending ? prefix : ~prefix
  }

  @inline(__always)
  private static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var prefix: UInt64 = 0
    for byte in bytes { prefix = prefix << 8 | UInt64(byte) }
    return bytes.isEmpty ? 0 : prefix << (64 - 8 * UInt64(bytes.count))
  }

  /// The rows in their order; those with equal keys are in that of their primary keys, as in pages of them.
  ///
  /// Complexity: O(*n*) for *n* rows with first keys that differ in their first eight bytes.
  /// - Throws: for a primary key that no ID can hold.
  func rows() throws -> [Row] {
    let isMoved = PrefixOrder.sort(&places, precedes)
    guard isMoved || putAside != nil, !places.isEmpty else { return made }
    return try Array(unsafeUninitializedCapacity: places.count) { rows, count in
      for index in places.indices {
        let ahead = index + Int(CONTEXTBENCH_PREFETCH_DISTANCE)
        if ahead < places.count, places[ahead].index > 0 {
          contextbench_prefetch(UnsafeRawPointer(bitPattern: places[ahead].index), 2)
        }
        guard let row = try row(places[index]) else { continue }
        rows.initializeElement(at: count, to: row)
        count += 1
      }
    }
  }

  @inline(__always)
  private func row(_ place: Place) throws -> Row? {
    if let raw = raw(place) { return try reader.row(raw) }
    return made[-1 - place.index]
  }

  /// Nil for a row that was made at once.
  @inline(__always)
  private func raw(_ place: Place) -> RawRow? {
    guard place.index > 0, let start = UnsafeMutableRawPointer(bitPattern: place.index) else { return nil }
    // Without a reference counted.
    return putAside.map { Unmanaged.passUnretained($0) }?._withUnsafeGuaranteedRef { $0.row(at: start) }
  }

  @inline(never)
  private func precedes(_ left: Place, _ right: Place) -> Bool {
    let order = order(left, right, first)
    if order != 0 { return (order < 0) == first.isAscending }
    for key in others {
      let order = self.order(left, right, key)
      if order != 0 { return (order < 0) == key.isAscending }
    }
    return (others.last ?? first).isAscending
      ? primaryKey(left) < primaryKey(right) : primaryKey(left) > primaryKey(right)
  }

  private func order(_ left: Place, _ right: Place, _ key: Key) -> Int {
    let (leftIsNull, rightIsNull) = (isNull(left, key), isNull(right, key))
    if leftIsNull || rightIsNull { return leftIsNull ? (rightIsNull ? 0 : -1) : 1 }
    if key.isText { return withText(key, left) { left in withText(key, right) { Self.compare(left, $0) } } }
    let (one, other) = (integer(left, key), integer(right, key))
    return one < other ? -1 : one == other ? 0 : 1
  }

  @inline(__always)
  private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    guard common > 0, let one = left.baseAddress, let other = right.baseAddress else { return left.count - right.count }
    let order = Int(memcmp(one, other, common))
    return order != 0 ? order : left.count - right.count
  }

  private func isNull(_ place: Place, _ key: Key) -> Bool {
    raw(place)?.isNull(at: key.position) ?? made[-1 - place.index].values.isNull(key.property)
  }

  private func integer(_ place: Place, _ key: Key) -> Int64 {
    raw(place)?.int64(at: key.position) ?? made[-1 - place.index].values.integer(key.property) ?? 0
  }

  private func primaryKey(_ place: Place) -> Int64 {
    raw(place)?.int64(at: 0) ?? reader.primaryKey(of: made[-1 - place.index])
  }

  private func withText<Result>(_ key: Key, _ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let raw = raw(place) { return raw.withBytes(at: key.position, body) }
    return Self.withText(key, made[-1 - place.index], body)
  }

  @inline(__always)
  private static func withText<Result>(_ key: Key, _ row: Row, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    row.values.place(key.property, of: String.self).pointee.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
