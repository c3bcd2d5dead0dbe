/// The order of a query's rows by attributes of their own, made in memory.
///
/// SQLite would write each row, with all its columns, into a sorter and read it back from there, which costs more than
/// reading it from its table.
struct RowOrder {
  /// Indexes of attributes whose slots are what the file has.
  private let keys: [(index: Int, isAscending: Bool)]

  /// Takes the order of a query; nil where SQLite is to sort: keys of other rows or of other types, and pages, of which
  /// it need not read all.
  init?(_ query: StoreQuery) {
    guard !query.sort.isEmpty, query.order.isEmpty, query.limit == 0, query.offset == 0, !query.isCutLater else {
      return nil
    }
    var keys: [(index: Int, isAscending: Bool)] = []
    for key in query.sort {
      guard key.path.count == 1, Self.isComparable(key.path[0]), query.entity.isKind(of: key.path[0].owner) else {
        return nil
      }
      keys.append((key.path[0].index, key.isAscending))
    }
    self.keys = keys
  }

  private static func isComparable(_ property: PropertyLayout) -> Bool {
    guard property.encoding == nil, property.isStored, case .attribute(let type) = property.kind else { return false }
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .string, .date: return true
    default: return false
    }
  }

  /// Where a row was, with so much of its first value as decides most comparisons.
  private struct Place {
    /// What comes first: nulls when ascending, all else when descending.
    let rank: UInt8
    let position: UInt32
    /// Orders as the value does, as far as eight bytes can.
    let prefix: UInt64
  }

  /// Sorts as SQLite does: nulls first when ascending, texts by code points. Equal rows keep their order.
  ///
  /// - Complexity: O(*n* log *n*)
  func sort(_ rows: inout [Row]) {
    guard rows.count > 1, rows.count < UInt32.max else { return }
    var places = ContiguousArray<Place>()
    places.reserveCapacity(rows.count)
    let first = keys[0]
    for (position, row) in rows.enumerated() {
      let prefix = row.withUnsafeMutablePointerToElements { Self.prefix(of: $0[first.index]) }
      places.append(
        Place(
          rank: (prefix == nil) == first.isAscending ? 0 : 1, position: UInt32(position),
          prefix: first.isAscending ? prefix ?? 0 : ~(prefix ?? 0)))
    }
    places.sort { left, right in
      if left.rank != right.rank { return left.rank < right.rank }
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let order = order(rows[Int(left.position)], rows[Int(right.position)])
      return order == 0 ? left.position < right.position : order < 0
    }
    // They only change places, so that no reference has to be counted.
    rows.withUnsafeMutableBufferPointer { rows in
      rows.withMemoryRebound(to: Unmanaged<Row>.self) { rows in
        let unsorted = Array(rows)
        for (index, place) in places.enumerated() { rows[index] = unsorted[Int(place.position)] }
      }
    }
  }

  /// Negative when `left` comes before `right`, positive when after.
  private func order(_ left: Row, _ right: Row) -> Int {
    for key in keys {
      let order = left[key.index].sortOrder(right[key.index])
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }

  /// A number that is smaller where the value comes earlier, and equal where this many bits do not tell; nil for null.
  private static func prefix(of slot: Slot) -> UInt64? {
    switch slot {
    case .null: return nil
    case .integer(let value): return UInt64(bitPattern: value) ^ 1 << 63
    case .real(let value), .date(let value):
      // 0 and -0 are equal. The bits of numbers from 0 on order as they do, those below the other way round.
      let bits = value == 0 ? 0 : value.bitPattern
      return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    case .string(var text):
      return text.withUTF8 { bytes in
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return prefix
      }
    default: preconditionFailure("attributes of other types are sorted by SQLite")
    }
  }
}
