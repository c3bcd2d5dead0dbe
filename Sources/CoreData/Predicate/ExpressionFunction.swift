/// A predefined function of expressions.
///
/// - SeeAlso: Apple, "NSExpression.init(forFunction:arguments:)".
struct ExpressionFunction: Sendable {
  /// The name in Apple's form: `modulus:by:`.
  let selector: String
  let argumentCount: ClosedRange<Int>

  private init(_ selector: String, _ argumentCount: ClosedRange<Int>) {
    self.selector = selector
    self.argumentCount = argumentCount
  }

  /// The function that `name` is: Apple's, or its first word; nil where there is none that takes so many arguments.
  static func named(_ name: String, argumentCount: Int) -> ExpressionFunction? {
    guard let function = bySelector[name] ?? byWord[name.lowercased()] else { return nil }
    return function.argumentCount.contains(argumentCount) && !unsupported.contains(function.selector) ? function : nil
  }

  /// Why ``named(_:argumentCount:)`` gives nil.
  static func refusal(_ name: String, argumentCount: Int) -> String {
    guard let function = bySelector[name] ?? byWord[name.lowercased()] else {
      return "there is no function \(name); there are " + bySelector.keys.sorted().joined(separator: " ")
    }
    if unsupported.contains(function.selector) { return "the function \(function.selector) is not supported" }
    let wanted =
      function.argumentCount.count == 1 ? "\(function.argumentCount.lowerBound)" : "at least 1"
    return "\(function.selector) takes \(wanted) arguments, not \(argumentCount)"
  }

  /// There are no locations on Linux.
  private static let unsupported: Set<String> = ["distanceToLocation:fromLocation:"]

  private static let many = 1...Int.max

  private static let all: [ExpressionFunction] =
    ["sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:"].map { .init($0, many) }
    + [
      "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "abs:", "trunc:", "randomn:", "uppercase:", "lowercase:",
      "canonical:", "onesComplement:", "noindex:", "length:", "distinct:",
    ].map { .init($0, 1...1) }
    + [
      "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "bitwiseAnd:with:",
      "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "objectFrom:withIndex:",
      "castObject:toType:", "distanceToLocation:fromLocation:",
    ].map { .init($0, 2...2) }
    + ["now", "random"].map { .init($0, 0...0) }

  private static let bySelector = Dictionary(uniqueKeysWithValues: all.map { ($0.selector, $0) })

  /// By the first word: `modulus` for `modulus:by:`.
  private static let byWord = Dictionary(
    uniqueKeysWithValues: all.map { ($0.selector.prefix { $0 != ":" }.lowercased(), $0) })
}
