import RowStore

extension PredicateParser {
  mutating func expression() throws(PredicateFailure) -> NSExpression { try expression(above: 0) }

  /// Operators that bind at least as tightly as `precedence`, by precedence climbing.
  private mutating func expression(above precedence: Int) throws(PredicateFailure) -> NSExpression {
    try nested { parser throws(PredicateFailure) in
      var left = try parser.postfixed()
      while let symbol = parser.binaryOperator, let own = PredicateWords.precedence(symbol), own >= precedence {
        try parser.countOperator()
        parser.next += 1
        let right = try parser.expression(above: symbol == "**" ? own : own + 1)
        if let type = PredicateWords.setOperators[symbol] {
          left = NSExpression(.set(type, left, right))
        } else {
          left = NSExpression(.function(PredicateWords.binaryFunctions[symbol] ?? symbol, operand: nil, [left, right]))
        }
      }
      return left
    }
  }

  private var binaryOperator: String? {
    switch current {
    case .symbol(let symbol): return PredicateWords.binaryFunctions[symbol] == nil ? nil : symbol
    case .word(let word): return PredicateWords.setOperators[word.uppercased()] == nil ? nil : word.uppercased()
    default: return nil
    }
  }

  /// An operand with the keys and indices behind it.
  private mutating func postfixed() throws(PredicateFailure) -> NSExpression {
    var expression = try operand()
    while true {
      if consumeSymbol("[") {
        try countOperator()
        expression = NSExpression(.function("objectFrom:withIndex:", operand: nil, [expression, try index()]))
        try require("]")
      } else if consumeSymbol(".") {
        try countOperator()
        expression = Self.following(expression, try keys())
      } else {
        return expression
      }
    }
  }

  /// An expression for keys behind another expression.
  private static func following(_ expression: NSExpression, _ path: String) -> NSExpression {
    switch expression.form {
    case .itself: NSExpression(forKeyPath: path)
    case .keyPath(let start): NSExpression(forKeyPath: start + "." + path)
    default: NSExpression(.function("valueForKeyPath:", operand: expression, [NSExpression(forKeyPath: path)]))
    }
  }

  private mutating func index() throws(PredicateFailure) -> NSExpression {
    if case .word(let word) = current, let symbol = IndexSymbol(rawValue: word.uppercased()) {
      next += 1
      return NSExpression(.constant(symbol))
    }
    return try expression()
  }

  private mutating func operand() throws(PredicateFailure) -> NSExpression {
    switch current {
    case .string(let text):
      next += 1
      return NSExpression(forConstantValue: text)
    case .integer(let value):
      next += 1
      return NSExpression(forConstantValue: value < 0 ? NSNumber(value: 0x1p63) : NSNumber(value: value))
    case .real(let value):
      next += 1
      return NSExpression(forConstantValue: NSNumber(value: value))
    case .argument(let argument): return try self.argument(argument)
    case .variable(let name):
      next += 1
      return NSExpression(forVariable: name)
    case .symbol("{"): return try list()
    case .symbol("("): return try parenthesised()
    case .symbol("-"): return try negative()
    case .symbol("~"):
      next += 1
      try countOperator()
      return NSExpression(
        .function(
          "onesComplement:", operand: nil, [try nested { parser throws(PredicateFailure) in try parser.postfixed() }]))
    case .word(let word): return try self.word(word)
    case .quotedWord, .collectionOperator: return NSExpression(forKeyPath: try keys())
    case .symbol, .end: throw unexpected("a key, a value or an argument")
    }
  }

  private mutating func parenthesised() throws(PredicateFailure) -> NSExpression {
    next += 1
    let expression = try expression()
    try require(")")
    return expression
  }

  private mutating func negative() throws(PredicateFailure) -> NSExpression {
    next += 1
    switch current {
    case .integer(let value):
      next += 1
      return NSExpression(forConstantValue: NSNumber(value: 0 &- value))
    case .real(let value):
      next += 1
      return NSExpression(forConstantValue: NSNumber(value: -value))
    default:
      try countOperator()
      let positive = try nested { parser throws(PredicateFailure) in try parser.postfixed() }
      return NSExpression(
        .function("from:subtract:", operand: nil, [NSExpression(forConstantValue: NSNumber(value: 0)), positive]))
    }
  }

  private mutating func list() throws(PredicateFailure) -> NSExpression {
    next += 1
    var parts: [NSExpression] = []
    while !consumeSymbol("}") {
      if !parts.isEmpty {
        guard consumeSymbol(",") else { throw unexpected("\",\" or \"}\"") }
      }
      parts.append(try expression())
    }
    return NSExpression(.aggregate(parts))
  }

  // MARK: Words

  private mutating func word(_ word: String) throws(PredicateFailure) -> NSExpression {
    let upper = word.uppercased()
    if isBeforeParenthesis { return try function(word) }
    if let constant = Self.constants[upper] {
      next += 1
      return NSExpression(.constant(constant.value))
    }
    if upper == "SELF" {
      next += 1
      return NSExpression.expressionForEvaluatedObject()
    }
    if upper == "ANYKEY" {
      next += 1
      return NSExpression.expressionForAnyKey()
    }
    if PredicateWords.reserved.contains(upper) { throw unexpected("a key or a value; #\(word) is a key of that name") }
    return NSExpression(forKeyPath: try keys())
  }

  private static let constants: [String: ConstantWord] = [
    "NIL": .init(value: nil), "NULL": .init(value: nil), "TRUE": .init(value: true), "YES": .init(value: true),
    "FALSE": .init(value: false), "NO": .init(value: false),
  ]

  private struct ConstantWord: Sendable {
    private let truth: Bool?

    init(value: Bool?) { truth = value }

    var value: Any? { truth.map { NSNumber(value: $0) } }
  }

  /// Keys with points between them, of which `%K` brings any number.
  private mutating func keys() throws(PredicateFailure) -> String {
    var keys: [String] = []
    repeat {
      switch current {
      case .word(let key) where !key.contains(":"): keys.append(key)
      case .quotedWord(let key), .collectionOperator(let key): keys.append(key)
      case .argument(let argument) where argument.letter == "K":
        keys.append(try path(argument))
        continue
      default: throw unexpected("a key")
      }
      next += 1
    } while consumeSymbol(".")
    return keys.joined(separator: ".")
  }

  private mutating func path(_ argument: PredicateArgument) throws(PredicateFailure) -> String {
    let start = error("%K takes a key path as a string")
    guard let path = try consumeArgument(argument) as? String, !path.isEmpty else { throw start }
    return path
  }

  private mutating func argument(_ argument: PredicateArgument) throws(PredicateFailure) -> NSExpression {
    guard argument.letter == "K" else {
      let value = try consumeArgument(argument)
      return (value as? NSExpression) ?? NSExpression(forConstantValue: value)
    }
    let path = try path(argument)
    return path.uppercased() == "SELF" ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: path)
  }

  // MARK: Functions

  private mutating func function(_ name: String) throws(PredicateFailure) -> NSExpression {
    let start = next
    next += 2
    switch name.uppercased() {
    case "SUBQUERY": return try subquery()
    case "TERNARY": return try conditional()
    case "FUNCTION": return try method(start)
    case "FETCH":
      next = start
      throw error("FETCH is not supported")
    default: break
    }
    let arguments = try functionArguments()
    let selector = name.uppercased() == "CAST" ? "castObject:toType:" : name
    guard let function = ExpressionFunction.named(selector, argumentCount: arguments.count) else {
      next = start
      throw error(ExpressionFunction.refusal(selector, argumentCount: arguments.count))
    }
    if function.selector == "castObject:toType:", let constant = ConstantCast.value(arguments[0], arguments[1]) {
      return NSExpression(forConstantValue: constant)
    }
    return NSExpression(.function(function.selector, operand: nil, arguments))
  }

  /// Up to the closing parenthesis.
  private mutating func functionArguments() throws(PredicateFailure) -> [NSExpression] {
    var arguments: [NSExpression] = []
    while !consumeSymbol(")") {
      if !arguments.isEmpty {
        guard consumeSymbol(",") else { throw unexpected("\",\" or \")\"") }
      }
      arguments.append(try expression())
    }
    return arguments
  }

  private mutating func subquery() throws(PredicateFailure) -> NSExpression {
    let collection = try expression()
    try require(",")
    guard case .variable(let variable) = current else { throw unexpected("a variable such as $x") }
    next += 1
    try require(",")
    let predicate = try disjunction()
    try require(")")
    return NSExpression(forSubquery: collection, usingIteratorVariable: variable, predicate: predicate)
  }

  private mutating func conditional() throws(PredicateFailure) -> NSExpression {
    let predicate = try disjunction()
    try require(",")
    let first = try expression()
    try require(",")
    let second = try expression()
    try require(")")
    return NSExpression(forConditional: predicate, trueExpression: first, falseExpression: second)
  }

  /// `FUNCTION(object, "selector:", argument, …)`
  private mutating func method(_ start: Int) throws(PredicateFailure) -> NSExpression {
    let parts = try functionArguments()
    guard parts.count >= 2, case .constant(let value) = parts[1].form, let name = value as? String else {
      next = start
      throw error("FUNCTION takes an object, the name of a method as a string, and the method's arguments")
    }
    return NSExpression(forFunction: parts[0], selectorName: name, arguments: Array(parts.dropFirst(2)))
  }
}
