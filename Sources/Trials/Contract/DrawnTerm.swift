import CoreData

/// A drawn expression about an item: its format with arguments, and its value by hand.
struct DrawnTerm {
  /// The item that an expression is about; in a block of its context.
  struct Subject {
    let object: NSManagedObject

    /// The value at a path of keys, of which none leads to many objects.
    func value(_ path: String) -> TermValue {
      let keys = path.split(separator: ".").map(String.init)
      var value: Any? = object
      for key in keys {
        if let owner = value as? NSManagedObject {
          value = owner.value(forKey: key)
        } else {
          value = (value as? [String: Any])?[key]
        }
      }
      return TermValue(value)
    }

    /// A value of every tag.
    func tags(_ key: String) -> [TermValue] { members.map { TermValue($0.value(forKey: key)) } }

    var members: [NSManagedObject] {
      (object.value(forKey: "tags") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
    }
  }

  enum Kind {
    case whole, real, text
  }

  let kind: Kind
  let format: String
  let arguments: [Any]
  /// How tightly the outermost operator binds, as the format language has it; 9 for what is no operator.
  let precedence: Int
  let value: (Subject) -> TermValue

  init(
    _ kind: Kind, _ format: String, _ arguments: [Any] = [], precedence: Int = 9,
    _ value: @escaping (Subject) -> TermValue
  ) {
    precondition(!format.isEmpty, "an expression has a text")
    (self.kind, self.format, self.arguments, self.precedence, self.value) = (kind, format, arguments, precedence, value)
  }

  var expression: NSExpression { NSExpression(format: format, argumentArray: arguments) }
  var words: String { arguments.isEmpty ? format : "\(format) \(arguments)" }

  /// The format between parentheses where it binds less tightly.
  fileprivate func text(above least: Int, always: Bool) -> String {
    precedence < least || always && precedence < 9 ? "(\(format))" : format
  }
}

extension RuleTrial {
  /// Texts that are hard to write in a format, or to compare.
  static let hardTexts = [
    "", "alpha", "Alpha", "alphabet", "caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "be*?%_ta", "Z", "it's", "\"so\"",
    "back\\slash",
    "a\nb", "tab\t", "nil", "12", "%@", "$x", "'\u{301}", "a\"\u{301}b", "\\\u{338}",
    "\u{200D}x", "x\u{600}",
  ]

  // MARK: Numbers

  func numberTerm(depth: Int) -> DrawnTerm {
    precondition(depth >= 0, "an expression has a depth")
    guard depth > 0 else { return chance(1, of: 3) ? numberConstant() : numberKey() }
    switch draw(11) {
    case 0...2: return operation(numberTerm(depth: depth - 1), numberTerm(depth: depth - 1))
    case 3: return function(pick(Self.functions) ?? "abs", numberTerm(depth: depth - 1))
    case 4: return modulus(numberTerm(depth: depth - 1), numberTerm(depth: 0))
    case 5: return listFunction()
    case 6: return bitOperation()
    case 7: return negative(numberTerm(depth: depth - 1))
    case 8:
      let (condition, yes, no) = (condition(depth: 0), numberTerm(depth: depth - 1), numberTerm(depth: depth - 1))
      return DrawnTerm(
        yes.kind == .whole && no.kind == .whole ? .whole : .real,
        "TERNARY(\(condition.format), \(yes.format), \(no.format))",
        condition.arguments + yes.arguments + no.arguments
      ) { condition.holds($0) ? yes.value($0) : no.value($0) }
    case 9:
      let text = textTerm(depth: depth - 1)
      return DrawnTerm(.whole, "\(spelled("length"))(\(text.format))", text.arguments) { subject in
        text.value(subject).text.map { .whole($0.utf16.count) } ?? .null
      }
    default: return numberTerm(depth: 0)
    }
  }

  /// A function's name, with a colon or without.
  private func spelled(_ name: String) -> String { chance(1, of: 2) ? name : name + ":" }

  private func numberKey() -> DrawnTerm {
    switch draw(9) {
    case 0: return DrawnTerm(.whole, "tags.@count") { .whole($0.members.count) }
    case 1:
      let name = pick(["sum", "max", "min"]) ?? "sum"
      return DrawnTerm(.whole, "tags.@\(name).weight") { subject in
        let weights = subject.tags("weight")
        return weights.isEmpty ? name == "sum" ? .whole(0) : .null : TermValue.aggregate(name, weights)
      }
    case 2:
      return DrawnTerm(.real, "tags.@avg.weight") { subject in
        let weights = subject.tags("weight")
        return weights.isEmpty ? .whole(0) : TermValue.aggregate("average", weights)
      }
    case 3:
      let path = pick(["name", "box.title"]) ?? "name"
      return DrawnTerm(.whole, path + ".length") { subject in
        subject.value(path).text.map { .whole($0.utf16.count) } ?? .null
      }
    case 4: return DrawnTerm(.real, "CAST(madeAt, 'NSNumber')") { $0.value("madeAt") }
    case 5: return DrawnTerm(.whole, "FUNCTION(box, 'valueForKeyPath:', 'size')") { $0.value("box.size") }
    default: return numberAttribute()
    }
  }

  private func numberAttribute() -> DrawnTerm {
    let path = pick(["rank", "rank", "level", "weight", "weight", "ratio", "box.size", "place.zip", "isNew"]) ?? "rank"
    let isReal = path == "weight" || path == "ratio"
    let isArgument = chance(1, of: 4)
    return DrawnTerm(isReal ? .real : .whole, isArgument ? "%K" : path, isArgument ? [path] : []) { subject in
      let value = subject.value(path)
      // A column of floating-point numbers has no integers.
      guard isReal, case .whole(let number) = value else { return value }
      return .real(Double(number))
    }
  }

  /// A number in one of the notations.
  func numberConstant() -> DrawnTerm {
    if chance(1, of: 3) {
      let number = pick([0.5, -2.25, 7.5, 0.125, 100_000.5]) ?? 0.5
      let (format, arguments): (String, [Any]) =
        pick([("\(number)", []), ("%f", [number]), ("%@", [number]), ("\(number * 10)e-1", []), ("%g", [number])])
        ?? ("\(number)", [])
      return DrawnTerm(.real, format, arguments) { _ in .real(number) }
    }
    let number = pick([0, 1, 1, 2, 3, 5, 40, 255, -7, -1, 2_147_483_648]) ?? 1
    var ways: [(String, [Any])] = [("\(number)", []), ("%d", [number]), ("%ld", [number]), ("%@", [number])]
    if number >= 0 {
      ways += [
        ("0x" + String(number, radix: 16), []), ("0b" + String(number, radix: 2), []),
        ("0o" + String(number, radix: 8), []), ("%lu", [UInt(number)]),
      ]
    }
    let (format, arguments) = pick(ways) ?? ways[0]
    return DrawnTerm(.whole, format, arguments) { _ in .whole(number) }
  }

  /// With as few parentheses as the format language needs, or more.
  private func operation(_ left: DrawnTerm, _ right: DrawnTerm) -> DrawnTerm {
    let (symbol, own) = pick([("+", 6), ("-", 6), ("*", 7), ("/", 7), ("**", 8)]) ?? ("+", 6)
    let always = chance(1, of: 2)
    let bindsRight = symbol == "**"
    let isWhole = left.kind == .whole && right.kind == .whole && !bindsRight
    return DrawnTerm(
      isWhole ? .whole : .real,
      left.text(above: bindsRight ? own + 1 : own, always: always) + " \(symbol) "
        + right.text(above: bindsRight ? own : own + 1, always: always),
      left.arguments + right.arguments, precedence: own
    ) { left.value($0).combined(symbol, right.value($0)) }
  }

  private func negative(_ term: DrawnTerm) -> DrawnTerm {
    // A minus before a number is part of it.
    let isKey = term.format.first?.isLetter ?? false
    return DrawnTerm(
      term.kind, isKey && term.precedence == 9 ? "-\(term.format)" : "-(\(term.format))", term.arguments
    ) { TermValue.whole(0).combined("-", term.value($0)) }
  }

  private static let functions = ["abs", "floor", "ceiling", "trunc", "sqrt", "exp", "ln", "log"]

  /// Each function of one number, of numbers that have fractions and signs.
  func everyFunction() -> [DrawnTerm] {
    Self.functions.map { function($0, operation(numberAttribute(), numberConstant())) }
  }

  private func function(_ name: String, _ term: DrawnTerm) -> DrawnTerm {
    let isKept = ["abs", "floor", "ceiling", "trunc"].contains(name)
    return DrawnTerm(isKept ? term.kind : .real, "\(spelled(name))(\(term.format))", term.arguments) {
      term.value($0).applying(name)
    }
  }

  private func modulus(_ left: DrawnTerm, _ right: DrawnTerm) -> DrawnTerm {
    DrawnTerm(
      left.kind == .whole && right.kind == .whole ? .whole : .real, "modulus:by:(\(left.format), \(right.format))",
      left.arguments + right.arguments
    ) { left.value($0).combined("%", right.value($0)) }
  }

  private static let listFunctions = ["min", "max", "sum", "average", "count"]

  /// Each function of a list, with the number of tags in it.
  func listFunctions() -> [DrawnTerm] {
    Self.listFunctions.map { name in
      listFunction(
        name, [DrawnTerm(.whole, "tags.@count") { .whole($0.members.count) }, numberConstant()], inBraces: true)
    }
  }

  private func listFunction() -> DrawnTerm {
    listFunction(
      pick(Self.listFunctions) ?? "max",
      (0..<(2 + draw(2))).map { _ in chance(1, of: 2) ? numberAttribute() : numberConstant() },
      inBraces: chance(1, of: 2))
  }

  /// Of keys and constants, of which sums are exact in any order.
  private func listFunction(_ name: String, _ parts: [DrawnTerm], inBraces: Bool) -> DrawnTerm {
    precondition(parts.count > 1, "a list has several parts")
    let isWhole = name == "count" || name != "average" && parts.allSatisfy { $0.kind == .whole }
    let list = parts.map(\.format).joined(separator: ", ")
    return DrawnTerm(
      isWhole ? .whole : .real, inBraces ? "\(spelled(name))({\(list)})" : "\(spelled(name))(\(list))",
      parts.flatMap(\.arguments)
    ) { subject in TermValue.aggregate(name, parts.map { $0.value(subject) }) }
  }

  /// Of integers alone.
  private func bitOperation() -> DrawnTerm {
    let path = pick(["rank", "level", "box.size"]) ?? "rank"
    if chance(1, of: 5) {
      return DrawnTerm(.whole, "~\(path)") { subject in
        if case .whole(let number) = subject.value(path) { .whole(~number) } else { .null }
      }
    }
    let (symbol, own) = pick([("|", 2), ("^", 3), ("&", 4), ("<<", 5), (">>", 5)]) ?? ("|", 2)
    let number = own == 5 ? draw(6) : pick([1, 6, 255, -1]) ?? 1
    return DrawnTerm(.whole, "\(path) \(symbol) \(number)", precedence: own) {
      $0.value(path).combined(symbol, .whole(number))
    }
  }

  // MARK: Texts

  func textTerm(depth: Int) -> DrawnTerm {
    precondition(depth >= 0, "an expression has a depth")
    guard depth > 0 else {
      if chance(1, of: 3) { return textConstant(pick(Self.hardTexts) ?? "") }
      let path = pick(["name", "name", "box.title", "place.city"]) ?? "name"
      return DrawnTerm(.text, path) { $0.value(path) }
    }
    let inner = textTerm(depth: depth - 1)
    switch draw(6) {
    case 0:
      return DrawnTerm(.text, "\(spelled("uppercase"))(\(inner.format))", inner.arguments) { subject in
        inner.value(subject).text.map { .text($0.uppercased()) } ?? .null
      }
    case 1:
      return DrawnTerm(.text, "\(spelled("lowercase"))(\(inner.format))", inner.arguments) { subject in
        inner.value(subject).text.map { .text($0.lowercased()) } ?? .null
      }
    case 2:
      return DrawnTerm(.text, "\(spelled("canonical"))(\(inner.format))", inner.arguments) { subject in
        inner.value(subject).text.map { .text(TermValue.folded($0, "cd")) } ?? .null
      }
    case 3:
      let (condition, other) = (condition(depth: 0), textTerm(depth: 0))
      return DrawnTerm(
        .text, "TERNARY(\(condition.format), \(inner.format), \(other.format))",
        condition.arguments + inner.arguments + other.arguments
      ) { condition.holds($0) ? inner.value($0) : other.value($0) }
    case 4:
      let path = pick(["rank", "level", "box.size", "weight", "ratio"]) ?? "rank"
      return DrawnTerm(.text, chance(1, of: 2) ? "CAST(\(path), 'NSString')" : path + ".stringValue") { subject in
        let value = subject.value(path)
        return value.isNull ? .null : .text(value.words)
      }
    default:
      let (name, other) = (pick(["min", "max"]) ?? "min", textTerm(depth: 0))
      return DrawnTerm(.text, "\(name)({\(inner.format), \(other.format)})", inner.arguments + other.arguments) {
        TermValue.aggregate(name, [inner.value($0), other.value($0)])
      }
    }
  }

  func textConstant(_ text: String) -> DrawnTerm {
    let isArgument = chance(1, of: 3)
    return DrawnTerm(.text, isArgument ? "%@" : literal(text), isArgument ? [text] : []) { _ in .text(text) }
  }

  /// A text between quotes, with escapes where they are needed, and where they may be.
  func literal(_ text: String) -> String {
    let quote: Unicode.Scalar = chance(1, of: 2) ? "'" : "\""
    let isWritten = chance(1, of: 2)
    var result = String(quote)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", quote: result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += isWritten ? "\\t" : "\t"
      default:
        if isWritten, !scalar.isASCII || scalar == "Z" {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + String(quote)
  }
}
