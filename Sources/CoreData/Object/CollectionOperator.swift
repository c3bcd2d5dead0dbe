import RowStore

/// The collection operators of key paths: `@count`, `@sum` and the like.
///
/// - SeeAlso: Apple, "Key-Value Coding Programming Guide: Using Collection Operators".
enum CollectionOperator {
  /// The result of the operator over the values of `path` for each element.
  ///
  /// - Throws: when the operator is unknown, lacks a path behind it, or does not take the value.
  static func apply(
    _ name: Substring, _ path: Substring, to collection: KeyedCollection
  ) throws(PredicateFailure) -> Any? {
    if name == "@count" { return NSNumber(value: collection.elements.count) }
    guard !path.isEmpty else {
      throw refusal("\(name) is followed by the key path of what it is about, as in \(name).self")
    }
    var values: [Any] = []
    for element in collection.elements where !(element is NSNull) {
      if let value = try KeyValuePath.find(element, path), !(value is NSNull) { values.append(value) }
    }
    switch name {
    case "@sum": return try sum(values)
    case "@avg": return try average(values, count: collection.elements.count)
    case "@min": return try extreme(values) { $0 < 0 }
    case "@max": return try extreme(values) { $0 > 0 }
    case "@unionOfObjects": return values
    case "@distinctUnionOfObjects": return try distinct(values, collection)
    case "@unionOfArrays", "@unionOfSets": return try flattened(values)
    case "@distinctUnionOfArrays": return try KeyedCollection.unique(flattened(values))
    case "@distinctUnionOfSets": return try KeyedCollection.set(flattened(values))
    default:
      throw refusal("\(name) is no collection operator; there are @count, @sum, @avg, @min, @max, @unionOf…")
    }
  }

  private static func refusal(_ message: String) -> PredicateFailure {
    PredicateFailure(position: nil, message: message)
  }

  // MARK: Numbers

  /// Nil counts as 0; exact for integers that fit 64 bits, and for decimals.
  private static func sum(_ values: [Any]) throws(PredicateFailure) -> NSNumber {
    if let decimal = try decimalSum(values) { return NSDecimalNumber(decimal: decimal) }
    var integers: Int64? = 0
    var total = 0.0
    for value in values {
      let number = try number(value)
      total += number.doubleValue
      if isReal(number) { integers = nil }
      if let sum = integers {
        let (next, overflow) = sum.addingReportingOverflow(number.int64Value)
        integers = overflow ? nil : next
      }
    }
    return integers.map { NSNumber(value: $0) } ?? NSNumber(value: total)
  }

  /// Nil counts as 0; of nothing it is 0.
  private static func average(_ values: [Any], count: Int) throws(PredicateFailure) -> NSNumber {
    guard count > 0 else { return NSNumber(value: 0.0) }
    if let decimal = try decimalSum(values) { return NSDecimalNumber(decimal: decimal / Decimal(count)) }
    return NSNumber(value: try sum(values).doubleValue / Double(count))
  }

  private static func decimalSum(_ values: [Any]) throws(PredicateFailure) -> Decimal? {
    guard values.contains(where: { $0 is Decimal }) else { return nil }
    var sum = Decimal(0)
    for value in values {
      if let decimal = value as? Decimal { sum += decimal } else { sum += try number(value).decimalValue }
    }
    return sum
  }

  private static func number(_ value: Any) throws(PredicateFailure) -> NSNumber {
    guard let number = value as? NSNumber else {
      throw refusal("@sum and @avg are about numbers, not \(type(of: value))")
    }
    return number
  }

  private static func isReal(_ number: NSNumber) -> Bool {
    number.objCType.pointee == 0x64 || number.objCType.pointee == 0x66
  }

  // MARK: Order

  /// The least or greatest value; nil of nothing.
  private static func extreme(_ values: [Any], _ isBetter: (Int) -> Bool) throws(PredicateFailure) -> Any? {
    var best: Any?
    for value in values {
      guard let current = best else {
        best = value
        continue
      }
      if isBetter(try order(value, current)) { best = value }
    }
    return best
  }

  private static func order(_ left: Any, _ right: Any) throws(PredicateFailure) -> Int {
    if let left = left as? Decimal, let right = right as? Decimal { return left < right ? -1 : left == right ? 0 : 1 }
    guard let leftSlot = Slot(untyped: left), let rightSlot = Slot(untyped: right),
      let order = leftSlot.order(rightSlot)
    else {
      throw refusal("@min and @max cannot compare \(type(of: left)) and \(type(of: right))")
    }
    return order
  }

  // MARK: Unions

  private static func distinct(_ values: [Any], _ collection: KeyedCollection) throws(PredicateFailure) -> Any {
    if case .set = collection.kind { return try KeyedCollection.set(values) }
    return try KeyedCollection.unique(values)
  }

  private static func flattened(_ values: [Any]) throws(PredicateFailure) -> [Any] {
    var elements: [Any] = []
    for value in values {
      guard let collection = KeyedCollection(value) else {
        throw refusal("a union of arrays or sets is about collections, not \(type(of: value))")
      }
      elements += collection.elements
    }
    return elements
  }
}
