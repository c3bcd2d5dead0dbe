import CoreData

/// The bounds that an attribute's validation predicates set for its values, as far as a generator can aim at them.
///
/// Predicates of other forms are only found out by trying; see ``AttributeGenerator``.
struct ValueBounds {
  /// The least number, or seconds since the reference date.
  private(set) var least: Double?
  private(set) var greatest: Double?
  private(set) var leastLength: Int?
  private(set) var greatestLength: Int?
  /// The regular expressions that the whole text matches.
  private(set) var patterns: [String] = []
  /// The values to choose from.
  private(set) var choices: [Any]?

  /// The bounds of predicates that all must hold.
  init(_ predicates: [NSPredicate]) {
    for predicate in predicates { narrow(predicate) }
  }

  private mutating func narrow(_ predicate: NSPredicate) {
    if let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and {
      for case let part as NSPredicate in compound.subpredicates as [Any] { narrow(part) }
      return
    }
    guard let comparison = predicate as? NSComparisonPredicate, comparison.comparisonPredicateModifier == .direct,
      let constant = Self.constant(comparison.rightExpression)
    else { return }
    switch comparison.leftExpression.expressionType {
    case .evaluatedObject: narrowValue(comparison.predicateOperatorType, constant)
    case .keyPath where comparison.leftExpression.keyPath == "length":
      narrowLength(comparison.predicateOperatorType, constant)
    default: break
    }
  }

  private mutating func narrowValue(_ type: NSComparisonPredicate.Operator, _ constant: Any) {
    switch type {
    case .equalTo: choices = [constant]
    case .in: choices = (constant as? [Any]) ?? (constant as? NSArray).map(Array.init)
    case .matches: if let pattern = constant as? String { patterns.append(pattern) }
    case .between:
      guard let pair = constant as? [Any], let low = pair.first.flatMap(Self.number),
        let high = pair.last.flatMap(Self.number)
      else { return }
      (least, greatest) = (Self.larger(least, low), Self.smaller(greatest, high))
    default:
      guard let number = Self.number(constant) else { return }
      switch type {
      case .greaterThanOrEqualTo: least = Self.larger(least, number)
      case .greaterThan: least = Self.larger(least, number.nextUp)
      case .lessThanOrEqualTo: greatest = Self.smaller(greatest, number)
      case .lessThan: greatest = Self.smaller(greatest, number.nextDown)
      default: break
      }
    }
  }

  private mutating func narrowLength(_ type: NSComparisonPredicate.Operator, _ constant: Any) {
    guard let number = Self.number(constant), let length = Int(exactly: number.rounded()) else { return }
    switch type {
    case .greaterThanOrEqualTo: leastLength = max(leastLength ?? 0, length)
    case .greaterThan: leastLength = max(leastLength ?? 0, length + 1)
    case .lessThanOrEqualTo: greatestLength = min(greatestLength ?? .max, length)
    case .lessThan: greatestLength = min(greatestLength ?? .max, length - 1)
    case .equalTo: (leastLength, greatestLength) = (length, length)
    default: break
    }
  }

  private static func constant(_ expression: NSExpression) -> Any? {
    switch expression.expressionType {
    case .constantValue: expression.constantValue
    case .aggregate: (expression.collection as? [NSExpression])?.compactMap(constant)
    default: nil
    }
  }

  private static func number(_ value: Any) -> Double? {
    switch value {
    case let date as Date: date.timeIntervalSinceReferenceDate
    case let decimal as Decimal: NSDecimalNumber(decimal: decimal).doubleValue
    case let number as NSNumber: number.doubleValue
    case let number as any BinaryInteger: Double(number)
    case let number as Double: number
    case let number as Float: Double(number)
    default: nil
    }
  }

  private static func larger(_ old: Double?, _ new: Double) -> Double { max(old ?? new, new) }
  private static func smaller(_ old: Double?, _ new: Double) -> Double { min(old ?? new, new) }
}
