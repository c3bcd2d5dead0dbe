/// The braces around a token, as far as porting asks.
struct PortedScopes {
  enum Scope: Equatable {
    /// A type's, with the keyword before its name: `class`, `protocol`, `extension` and the like.
    case type(keyword: String, path: [String])
    /// A function's, an initialiser's or a computed property's.
    case member(isStatic: Bool)
    case other
  }

  private static let typeKeywords: Set<String> = ["actor", "class", "enum", "extension", "protocol", "struct"]
  private static let memberKeywords: Set<String> = ["func", "init", "let", "subscript", "var"]
  static let modifiers: Set<String> = [
    "class", "convenience", "dynamic", "fileprivate", "final", "indirect", "internal", "isolated", "lazy", "mutating",
    "nonisolated", "nonmutating", "open", "optional", "override", "package", "private", "public", "required", "static",
    "unowned", "weak",
  ]

  private var open: [Scope] = []
  /// The scope that the next brace opens, where it is not inside more parentheses than now.
  private var next: (scope: Scope, parentheses: Int)?
  private var parentheses = 0
  private var isStatic = false

  /// Whether the next token is a member of an extension.
  var isInExtension: Bool { isMember(of: "extension") }

  private var isInType: Bool { if case .type? = open.last { true } else { false } }

  /// Whether the next token is a member of such a type.
  func isMember(of keyword: String) -> Bool {
    if case .type(keyword, _)? = open.last { true } else { false }
  }

  /// The type around the next token, with its keyword; nil outside of types.
  var type: (keyword: String, path: [String])? {
    var path: [String] = []
    var innermost: String?
    for case .type(let keyword, let names) in open {
      path = keyword == "extension" ? names : path + names
      innermost = keyword
    }
    return innermost.map { ($0, path) }
  }

  /// Whether the next token is in the body of a `static` or `class` member of the innermost type.
  var isInStaticMember: Bool {
    for scope in open.reversed() {
      switch scope {
      case .type: return false
      case .member(let isStatic): return isStatic
      case .other: continue
      }
    }
    return false
  }

  mutating func note(_ tokens: [Token], _ index: Int) {
    precondition(tokens.indices.contains(index), "a scope begins or ends at a token that is there")
    let token = tokens[index]
    switch token.kind {
    case .mark: note(mark: token.text)
    case .word where index > 0 && tokens[index - 1].isMark("."): break
    case .word where token.text == "static": isStatic = true
    case .word where token.text == "class" && Self.isModifier(tokens, index): isStatic = true
    case .word where Self.typeKeywords.contains(token.text): noteType(tokens, index)
    case .word where Self.memberKeywords.contains(token.text) && isInType:
      next = (.member(isStatic: isStatic), parentheses)
      isStatic = false
    default: break
    }
  }

  private mutating func note(mark: String) {
    switch mark {
    case "(", "[": parentheses += 1
    case ")", "]": parentheses -= 1
    case "{":
      var scope = Scope.other
      if let next, next.parentheses == parentheses {
        scope = next.scope
        self.next = nil
      }
      open.append(scope)
      isStatic = false
    case "}":
      _ = open.popLast()
      next = nil
    default: break
    }
  }

  private mutating func noteType(_ tokens: [Token], _ index: Int) {
    guard index + 1 < tokens.count, tokens[index + 1].isName else { return }
    var path = [tokens[index + 1].text]
    var end = index + 2
    while end + 1 < tokens.count, tokens[end].isMark("."), tokens[end + 1].isName {
      path.append(tokens[end + 1].text)
      end += 2
    }
    next = (.type(keyword: tokens[index].text, path: path), parentheses)
    isStatic = false
  }

  /// Whether this `class` is part of a member's declaration.
  static func isModifier(_ tokens: [Token], _ index: Int) -> Bool {
    guard index + 1 < tokens.count, tokens[index + 1].kind == .word else { return false }
    return memberKeywords.contains(tokens[index + 1].text) || modifiers.contains(tokens[index + 1].text)
  }
}
