/// Reads the predicate format language.
///
/// Understood: `AND OR NOT` (`&& || !`), the comparisons `== != < <= > >=` and their kin, `IN`, `BETWEEN`, `CONTAINS`,
/// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES` with `[cd]`, key paths, strings, numbers, lists, `nil`, `TRUE`, `FALSE`,
/// `SELF`, `TRUEPREDICATE`, `FALSEPREDICATE`, and the arguments `%@ %K %d %f` with their kin. Refused by name: `ANY`,
/// `ALL`, `NONE`, `SOME`, `SUBQUERY`, collection operators (`@count`), variables (`$x`), functions.
///
/// - SeeAlso: Apple, "Predicate Format String Syntax".
struct PredicateParser {
  private static let aggregates: Set<String> = ["ANY", "ALL", "NONE", "SOME"]
  private static let stringOperators: [String: Comparison.Operator] = [
    "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like, "MATCHES": .matches,
    "IN": .isIn, "BETWEEN": .between,
  ]
  private static let symbolOperators: [String: Comparison.Operator] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]
  /// Parentheses and negations deeper than this are refused rather than risk the stack.
  private static let depthMax = 200

  private let tokens: [PredicateToken]
  private let arguments: [Any?]
  private var next = 0
  private var nextArgument = 0
  private var depth = 0

  private init(tokens: [PredicateToken], arguments: [Any?]) {
    self.tokens = tokens
    self.arguments = arguments
  }

  /// Reads `format`, its `%` places filled with `arguments` in order.
  static func parse(_ format: String, _ arguments: [Any?]) throws(PredicateError) -> PredicateNode {
    var parser = PredicateParser(tokens: try PredicateLexer.tokens(format), arguments: arguments)
    let node = try parser.disjunction()
    guard parser.current == .end else { throw parser.unexpected("the end of the format") }
    guard parser.nextArgument == arguments.count else {
      throw PredicateError(
        position: nil, message: "\(arguments.count) arguments were given, \(parser.nextArgument) are used by the format"
      )
    }
    return node
  }

  private var current: PredicateToken.Kind { tokens[next].kind }

  private func unexpected(_ wanted: String) -> PredicateError {
    let found =
      switch current {
      case .word(let word): "\"\(word)\""
      case .string(let text): "the string \"\(text)\""
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .argument(let letter): "%\(letter)"
      case .symbol(let symbol): "\"\(symbol)\""
      case .end: "the end"
      }
    return PredicateError(position: tokens[next].position, message: "\(found) stands where \(wanted) should")
  }

  private mutating func takeKeyword(_ words: String...) -> Bool {
    guard case .word(let word) = current, words.contains(word.uppercased()) else { return false }
    next += 1
    return true
  }

  private mutating func takeSymbol(_ symbols: String...) -> Bool {
    guard case .symbol(let symbol) = current, symbols.contains(symbol) else { return false }
    next += 1
    return true
  }

  // MARK: Predicates

  private mutating func disjunction() throws(PredicateError) -> PredicateNode {
    var nodes = [try conjunction()]
    while takeKeyword("OR") || takeSymbol("||") { nodes.append(try conjunction()) }
    return nodes.count == 1 ? nodes[0] : .or(nodes)
  }

  private mutating func conjunction() throws(PredicateError) -> PredicateNode {
    var nodes = [try negation()]
    while takeKeyword("AND") || takeSymbol("&&") { nodes.append(try negation()) }
    return nodes.count == 1 ? nodes[0] : .and(nodes)
  }

  private mutating func negation() throws(PredicateError) -> PredicateNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else {
      throw PredicateError(position: tokens[next].position, message: "more than \(Self.depthMax) levels of nesting")
    }
    if takeKeyword("NOT") || takeSymbol("!") { return .not(try negation()) }
    if takeSymbol("(") {
      let node = try disjunction()
      guard takeSymbol(")") else { throw unexpected("\")\"") }
      return node
    }
    if takeKeyword("TRUEPREDICATE") { return .constant(true) }
    if takeKeyword("FALSEPREDICATE") { return .constant(false) }
    return try comparison()
  }

  private mutating func comparison() throws(PredicateError) -> PredicateNode {
    if case .word(let word) = current, Self.aggregates.contains(word.uppercased()) {
      throw PredicateError(
        position: tokens[next].position, message: "\(word.uppercased()) over to-many relationships is not supported")
    }
    let left = try operand()
    var comparison = try comparisonOperator()
    if takeSymbol("[") {
      guard case .word(let options) = current, options.lowercased().allSatisfy({ "cdln".contains($0) }) else {
        throw unexpected("the options c and d")
      }
      next += 1
      comparison.ignoresCase = options.lowercased().contains("c")
      comparison.ignoresDiacritics = options.lowercased().contains("d")
      guard takeSymbol("]") else { throw unexpected("\"]\"") }
    }
    return .comparison(left: left, comparison, right: try operand())
  }

  private mutating func comparisonOperator() throws(PredicateError) -> Comparison {
    switch current {
    case .symbol(let symbol):
      guard let op = Self.symbolOperators[symbol] else { break }
      next += 1
      return Comparison(op: op)
    case .word(let word):
      guard let op = Self.stringOperators[word.uppercased()] else { break }
      next += 1
      return Comparison(op: op)
    default: break
    }
    throw unexpected("a comparison such as == or CONTAINS")
  }

  // MARK: Operands

  private mutating func operand() throws(PredicateError) -> PredicateOperand {
    switch current {
    case .string(let text):
      next += 1
      return .value(.slot(.string(text)))
    case .integer(let value):
      next += 1
      return .value(.slot(.integer(value)))
    case .real(let value):
      next += 1
      return .value(.slot(.real(value)))
    case .argument(let letter): return try argument(letter)
    case .symbol("{"): return .value(try list())
    case .word(let word): return try word == "SELF" || word == "self" ? itself() : constantOrKeyPath(word)
    case .symbol, .end: throw unexpected("a key, a value or an argument")
    }
  }

  private mutating func itself() throws(PredicateError) -> PredicateOperand {
    next += 1
    guard takeSymbol(".") else { return .itself }
    return .keyPath(try keys())
  }

  private mutating func constantOrKeyPath(_ word: String) throws(PredicateError) -> PredicateOperand {
    let constant: Slot? =
      switch word.uppercased() {
      case "NIL", "NULL": .null
      case "TRUE", "YES": .integer(1)
      case "FALSE", "NO": .integer(0)
      default: nil
      }
    if let constant {
      next += 1
      return .value(.slot(constant))
    }
    return .keyPath(try keys())
  }

  private mutating func keys() throws(PredicateError) -> [String] {
    var keys: [String] = []
    repeat {
      guard case .word(let key) = current else { throw unexpected("a key") }
      let position = tokens[next].position
      if key.hasPrefix("@") {
        throw PredicateError(position: position, message: "the collection operator \(key) is not supported")
      }
      if key.hasPrefix("$") {
        throw PredicateError(position: position, message: "the variable \(key) is not supported")
      }
      next += 1
      if current == .symbol("(") {
        throw PredicateError(position: position, message: "the function \(key)() is not supported")
      }
      keys.append(key)
    } while takeSymbol(".")
    return keys
  }

  private mutating func list() throws(PredicateError) -> PredicateValue {
    next += 1
    var values: [PredicateValue] = []
    while !takeSymbol("}") {
      if !values.isEmpty {
        guard takeSymbol(",") else { throw unexpected("\",\" or \"}\"") }
      }
      guard case .value(let value) = try operand() else { throw unexpected("a constant") }
      values.append(value)
    }
    return .list(values)
  }

  private mutating func argument(_ letter: Character) throws(PredicateError) -> PredicateOperand {
    let position = tokens[next].position
    guard nextArgument < arguments.count else {
      throw PredicateError(position: position, message: "there is no argument left for %\(letter)")
    }
    let argument = arguments[nextArgument]
    nextArgument += 1
    next += 1
    if letter == "K" {
      guard let path = argument as? String, !path.isEmpty else {
        throw PredicateError(position: position, message: "%K takes a key path as a string")
      }
      return path == "SELF" ? .itself : .keyPath(path.split(separator: ".").map(String.init))
    }
    guard let value = PredicateValue(argument) else {
      throw PredicateError(
        position: position,
        message: "%\(letter) was given \(argument.map { "\(type(of: $0))" } ?? "nil"), which cannot be compared")
    }
    return .value(value)
  }
}
