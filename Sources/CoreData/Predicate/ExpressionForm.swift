/// The kind of an expression, with its parts.
enum ExpressionForm {
  case constant(Any?)
  case itself
  case variable(String)
  case keyPath(String)
  /// One of ``ExpressionFunction`` without an operand, or a method of the operand.
  case function(String, operand: NSExpression?, [NSExpression])
  case aggregate([NSExpression])
  /// A union, an intersection or a difference.
  case set(NSExpression.ExpressionType, NSExpression, NSExpression)
  case subquery(NSExpression, variable: String, NSPredicate)
  case conditional(NSPredicate, NSExpression, NSExpression)
  case block((Any?, [Any], NSMutableDictionary?) -> Any, [NSExpression]?)
  case anyKey
  /// A subclass knows.
  case custom(NSExpression.ExpressionType)

  var type: NSExpression.ExpressionType {
    switch self {
    case .constant: .constantValue
    case .itself: .evaluatedObject
    case .variable: .variable
    case .keyPath: .keyPath
    case .function: .function
    case .aggregate: .aggregate
    case .set(let type, _, _): type
    case .subquery: .subquery
    case .conditional: .conditional
    case .block: .block
    case .anyKey: .anyKey
    case .custom(let type): type
    }
  }

  func isEqual(to other: ExpressionForm) -> Bool {
    switch (self, other) {
    case (.itself, .itself), (.anyKey, .anyKey): return true
    case (.variable(let left), .variable(let right)), (.keyPath(let left), .keyPath(let right)): return left == right
    case (.function(let left, let leftOperand, let leftArguments), .function(let right, let operand, let arguments)):
      return left == right && leftOperand == operand && leftArguments == arguments
    case (.set(let leftType, let left, let leftOther), .set(let type, let right, let other)):
      return leftType == type && left == right && leftOther == other
    case (.subquery(let left, let leftVariable, let leftPart), .subquery(let right, let variable, let part)):
      return left == right && leftVariable == variable && leftPart == part
    case (.conditional(let leftPart, let left, let leftOther), .conditional(let part, let right, let other)):
      return leftPart == part && left == right && leftOther == other
    case (.aggregate(let left), .aggregate(let right)): return left == right
    // A list of constants may have come as one constant.
    case (.constant, .constant), (.constant, .aggregate), (.aggregate, .constant):
      guard let left = constantValue, let right = other.constantValue else { return false }
      return ConstantEquality.areEqual(left.value, right.value)
    default: return false
    }
  }

  /// The value where it does not depend on the evaluated object.
  var constantValue: (value: Any?, Void)? {
    switch self {
    case .constant(let value): return (value, ())
    case .aggregate(let parts):
      var values: [Any] = []
      for part in parts {
        guard let constant = part.form.constantValue else { return nil }
        values.append(constant.value ?? NSNull())
      }
      return (values, ())
    default: return nil
    }
  }
}

/// A place in a list that a format names: `list[FIRST]`.
enum IndexSymbol: String, Sendable {
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
}

/// Equality of two constants, as trees are compared.
enum ConstantEquality {
  static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = present(left), let right = present(right) else {
      return present(left) == nil && present(right) == nil
    }
    if let left = KeyedCollection(left), let right = KeyedCollection(right) {
      guard left.elements.count == right.elements.count else { return false }
      return zip(left.textOrder, right.textOrder).allSatisfy { areEqual($0, $1) }
    }
    if let left = left as? IndexSymbol { return left == right as? IndexSymbol }
    if let left = PredicateValue(left), let right = PredicateValue(right) { return left == right }
    if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
    return false
  }

  private static func present(_ value: Any?) -> Any? { value is NSNull ? nil : value }
}

extension KeyedCollection {
  /// The elements; those of a set in the order of their texts, since equal sets give theirs in different ones.
  var textOrder: [Any] {
    guard kind == .set else { return elements }
    return elements.map { (text: PredicateText.constant($0), element: $0) }.sorted { $0.text < $1.text }.map(\.element)
  }
}
