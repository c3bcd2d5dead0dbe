/// Whether Swift on Linux compiles what is between `#if` and `#endif`, as far as the condition tells.
struct PortedCondition {
  private let tokens: [Token]
  private var index = 0

  /// Nil where that depends on how the code is built.
  static func value(of text: String) -> Bool? {
    let words = text.drop { $0 == "#" || $0.isLetter }
    var condition = PortedCondition(tokens: Lexer(SwiftSource(path: "", text: String(words))).tokens)
    return condition.disjunction()
  }

  private init(tokens: [Token]) { self.tokens = tokens }

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
    case "os": return argument == "Linux"
    case "canImport":
      return PortedImports.appleModules.contains(argument)
        ? false : PortedImports.linuxModules.contains(argument) ? true : nil
    case "_runtime": return argument != "_ObjC"
    case "targetEnvironment": return false
    default: return nil
    }
  }
}
