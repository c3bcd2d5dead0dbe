import Foundation

extension Slot {
  /// The value as it is compared: a URL as the text the store has, a decimal as a number, data in a file as the bytes there,
  /// NaN as the null that SQLite makes of it.
  package var comparable: Slot {
    switch self {
    case .null, .integer, .string, .uuid, .data, .reference: return self
    case .real(let value), .date(let value): return value.isNaN ? .null : self
    case .boxed(let box):
      if let url = box.value as? URL { return .string(url.absoluteString) }
      if let decimal = box.value as? Decimal { return Slot(decimal) }
      // A value without its file is equal to nothing, and yet not null: its column is not.
      if let file = box.value as? ExternalData, let data = file.data { return .data(data) }
      return self
    }
  }

  /// The number that a decimal column has: whole where the decimal is, else the nearest floating-point number.
  package init(_ decimal: Decimal) {
    guard !decimal.isNaN else {
      self = .null
      return
    }
    let text = "\(decimal)"
    if let whole = Int64(text) {
      self = .integer(whole)
    } else {
      self = .real(Double(text) ?? NSDecimalNumber(decimal: decimal).doubleValue)
    }
  }

  /// Equal in value: numbers and dates across kinds, objects by key, null only to null.
  package func isSame(as other: Slot) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    case (.reference(let left), .reference(let right)): left.key == right.key
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    default: order(other).map { $0 == 0 } ?? (self == other)
    }
  }

  /// Below, at or above zero as this value sorts before, with or after the other; nil for null and for values of
  /// different kinds. Texts by code points.
  package func order(_ other: Slot) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .real(let right)), (.integer(let left), .date(let right)): Slot.order(left, right)
    case (.real(let left), .integer(let right)), (.date(let left), .integer(let right)): -Slot.order(right, left)
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)), (.real(let left), .date(let right)),
      (.date(let left), .real(let right)):
      left < right ? -1 : left == right ? 0 : 1
    case (.string(let left), .string(let right)): Slot.order(left, right)
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in withUnsafeBytes(of: right.uuid) { Slot.order(left, $0) } }
    case (.data(let left), .data(let right)): Slot.order(left, right)
    default: nil
    }
  }

  /// The order in which a query sorts: as ``order(_:)``, null before everything else, objects by their keys, unsaved ones
  /// last, in the order in which they were made.
  package func sortOrder(_ other: Slot) -> Int {
    if isNull || other.isNull { return isNull ? (other.isNull ? 0 : -1) : 1 }
    if case .reference(let left) = self, case .reference(let right) = other {
      if left.key < 0 || right.key < 0 { return left.key < right.key ? 1 : left.key == right.key ? 0 : -1 }
      return left.key < right.key ? -1 : left.key == right.key ? 0 : 1
    }
    return order(other) ?? 0
  }

  /// Exact, as SQLite compares them: a large integer is not rounded to a floating-point number first.
  private static func order(_ left: Int64, _ right: Double) -> Int {
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right)
    if left != whole { return left < whole ? -1 : 1 }
    let fraction = right - Double(whole)
    return fraction > 0 ? -1 : fraction == 0 ? 0 : 1
  }

  private static func order(_ left: String, _ right: String) -> Int {
    // Almost all texts are contiguous.
    let order = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right -> Int in
        let common = min(left.count, right.count)
        guard common > 0, let first = left.baseAddress, let second = right.baseAddress else {
          return left.count - right.count
        }
        let order = Int(memcmp(first, second, common))
        return order != 0 ? order : left.count - right.count
      }
    }
    return order.flatMap { $0 } ?? Slot.order(left.utf8, right.utf8)
  }

  private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
    if left.lexicographicallyPrecedes(right) { return -1 }
    return left.elementsEqual(right) ? 0 : 1
  }

  /// A number as a floating-point one.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value), .date(let value): value
    default: nil
    }
  }

  /// The same for every value that is equal: the key for looking up a set of values.
  var lookupKey: Slot {
    switch self {
    case .real(let value), .date(let value):
      if let whole = Int64(exactly: value) { .integer(whole) } else { .real(value) }
    case .reference(let reference): .reference(RowReference(key: reference.key, entity: 0))
    default: self
    }
  }
}
