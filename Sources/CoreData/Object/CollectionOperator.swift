/// The collection operators of key paths: `@count`, `@sum` and the like.
///
/// - SeeAlso: Apple, "Key-Value Coding Programming Guide: Using Collection Operators".
enum CollectionOperator {
  /// The result of the operator over what `path` gives for each element.
  ///
  /// - Precondition: the operator is known, and has a path behind it where it needs one.
  static func apply(_ name: Substring, _ path: Substring, to collection: KeyedCollection) -> Any? {
    if name == "@count" { return NSNumber(value: collection.elements.count) }
    precondition(!path.isEmpty, "\(name) is followed by the key path of what it is about, as in \(name).self")
    let values = collection.elements.compactMap { element in
      KeyValuePath.value(element, path).flatMap { $0 is NSNull ? nil : $0 }
    }
    switch name {
    case "@sum": return sum(values)
    case "@avg": return average(values, count: collection.elements.count)
    case "@min": return extreme(values) { $0 < 0 }
    case "@max": return extreme(values) { $0 > 0 }
    case "@unionOfObjects": return values
    case "@distinctUnionOfObjects": return distinct(values, collection)
    case "@unionOfArrays", "@unionOfSets": return flattened(values)
    case "@distinctUnionOfArrays": return unique(flattened(values))
    case "@distinctUnionOfSets": return KeyedCollection.set(flattened(values))
    default:
      preconditionFailure("\(name) is no collection operator; there are @count, @sum, @avg, @min, @max, @unionOf…")
    }
  }

  // MARK: Numbers

  /// Nil counts as 0; exact for integers that fit 64 bits, and for decimals.
  private static func sum(_ values: [Any]) -> NSNumber {
    if let decimal = decimalSum(values) { return NSDecimalNumber(decimal: decimal) }
    var integers: Int64? = 0
    var total = 0.0
    for number in values.map(number) {
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
  private static func average(_ values: [Any], count: Int) -> NSNumber {
    guard count > 0 else { return NSNumber(value: 0.0) }
    if let decimal = decimalSum(values) { return NSDecimalNumber(decimal: decimal / Decimal(count)) }
    return NSNumber(value: sum(values).doubleValue / Double(count))
  }

  private static func decimalSum(_ values: [Any]) -> Decimal? {
    guard values.contains(where: { $0 is Decimal }) else { return nil }
    return values.reduce(Decimal(0)) { $0 + (($1 as? Decimal) ?? number($1).decimalValue) }
  }

  private static func number(_ value: Any) -> NSNumber {
    guard let number = value as? NSNumber else {
      preconditionFailure("@sum and @avg are about numbers, not \(type(of: value))")
    }
    return number
  }

  private static func isReal(_ number: NSNumber) -> Bool {
    number.objCType.pointee == 0x64 || number.objCType.pointee == 0x66
  }

  // MARK: Order

  /// The value that stands on the wanted side of all others; nil of nothing.
  private static func extreme(_ values: [Any], _ isBetter: (Int) -> Bool) -> Any? {
    var best: Any?
    for value in values {
      guard let current = best else {
        best = value
        continue
      }
      if isBetter(order(value, current)) { best = value }
    }
    return best
  }

  private static func order(_ left: Any, _ right: Any) -> Int {
    if let left = left as? Decimal, let right = right as? Decimal { return left < right ? -1 : left == right ? 0 : 1 }
    guard case .slot(let leftSlot)? = PredicateValue(left), case .slot(let rightSlot)? = PredicateValue(right),
      let order = leftSlot.order(rightSlot)
    else {
      preconditionFailure("@min and @max cannot compare \(type(of: left)) and \(type(of: right))")
    }
    return order
  }

  // MARK: Unions

  private static func distinct(_ values: [Any], _ collection: KeyedCollection) -> Any {
    if case .set = collection.kind { return KeyedCollection.set(values) }
    return unique(values)
  }

  private static func unique(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { seen.insert(KeyedCollection.hashable($0)).inserted }
  }

  private static func flattened(_ values: [Any]) -> [Any] {
    values.flatMap { value -> [Any] in
      guard let collection = KeyedCollection(value) else {
        preconditionFailure("a union of arrays or sets is about collections, not \(type(of: value))")
      }
      return collection.elements
    }
  }
}
