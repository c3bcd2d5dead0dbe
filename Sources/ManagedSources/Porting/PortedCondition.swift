/// Whether Swift on Linux compiles the lines between `#if` and `#endif`, as far as the condition shows.
struct PortedCondition {
  private let tokens: [Token]
  private let knowsSystem: Bool
  private var index = 0

  /// Nil where that depends on how the code is built.
  ///
  /// - Parameter knowsSystem: whether `os(…)` has a value.
  static func value(of text: String, knowsSystem: Bool) -> Bool? {
    let words = text.drop { $0 == "#" || $0.isLetter }
    let tokens = Lexer(SwiftSource(path: "", text: String(words))).tokens
    var condition = PortedCondition(tokens: tokens, knowsSystem: knowsSystem)
    return condition.disjunction()
  }

  private init(tokens: [Token], knowsSystem: Bool) {
    self.tokens = tokens
    self.knowsSystem = knowsSystem
  }

  private mutating func skip(_ marks: String) -> Bool {
    for (offset, mark) in marks.enumerated() {
      guard index + offset < tokens.count, tokens[index + offset].isMark(String(mark)) else { return false }
    }
    index += marks.count
    return true
  }

  private mutating func disjunction() -> Bool? {
    var value = conjunction()
    while skip("||") {
      let other = conjunction()
      value = value == true || other == true ? true : value == nil || other == nil ? nil : false
    }
    return value
  }

  private mutating func conjunction() -> Bool? {
    var value = atom()
    while skip("&&") {
      let other = atom()
      value = value == false || other == false ? false : value == nil || other == nil ? nil : true
    }
    return value
  }

  private mutating func atom() -> Bool? {
    if skip("!") { return atom().map { !$0 } }
    if skip("(") {
      let value = disjunction()
      _ = skip(")")
      return value
    }
    guard index < tokens.count, tokens[index].isName else { return nil }
    let name = tokens[index].text
    index += 1
    guard skip("(") else { return name == "true" ? true : name == "false" ? false : nil }
    let argument = index < tokens.count ? tokens[index].text : ""
    while index < tokens.count, !tokens[index].isMark(")") { index += 1 }
    _ = skip(")")
    switch name {
    case "os": return knowsSystem ? argument == "Linux" : nil
    case "canImport":
      return PortedImports.appleModules.contains(argument)
        ? false : PortedImports.linuxModules.contains(argument) ? true : nil
    case "_runtime": return argument != "_ObjC"
    case "targetEnvironment": return false
    default: return nil
    }
  }
}

/// The `#if` blocks around a token.
struct PortedConditions {
  /// Of each branch: whether it is compiled on Linux, and whether one before it is.
  private var blocks: [(isCompiled: Bool?, wasCompiled: Bool?)] = []
  private var knowsSystem = true

  /// Whether Linux leaves out the tokens that follow.
  var isLeftOut: Bool { blocks.contains { $0.isCompiled == false } }

  /// Whether the last token began a branch that Linux leaves out, and is in no other such branch.
  var beginsLeftOut: Bool {
    blocks.last?.isCompiled == false && !blocks.dropLast().contains { $0.isCompiled == false }
  }

  var isEmpty: Bool { blocks.isEmpty }

  /// The same where no system has a name.
  static var withoutSystem: PortedConditions {
    var conditions = PortedConditions()
    conditions.knowsSystem = false
    return conditions
  }

  mutating func note(_ token: Token) {
    guard token.kind == .condition else { return }
    let text = token.text
    if text.hasPrefix("#endif") {
      _ = blocks.popLast()
    } else if text.hasPrefix("#if") {
      blocks.append((PortedCondition.value(of: text, knowsSystem: knowsSystem), false))
    } else if let block = blocks.popLast() {
      let before =
        block.isCompiled == true || block.wasCompiled == true ? true : block.isCompiled == nil ? nil : block.wasCompiled
      let own = text.hasPrefix("#elseif") ? PortedCondition.value(of: text, knowsSystem: knowsSystem) : true
      blocks.append((before == true || own == false ? false : before == nil ? nil : own, before))
    }
  }
}
