import RowStore

/// One word of a predicate format.
struct PredicateToken {
  enum Kind: Equatable {
    /// A key, a function's name (`modulus:by:`), or a keyword in any case.
    case word(String)
    /// A key behind `#`, which is never a keyword.
    case quotedWord(String)
    /// `$name`
    case variable(String)
    /// `@count` and its kin, with the sign.
    case collectionOperator(String)
    case string(String)
    /// Without a sign; the least integer has its own value, since its magnitude is no integer.
    case integer(Int64)
    case real(Double)
    case argument(PredicateArgument)
    case symbol(String)
    case end
  }

  let kind: Kind
  /// Characters before the token.
  let position: Int
}

/// `%@`, `%K`, `%ld`, `%2$f`: the place of an argument.
struct PredicateArgument: Equatable {
  let letter: Character
  /// As it is written, for messages.
  let text: String
  /// The argument's index, from 0; nil for the next one.
  let index: Int?
}

/// Cuts a predicate format into tokens.
struct PredicateLexer {
  // The longest first.
  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "<<", ">>", "**", ":=", "=", "<", ">", "!", "+", "-", "*",
    "/", "&", "|", "^", "~", "(", ")", "{", "}", ",", ".", "[", "]",
  ]
  private static let escapes: [Character: Character] = [
    "n": "\n", "t": "\t", "r": "\r", "a": "\u{07}", "b": "\u{08}", "f": "\u{0C}", "v": "\u{0B}", "0": "\0",
  ]

  private let characters: [Character]
  private var position = 0
  private var previous: PredicateToken.Kind?

  private init(_ format: String) {
    let isASCII = format.utf8.allSatisfy { $0 < 0x80 }
    characters = isASCII ? Array(format) : format.flatMap(Self.parts)
  }

  /// The character, or its code points where a quote or a backslash has become one character with a mark beside it.
  private static func parts(_ character: Character) -> [Character] {
    let scalars = character.unicodeScalars
    return scalars.contains { $0 == "'" || $0 == "\"" || $0 == "\\" } ? scalars.map { Character($0) } : [character]
  }

  static func tokens(_ format: String) throws(PredicateFailure) -> [PredicateToken] {
    var lexer = PredicateLexer(format)
    var tokens: [PredicateToken] = []
    repeat {
      let token = try lexer.next()
      lexer.previous = token.kind
      tokens.append(token)
    } while tokens.last?.kind != .end
    return tokens
  }

  private var current: Character? { position < characters.count ? characters[position] : nil }
  private var following: Character? { position + 1 < characters.count ? characters[position + 1] : nil }

  private static func isDigit(_ character: Character?) -> Bool { character.map { "0"..."9" ~= $0 } ?? false }
  private static func startsWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0 == "_" } ?? false
  }

  private func isAhead(_ symbol: String) -> Bool { characters[position...].starts(with: symbol) }

  private mutating func next() throws(PredicateFailure) -> PredicateToken {
    while let character = current, character.isWhitespace { position += 1 }
    let start = position
    guard let character = current else { return PredicateToken(kind: .end, position: start) }
    return PredicateToken(kind: try kind(character), position: start)
  }

  private mutating func kind(_ character: Character) throws(PredicateFailure) -> PredicateToken.Kind {
    switch character {
    case "'", "\"": return .string(try string(quote: character))
    case "%": return .argument(try argument())
    case "#" where Self.startsWord(following):
      position += 1
      return .quotedWord(word())
    case "$" where Self.startsWord(following):
      position += 1
      return .variable(word())
    case "@" where Self.startsWord(following):
      position += 1
      return .collectionOperator("@" + word())
    case _ where Self.startsWord(character): return .word(selector())
    case _ where Self.isDigit(character) || (character == "." && Self.isDigit(following) && !endsOperand):
      return try number()
    default: break
    }
    guard let symbol = Self.symbols.first(where: { isAhead($0) }) else {
      throw PredicateFailure(position: position, message: "\"\(character)\" is no part of a predicate")
    }
    position += symbol.count
    return .symbol(symbol)
  }

  /// Whether a point would continue a key path.
  private var endsOperand: Bool {
    switch previous {
    case .word, .quotedWord, .variable, .collectionOperator, .argument: true
    case .symbol(let symbol): symbol == ")" || symbol == "]"
    default: false
    }
  }

  private mutating func word() -> String {
    let start = position
    while let character = current, character.isLetter || character.isNumber || character == "_" { position += 1 }
    return String(characters[start..<position])
  }

  /// A word, or a function's name with its colons.
  private mutating func selector() -> String {
    var text = word()
    while current == ":", following != "=" {
      position += 1
      text += ":" + word()
    }
    return text
  }

  // MARK: Constants

  private mutating func string(quote: Character) throws(PredicateFailure) -> String {
    let start = position
    position += 1
    var text = ""
    while let character = current {
      position += 1
      if character == quote { return text }
      if character == "\\", current != nil {
        try escape(into: &text)
      } else {
        text.append(character)
      }
    }
    throw PredicateFailure(position: start, message: "the string is not closed with \(quote)")
  }

  private mutating func escape(into text: inout String) throws(PredicateFailure) {
    let start = position - 1
    guard let escaped = current else { return }
    position += 1
    let digits = escaped == "x" ? 2 : escaped == "u" ? 4 : escaped == "U" ? 8 : 0
    guard digits > 0 else {
      text.append(Self.escapes[escaped] ?? escaped)
      return
    }
    let end = min(position + digits, characters.count)
    let code = String(characters[position..<end])
    guard code.count == digits, code.allSatisfy(\.isHexDigit), let value = UInt32(code, radix: 16),
      let scalar = Unicode.Scalar(value)
    else {
      throw PredicateFailure(position: start, message: "\\\(escaped) is followed by \(digits) hexadecimal digits")
    }
    text.unicodeScalars.append(scalar)
    position = end
  }

  private mutating func number() throws(PredicateFailure) -> PredicateToken.Kind {
    let start = position
    if current == "0", let radix = ["x": 16, "o": 8, "b": 2][following?.lowercased() ?? ""] {
      position += 2
      let digits = word()
      guard let value = Int64(digits, radix: radix) else { throw noNumber(start) }
      return .integer(value)
    }
    skipDigits()
    if current == ".", !Self.startsWord(following), following != "@", following != "." {
      position += 1
      skipDigits()
    }
    if let character = current, "eE".contains(character) {
      let sign = following == "-" || following == "+" ? 1 : 0
      let digit = position + 1 + sign
      if digit < characters.count, Self.isDigit(characters[digit]) {
        position = digit
        skipDigits()
      }
    }
    if Self.startsWord(current) { throw noNumber(start) }
    let text = String(characters[start..<position])
    if let value = Int64(text) { return .integer(value) }
    if text == "\(Int64.min.magnitude)" { return .integer(.min) }
    if let value = Double(text.hasSuffix(".") ? text + "0" : text) { return .real(value) }
    throw noNumber(start)
  }

  private mutating func skipDigits() {
    while Self.isDigit(current) { position += 1 }
  }

  private mutating func noNumber(_ start: Int) -> PredicateFailure {
    while let character = current, character.isLetter || character.isNumber || character == "." { position += 1 }
    return PredicateFailure(position: start, message: "\(String(characters[start..<position])) is no number")
  }

  // MARK: Arguments

  private mutating func argument() throws(PredicateFailure) -> PredicateArgument {
    let start = position
    position += 1
    if current == "%" {
      throw PredicateFailure(position: start, message: "%% is a percent sign, which is no operator; use modulus:by:()")
    }
    var index: Int?
    let digits = position
    skipDigits()
    if position > digits {
      guard current == "$", let number = Int(String(characters[digits..<position])), number > 0 else {
        throw PredicateFailure(position: start, message: "% and a number are followed by $ and a letter, as in %1$@")
      }
      index = number - 1
      position += 1
    }
    while let character = current, "lqhzjt".contains(character) { position += 1 }
    guard let letter = current, "@KdDiuUoOxXfFgGeEaAcCsS".contains(letter) else {
      throw PredicateFailure(position: start, message: "% is followed by @, K, d, i, u, x, f, g, e, c or s")
    }
    position += 1
    return PredicateArgument(letter: letter, text: String(characters[start..<position]), index: index)
  }
}
