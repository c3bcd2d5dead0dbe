import RowStore

/// `CAST("…", "NSDate")` and its kin: constants that have no literal of their own.
enum ConstantCast {
  /// The constant; nil where it is none, or where the cast needs an object to be evaluated with.
  static func value(_ expression: NSExpression, _ type: NSExpression) -> Any? {
    guard case .constant(let value?) = expression.form, case .constant(let name?) = type.form,
      let name = name as? String
    else { return nil }
    return self.value(value, as: name)
  }

  /// The value in the class of that name; nil where there is no such conversion.
  static func value(_ value: Any, as type: String) -> Any? {
    switch (type, value) {
    case ("NSDate", let date as Date): return date
    case ("NSDate", _): return number(value).map { Date(timeIntervalSinceReferenceDate: $0) }
    case ("NSString", let text as String): return text
    case ("NSString", let number as NSNumber) where NumberText.text(number) != nil: return NumberText.text(number)
    case ("NSString", _): return PredicateText.text(of: NSExpression(forConstantValue: value))
    case ("NSNumber", let date as Date): return NSNumber(value: date.timeIntervalSinceReferenceDate)
    case ("NSNumber", let number as NSNumber): return number
    case ("NSNumber", let text as String):
      return Int64(text).map { NSNumber(value: $0) } ?? Double(text).map { NSNumber(value: $0) }
    case ("NSDecimalNumber", let text as String): return Decimal(string: text)
    case ("NSDecimalNumber", let number as NSNumber): return number.decimalValue
    case ("NSUUID", let text as String): return UUID(uuidString: text)
    case ("NSURL", let text as String): return URL(string: text)
    case ("NSData", let text as String): return Data(base64Encoded: text)
    default: return nil
    }
  }

  private static func number(_ value: Any) -> Double? {
    (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
  }
}
