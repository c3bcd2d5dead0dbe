import CoreData

/// Finds a value of an attribute's type that one of its validation predicates does not accept.
enum RefusedValue {
  /// Nil where none was found.
  static func value(of type: NSAttributeType, refusedBy predicate: NSPredicate) -> Any? {
    let bounds = ValueBounds([predicate])
    let candidates: [Any] =
      switch type {
      case .integer16AttributeType: numbers(bounds).compactMap { Int16(exactly: $0) }.map { NSNumber(value: $0) }
      case .integer32AttributeType: numbers(bounds).compactMap { Int32(exactly: $0) }.map { NSNumber(value: $0) }
      case .integer64AttributeType: numbers(bounds).compactMap { Int64(exactly: $0) }.map { NSNumber(value: $0) }
      case .doubleAttributeType: numbers(bounds).map { NSNumber(value: $0) }
      case .floatAttributeType: numbers(bounds).map { NSNumber(value: Float($0)) }
      case .decimalAttributeType: numbers(bounds).map { NSDecimalNumber(value: $0) }
      case .booleanAttributeType: [NSNumber(value: false), NSNumber(value: true)]
      case .dateAttributeType: numbers(bounds).map { Date(timeIntervalSinceReferenceDate: $0) }
      case .stringAttributeType:
        lengths(bounds).map { String(repeating: "x", count: $0) } + ["\u{1}", "-"]
      case .binaryDataAttributeType: lengths(bounds).map { Data(count: $0) }
      default: []
      }
    return candidates.first { !predicate.evaluate(with: $0) }
  }

  /// Whole numbers just beyond the limits, and some that few rules allow.
  private static func numbers(_ bounds: ValueBounds) -> [Double] {
    [bounds.least.map { $0.rounded(.down) - 1 }, bounds.greatest.map { $0.rounded(.up) + 1 }].compactMap { $0 }
      + [0, 1, -1, Double(Int16.max), Double(Int16.min)]
  }

  private static func lengths(_ bounds: ValueBounds) -> [Int] {
    // Longer ones would cost more than they show.
    let longest = 1_000_000
    return [bounds.leastLength.map { $0 - 1 }, bounds.greatestLength.map { $0 &+ 1 }].compactMap { $0 }
      .filter { 0...longest ~= $0 } + [0, 1]
  }
}
