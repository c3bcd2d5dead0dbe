import Foundation

extension ScalarFunction {
  private static let selectors: [String: ScalarFunction] = [
    "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
    "modulus:by:": .modulus, "raise:toPower:": .power, "abs:": .absolute, "ceiling:": .ceiling, "floor:": .floor,
    "trunc:": .truncate, "sqrt:": .squareRoot, "ln:": .naturalLogarithm, "log:": .logarithm, "exp:": .exponential,
    "bitwiseAnd:with:": .bitAnd, "bitwiseOr:with:": .bitOr, "bitwiseXor:with:": .bitXor,
    "onesComplement:": .bitNot, "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
    "uppercase:": .uppercase, "lowercase:": .lowercase, "canonical:": .canonical, "length:": .length,
    "noindex:": .plain,
  ]

  /// The function with Apple's name; nil for others.
  package init?(selector: String) {
    guard let function = Self.selectors[selector] else { return nil }
    self = function
  }

  /// Whether a value of that type can be an argument.
  package func takes(_ type: ValueType) -> Bool {
    switch self {
    case .uppercase, .lowercase, .canonical: type.isText
    case .length: type.isText || type == .data
    case .plain: true
    case .bitAnd, .bitOr, .bitXor, .bitNot, .shiftLeft, .shiftRight: type == .integer || type == .boolean
    default: type.isNumber
    }
  }

  /// The type of the result.
  package func type(_ arguments: [ValueType]) -> ValueType {
    let isWhole = arguments.allSatisfy { $0 == .integer || $0 == .boolean }
    switch self {
    case .uppercase, .lowercase, .canonical: return .text
    case .length, .bitAnd, .bitOr, .bitXor, .bitNot, .shiftLeft, .shiftRight: return .integer
    case .plain: return arguments.first ?? .null
    case .add, .subtract:
      // A date and a number are a date, two dates a number of seconds.
      if arguments.count(where: { $0 == .date }) == 1, arguments.first == .date || self == .add { return .date }
      return isWhole ? .integer : .real
    case .multiply, .divide, .modulus, .absolute, .ceiling, .floor, .truncate: return isWhole ? .integer : .real
    default: return .real
    }
  }
}
