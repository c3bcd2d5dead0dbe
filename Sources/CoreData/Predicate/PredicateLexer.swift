/// One word of a predicate format.
struct PredicateToken {
  enum Kind: Equatable {
    /// A key, or a keyword in any case.
    case word(String)
    case string(String)
    case integer(Int64)
    case real(Double)
    /// `%@`, `%K`, `%d` and its kin: the letter.
    case argument(Character)
    case symbol(String)
    case end
  }

  let kind: Kind
  /// Characters before the token.
  let position: Int
}

/// Cuts a predicate format into tokens.
struct PredicateLexer {
  private static let symbols = ["&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "!"]
  private static let punctuation: Set<Character> = ["(", ")", "{", "}", ",", ".", "[", "]"]
  private static let escapes: [Character: Character] = ["n": "\n", "t": "\t", "r": "\r"]

  private let characters: [Character]
  private var position = 0

  private init(_ format: String) { characters = Array(format) }

  static func tokens(_ format: String) throws(PredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(format)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private var current: Character? { position < characters.count ? characters[position] : nil }

  private mutating func next() throws(PredicateError) -> PredicateToken {
    while let character = current, character.isWhitespace { position += 1 }
    let start = position
    guard let character = current else { return PredicateToken(kind: .end, position: start) }
    let kind: PredicateToken.Kind
    if character == "'" || character == "\"" {
      kind = .string(try string(quote: character))
    } else if character == "%" {
      kind = try argument()
    } else if character.isNumber || (character == "-" && following?.isNumber == true) {
      kind = try number()
    } else if character.isLetter || character == "_" || character == "@" || character == "#" || character == "$" {
      kind = .word(word())
    } else if let symbol = Self.symbols.first(where: { matches($0) }) {
      position += symbol.count
      kind = .symbol(symbol)
    } else if Self.punctuation.contains(character) {
      position += 1
      kind = .symbol(String(character))
    } else {
      throw PredicateError(position: start, message: "\"\(character)\" is no part of a predicate")
    }
    return PredicateToken(kind: kind, position: start)
  }

  private var following: Character? { position + 1 < characters.count ? characters[position + 1] : nil }

  private func matches(_ symbol: String) -> Bool { characters[position...].starts(with: symbol) }

  private mutating func word() -> String {
    let start = position
    position += 1
    while let character = current, character.isLetter || character.isNumber || character == "_" { position += 1 }
    let word = String(characters[start..<position])
    return word.first == "#" ? String(word.dropFirst()) : word
  }

  private mutating func string(quote: Character) throws(PredicateError) -> String {
    let start = position
    position += 1
    var text = ""
    while let character = current {
      position += 1
      if character == quote { return text }
      if character == "\\", let escaped = current {
        position += 1
        text.append(Self.escapes[escaped] ?? escaped)
      } else {
        text.append(character)
      }
    }
    throw PredicateError(position: start, message: "the string is not closed with \(quote)")
  }

  private mutating func number() throws(PredicateError) -> PredicateToken.Kind {
    let start = position
    if current == "-" { position += 1 }
    while let character = current,
      character.isNumber || character == "." || character == "e" || character == "E"
        || ((character == "-" || character == "+") && "eE".contains(characters[position - 1]))
    {
      position += 1
    }
    let text = String(characters[start..<position])
    if let value = Int64(text) { return .integer(value) }
    if let value = Double(text) { return .real(value) }
    throw PredicateError(position: start, message: "\(text) is no number")
  }

  private mutating func argument() throws(PredicateError) -> PredicateToken.Kind {
    let start = position
    position += 1
    while let character = current, "lqhz".contains(character) { position += 1 }
    guard let letter = current, "@KdDiuUfFgGeExXsS".contains(letter) else {
      throw PredicateError(position: start, message: "% is followed by @, K, d, i, u, f or g")
    }
    position += 1
    return .argument(letter)
  }
}
