import RowStore

/// Reads the predicate format language.
///
/// Understood is all of Apple's language but `FETCH`, assignments, and functions of locations, which are refused by name.
/// Parentheses hold an expression where an operator of expressions or comparisons follows, else a predicate.
///
/// - SeeAlso: Apple, "Predicate Format String Syntax".
struct PredicateParser {
  /// Parentheses, negations and functions deeper than this are refused rather than risk the stack.
  static let depthMax = 200
  /// Operators of expressions, for the same reason: each makes a tree one deeper.
  static let operatorsMax = 500

  private let tokens: [PredicateToken]
  private var arguments: PredicateArguments
  var next = 0
  private var depth = 0
  private var operators = 0
  /// For each opening parenthesis the token behind the one that closes it.
  private let behindParenthesis: [Int: Int]

  private init(_ format: String, _ arguments: [Any?]) throws(PredicateFailure) {
    tokens = try PredicateLexer.tokens(format)
    self.arguments = PredicateArguments(arguments)
    var open: [Int] = []
    var behind: [Int: Int] = [:]
    for (place, token) in tokens.enumerated() {
      if token.kind == .symbol("(") { open.append(place) }
      if token.kind == .symbol(")"), let start = open.popLast() { behind[start] = place + 1 }
    }
    behindParenthesis = behind
    precondition(tokens.last?.kind == .end, "the end of a format is its last token")
  }

  /// Reads a predicate, its `%` places filled with `arguments`.
  static func predicate(_ format: String, _ arguments: [Any?]) throws(PredicateFailure) -> NSPredicate {
    _ = FoundationPredicates.arePrinted
    var parser = try PredicateParser(format, arguments)
    let predicate = try parser.disjunction()
    try parser.finish()
    return predicate
  }

  /// Reads one side of a comparison.
  static func expression(_ format: String, _ arguments: [Any?]) throws(PredicateFailure) -> NSExpression {
    var parser = try PredicateParser(format, arguments)
    let expression = try parser.expression()
    try parser.finish()
    return expression
  }

  private func finish() throws(PredicateFailure) {
    guard current == .end else { throw unexpected("the end of the format") }
    try arguments.checkAllUsed()
  }

  // MARK: Tokens

  var current: PredicateToken.Kind { tokens[next].kind }
  var position: Int { tokens[next].position }
  var isBeforeParenthesis: Bool { next + 1 < tokens.count && tokens[next + 1].kind == .symbol("(") }

  func unexpected(_ wanted: String) -> PredicateFailure {
    let found =
      switch current {
      case .word(let word): "\"\(word)\""
      case .quotedWord(let word): "\"#\(word)\""
      case .variable(let name): "\"$\(name)\""
      case .collectionOperator(let name): "\"\(name)\""
      case .string(let text): "the string \"\(text)\""
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .argument(let argument): argument.text
      case .symbol(let symbol): "\"\(symbol)\""
      case .end: "the end"
      }
    return error("found \(found), expected \(wanted)")
  }

  func error(_ message: String) -> PredicateFailure { PredicateFailure(position: position, message: message) }

  func isKeyword(_ words: String...) -> Bool {
    guard case .word(let word) = current else { return false }
    return words.contains(word.uppercased())
  }

  mutating func consumeKeyword(_ word: String) -> Bool {
    guard isKeyword(word) else { return false }
    next += 1
    return true
  }

  mutating func consumeSymbol(_ symbol: String) -> Bool {
    guard current == .symbol(symbol) else { return false }
    next += 1
    return true
  }

  mutating func require(_ symbol: String) throws(PredicateFailure) {
    guard consumeSymbol(symbol) else { throw unexpected("\"\(symbol)\"") }
  }

  mutating func consumeArgument(_ argument: PredicateArgument) throws(PredicateFailure) -> Any? {
    let value = try arguments.take(argument, position)
    next += 1
    return value
  }

  /// Counts a level of nesting while `body` reads it.
  mutating func nested<Result>(
    _ body: (inout PredicateParser) throws(PredicateFailure) -> Result
  ) throws(PredicateFailure) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else { throw error("more than \(Self.depthMax) levels of nesting") }
    return try body(&self)
  }

  mutating func countOperator() throws(PredicateFailure) {
    operators += 1
    guard operators <= Self.operatorsMax else { throw error("more than \(Self.operatorsMax) operators of expressions") }
  }

  // MARK: Predicates

  mutating func disjunction() throws(PredicateFailure) -> NSPredicate {
    var parts = [try conjunction()]
    while consumeKeyword("OR") || consumeSymbol("||") { parts.append(try conjunction()) }
    return Self.compound(.or, parts)
  }

  private mutating func conjunction() throws(PredicateFailure) -> NSPredicate {
    var parts = [try negation()]
    while consumeKeyword("AND") || consumeSymbol("&&") { parts.append(try negation()) }
    return Self.compound(.and, parts)
  }

  /// A compound in a compound of the same type is a part of that one, as without the parentheses.
  private static func compound(_ type: NSCompoundPredicate.LogicalType, _ parts: [NSPredicate]) -> NSPredicate {
    if parts.count == 1 { return parts[0] }
    let flat = parts.flatMap { part -> [NSPredicate] in
      guard let inner = part as? FormatCompoundPredicate, inner.compoundPredicateType == type else { return [part] }
      return inner.subpredicates
    }
    return FormatCompoundPredicate(type: type, subpredicates: flat)
  }

  private mutating func negation() throws(PredicateFailure) -> NSPredicate {
    try nested { parser throws(PredicateFailure) in
      if parser.consumeKeyword("NOT") || parser.consumeSymbol("!") {
        return FormatCompoundPredicate(type: .not, subpredicates: [try parser.negation()])
      }
      if parser.current == .symbol("("), !parser.opensExpression {
        parser.next += 1
        let predicate = try parser.disjunction()
        try parser.require(")")
        return predicate
      }
      if parser.consumeKeyword("TRUEPREDICATE") { return ConstantPredicate(value: true) }
      if parser.consumeKeyword("FALSEPREDICATE") { return ConstantPredicate(value: false) }
      return try parser.comparison()
    }
  }

  /// Whether the parenthesis here is one side of a comparison.
  private var opensExpression: Bool {
    guard let behind = behindParenthesis[next] else { return false }
    switch tokens[behind].kind {
    case .symbol(let symbol):
      return PredicateWords.symbolOperators[symbol] != nil || PredicateWords.precedence(symbol) != nil || symbol == "."
        || symbol == "["
    case .word(let word):
      let word = word.uppercased()
      return PredicateWords.stringOperators[word] != nil || PredicateWords.setOperators[word] != nil
    default: return false
    }
  }

  private mutating func comparison() throws(PredicateFailure) -> NSPredicate {
    var modifier = NSComparisonPredicate.Modifier.direct
    let isNone = consumeKeyword("NONE")
    if isNone || consumeKeyword("ANY") || consumeKeyword("SOME") {
      modifier = .any
    } else if consumeKeyword("ALL") {
      modifier = .all
    }
    let left = try expression()
    let type = try comparisonOperator()
    let options = try comparisonOptions()
    let comparison = NSComparisonPredicate(
      leftExpression: left, rightExpression: try expression(), modifier: modifier, type: type, options: options)
    return isNone ? FormatCompoundPredicate(type: .not, subpredicates: [comparison]) : comparison
  }

  private mutating func comparisonOperator() throws(PredicateFailure) -> NSComparisonPredicate.Operator {
    switch current {
    case .symbol(":="): throw error("assignments are not supported")
    case .symbol(let symbol):
      guard let type = PredicateWords.symbolOperators[symbol] else { break }
      next += 1
      return type
    case .word(let word):
      guard let type = PredicateWords.stringOperators[word.uppercased()] else { break }
      next += 1
      return type
    default: break
    }
    throw unexpected("a comparison such as == or CONTAINS")
  }

  private mutating func comparisonOptions() throws(PredicateFailure) -> NSComparisonPredicate.Options {
    guard consumeSymbol("[") else { return [] }
    let letters: [Character: NSComparisonPredicate.Options] = [
      "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized, "l": .localeSensitive,
    ]
    guard case .word(let word) = current else { throw unexpected("the options c, d, n or l") }
    var options: NSComparisonPredicate.Options = []
    for letter in word.lowercased() {
      guard let option = letters[letter] else { throw unexpected("the options c, d, n or l") }
      options.insert(option)
    }
    next += 1
    try require("]")
    return options
  }
}
