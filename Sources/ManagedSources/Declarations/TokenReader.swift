/// Goes through tokens, and knows groups, types and parameter lists.
struct TokenReader {
  private let tokens: [Token]
  private var index = 0

  init(_ tokens: [Token]) { self.tokens = tokens }

  var current: Token? { index < tokens.count ? tokens[index] : nil }
  var peek: Token? { index + 1 < tokens.count ? tokens[index + 1] : nil }
  /// End of the token before the current one.
  var lastEnd: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

  mutating func advance() { index = min(index + 1, tokens.count) }

  /// Whether the tokens behind the current word can only be a declaration that the word modifies.
  var isModifierHere: Bool {
    guard var next = peek else { return false }
    if next.isMark("("), current?.text != "class" {
      guard index + 3 < tokens.count, tokens[index + 2].isWord("set"), tokens[index + 3].isMark(")") else {
        return false
      }
      next = index + 4 < tokens.count ? tokens[index + 4] : next
    }
    return next.isMark("@") || (next.kind == .word && Self.declarationWords.contains(next.text))
  }

  private static let declarationWords: Set<String> = [
    "var", "let", "func", "class", "struct", "enum", "protocol", "actor", "extension", "typealias", "init", "subscript",
    "import", "case", "static", "final", "dynamic", "override", "lazy", "weak", "unowned", "required", "convenience",
    "mutating", "nonmutating", "optional", "indirect", "nonisolated", "isolated", "distributed", "borrowing",
    "consuming",
    "public", "private", "open", "internal", "fileprivate", "package", "prefix", "postfix", "infix", "macro",
    "associatedtype", "async",
  ]

  /// Skips from an opening parenthesis, bracket or brace to behind its partner.
  mutating func skipGroup() {
    precondition(current.map { "([{".contains($0.text) } ?? false, "a group begins with its bracket")
    var depth = 0
    repeat {
      guard let token = current else { return }
      if token.kind == .mark {
        if "([{".contains(token.text) { depth += 1 }
        if ")]}".contains(token.text) { depth -= 1 }
      }
      advance()
    } while depth > 0
  }

  /// Skips from `<` to behind its `>`; an arrow's `>` closes nothing.
  mutating func skipAngles() {
    precondition(current?.isMark("<") ?? false, "types in angle brackets begin with one")
    var depth = 0
    var previous: Token?
    repeat {
      guard let token = current else { return }
      if token.isMark("(") || token.isMark("[") {
        skipGroup()
        previous = nil
        continue
      }
      if token.isMark("<") { depth += 1 }
      if token.isMark(">"), previous?.isMark("-") != true { depth -= 1 }
      previous = token
      advance()
    } while depth > 0
  }

  /// Skips the cases of an enum's `case`, to the last one's end.
  mutating func skipCase() {
    precondition(current?.isWord("case") ?? false, "the cases of an enum begin with their word")
    advance()
    var previous: Token?
    while let token = current, !(token.startsLine && previous?.isMark(",") != true), !token.isMark(";"),
      !token.isMark("}")
    {
      previous = token
      if token.kind == .mark, "([{".contains(token.text) { skipGroup() } else { advance() }
    }
  }

  /// `: A, B<C> where D == E` up to the brace; empty without a colon.
  mutating func parseInherited() -> [TypeSyntax] {
    var types: [TypeSyntax] = []
    if current?.isMark(":") == true {
      repeat {
        advance()
        while current?.isMark("@") == true || current?.isMark("~") == true || current?.isWord("nonisolated") == true {
          let isAttribute = current?.isMark("@") == true
          advance()
          if isAttribute { advance() }
        }
        if let type = parseType() { types.append(type) }
        while current?.isMark("&") == true {
          advance()
          if let type = parseType() { types.append(type) }
        }
      } while current?.isMark(",") == true
    }
    while let token = current, !token.isMark("{"), !token.isMark("}"), token.kind != .condition {
      if token.isMark("<") { skipAngles() } else { advance() }
    }
    return types
  }

  // MARK: Types

  /// The type that begins here; nil when there is none.
  mutating func parseType() -> TypeSyntax? {
    while let token = current,
      token.isMark("@") || token.isWord("any") || token.isWord("some") || token.isWord("inout")
        || token.isWord("__owned") || token.isWord("consuming") || token.isWord("borrowing") || token.isWord("sending")
    {
      advance()
      if token.isMark("@") { advance() }
    }
    guard var type = parseSimpleType() else { return nil }
    while let token = current {
      if token.isMark("?") {
        type = .optional(type)
      } else if token.isMark("!") {
        type = .unwrapped(type)
      } else {
        break
      }
      advance()
    }
    return type
  }

  private mutating func parseSimpleType() -> TypeSyntax? {
    guard let first = current else { return nil }
    if first.isMark("[") {
      advance()
      guard let element = parseType() else { return nil }
      var result = TypeSyntax.array(element)
      if current?.isMark(":") == true {
        advance()
        guard let value = parseType() else { return nil }
        result = .dictionary(element, value)
      }
      guard current?.isMark("]") == true else { return nil }
      advance()
      return result
    }
    if first.isMark("(") { return parseParenthesised() }
    guard first.isName else { return nil }
    var parts: [TypeSyntax.Part] = []
    while let name = current, name.isName {
      var part = TypeSyntax.Part(name: name.text)
      advance()
      if current?.isMark("<") == true {
        repeat {
          advance()
          guard let argument = parseType() else { return nil }
          part.arguments.append(argument)
        } while current?.isMark(",") == true
        guard current?.isMark(">") == true else { return nil }
        advance()
      }
      parts.append(part)
      guard current?.isMark(".") == true, peek?.isName == true else { break }
      advance()
    }
    return .named(parts)
  }

  private mutating func parseParenthesised() -> TypeSyntax? {
    let start = index
    advance()
    if let type = parseType(), current?.isMark(")") == true {
      advance()
      if current?.isMark("-") != true { return type }
    }
    index = start
    skipGroup()
    let text = tokens[start..<index].map(\.text).joined(separator: " ")
    if current?.isMark("-") == true, peek?.isMark(">") == true {
      advance()
      advance()
      _ = parseType()
      return .other("\(text) -> …")
    }
    return .other(text)
  }

  /// `(_ value: Word, at index: Int)`, to behind its end; nil for more than labels, names and types.
  mutating func parseParameters() -> [ManagedMember.Parameter]? {
    precondition(current?.isMark("(") ?? false, "parameters begin with their parenthesis")
    var parameters: [ManagedMember.Parameter] = []
    advance()
    while let token = current, !token.isMark(")") {
      guard token.isName else { return nil }
      let label = token.text == "_" ? "" : token.text
      advance()
      if current?.isName == true { advance() }
      guard current?.isMark(":") == true else { return nil }
      advance()
      guard let type = parseType() else { return nil }
      parameters.append(.init(label: label, type: type))
      if current?.isMark(",") == true { advance() } else if current?.isMark(")") != true { return nil }
    }
    advance()
    return parameters
  }
}
