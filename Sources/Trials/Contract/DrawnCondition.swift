import CoreData

/// A drawn condition on an item: its format with arguments, and by hand whether it holds.
struct DrawnCondition {
  let format: String
  let arguments: [Any]
  let holds: (DrawnTerm.Subject) -> Bool

  init(_ format: String, _ arguments: [Any] = [], _ holds: @escaping (DrawnTerm.Subject) -> Bool) {
    precondition(!format.isEmpty, "a condition has a text")
    (self.format, self.arguments, self.holds) = (format, arguments, holds)
  }

  var predicate: NSPredicate { NSPredicate(format: format, argumentArray: arguments) }
  var words: String { arguments.isEmpty ? format : "\(format) \(arguments)" }
}

extension RuleTrial {
  private static let symbols = ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]

  func condition(depth: Int) -> DrawnCondition {
    precondition(depth >= 0, "a condition has a depth")
    if depth > 0, chance(3, of: 5) { return compound(depth) }
    switch draw(14) {
    case 0...2: return comparison(numberTerm(depth: depth), numberTerm(depth: depth > 0 ? draw(2) : 0))
    case 3...5: return textComparison(textTerm(depth: depth))
    case 6: return nullComparison()
    case 7, 8: return membership()
    case 9: return between()
    case 10, 11: return quantified()
    case 12: return subquery()
    default:
      let isTrue = chance(1, of: 2)
      return DrawnCondition(isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE") { _ in isTrue }
    }
  }

  private func compound(_ depth: Int) -> DrawnCondition {
    let left = condition(depth: depth - 1)
    if chance(1, of: 3) {
      return DrawnCondition("\(pick(["NOT ", "!", "not "]) ?? "!")(\(left.format))", left.arguments) { !left.holds($0) }
    }
    let right = condition(depth: depth - 1)
    let isAnd = chance(1, of: 2)
    let word = pick(isAnd ? ["AND", "&&", "and"] : ["OR", "||", "or"]) ?? "AND"
    return DrawnCondition("(\(left.format)) \(word) (\(right.format))", left.arguments + right.arguments) { subject in
      isAnd ? left.holds(subject) && right.holds(subject) : left.holds(subject) || right.holds(subject)
    }
  }

  // MARK: One value

  private func comparison(_ left: DrawnTerm, _ right: DrawnTerm) -> DrawnCondition {
    let symbol = pick(Self.symbols) ?? "=="
    return DrawnCondition("\(left.format) \(symbol) \(right.format)", left.arguments + right.arguments) {
      left.value($0).holds(symbol, right.value($0))
    }
  }

  private func textComparison(_ left: DrawnTerm) -> DrawnCondition {
    let options = pick(["", "", "c", "d", "cd"]) ?? ""
    let brackets = options.isEmpty ? "" : "[\(options)]"
    if options.isEmpty, chance(1, of: 6) { return matching(left) }
    if chance(2, of: 5) {
      let (symbol, right) = (pick(Self.symbols) ?? "==", textTerm(depth: draw(2)))
      return DrawnCondition("\(left.format) \(symbol)\(brackets) \(right.format)", left.arguments + right.arguments) {
        left.value($0).folded(options).holds(symbol, right.value($0).folded(options))
      }
    }
    let word = pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "beginswith"]) ?? "LIKE"
    let patterns = [
      "", "a", "al*", "*a", "*e*", "?", "????", "c?f\u{e9}", "be\\*?%*", "*\\", "*\\\\*", "Z", "cafe", "\u{e9}",
    ]
    let right = chance(1, of: 4) ? textTerm(depth: draw(2)) : textConstant(pick(patterns) ?? "")
    return DrawnCondition("\(left.format) \(word)\(brackets) \(right.format)", left.arguments + right.arguments) {
      let (text, part) = (left.value($0).folded(options).text, right.value($0).folded(options).text)
      guard let text, let part else { return false }
      return Self.holds(text, word.uppercased(), part)
    }
  }

  private static func holds(_ text: String, _ word: String, _ part: String) -> Bool {
    let (scalars, others) = (Array(text.unicodeScalars), Array(part.unicodeScalars))
    switch word {
    case "BEGINSWITH": return scalars.starts(with: others)
    case "ENDSWITH": return scalars.reversed().starts(with: others.reversed())
    case "CONTAINS": return (0...scalars.count).contains { scalars[$0...].starts(with: others) }
    default: return isLike(scalars[...], others[...])
    }
  }

  /// `*` is any text, `?` one code point, and a backslash has the next one meant as it is.
  private static func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return (text.startIndex...text.endIndex).contains { isLike(text[$0...], pattern.dropFirst()) }
    }
    guard let next = text.first else { return false }
    if first == "?" { return isLike(text.dropFirst(), pattern.dropFirst()) }
    let rest = first == "\\" && pattern.count > 1 ? pattern.dropFirst() : pattern
    return rest.first == next && isLike(text.dropFirst(), rest.dropFirst())
  }

  /// Regular expressions with what they mean.
  private func matching(_ left: DrawnTerm) -> DrawnCondition {
    let expressions: [(String, (String) -> Bool)] = [
      ("[a-z]+", { !$0.isEmpty && $0.unicodeScalars.allSatisfy { "a"..."z" ~= $0 } }), ("", \.isEmpty),
      ("[^\\n]*", { !$0.contains("\n") }), ("al.*|Z", { $0.hasPrefix("al") || $0 == "Z" }),
      (".{5}", { $0.unicodeScalars.count == 5 && !$0.contains("\n") }), ("(?i)ALPHA", { $0.lowercased() == "alpha" }),
      ("\\d+", { !$0.isEmpty && $0.unicodeScalars.allSatisfy { "0"..."9" ~= $0 } }),
    ]
    guard let (pattern, holds) = pick(expressions) else { return nullComparison() }
    let right = textConstant(pattern)
    return DrawnCondition("\(left.format) MATCHES \(right.format)", left.arguments + right.arguments) { subject in
      left.value(subject).text.map(holds) ?? false
    }
  }

  private func nullComparison() -> DrawnCondition {
    let path = pick(["name", "level", "weight", "box.title", "box", "place.zip", "madeAt", "page", "code"]) ?? "name"
    let isEqual = chance(1, of: 2)
    let word = pick(["nil", "NULL", "NIL", "null"]) ?? "nil"
    return DrawnCondition("\(path) \(isEqual ? "==" : "!=") \(word)") { $0.value(path).isNull == isEqual }
  }

  // MARK: Lists

  private func membership() -> DrawnCondition {
    switch draw(5) {
    case 0:
      let (value, members) = (numberTerm(depth: draw(2)), (0..<(1 + draw(3))).map { _ in numberTerm(depth: draw(2)) })
      let list = members.map(\.format).joined(separator: ", ")
      return DrawnCondition("\(value.format) IN {\(list)}", value.arguments + members.flatMap(\.arguments)) { subject in
        members.contains { $0.value(subject).isSame(as: value.value(subject)) }
      }
    case 1:
      let numbers = some([0, 1, 2, 3, 5, -7], atMost: 4)
      let value = numberTerm(depth: draw(2))
      let given: Any = chance(1, of: 2) ? numbers as Any : Set(numbers)
      return DrawnCondition("\(value.format) IN %@", value.arguments + [given]) { subject in
        numbers.contains { TermValue.whole($0).isSame(as: value.value(subject)) }
      }
    case 2:
      let options = pick(["", "c", "d", "cd"]) ?? ""
      let members = some(Self.hardTexts, atMost: 4).map { TermValue.text($0) }
      let value = textTerm(depth: draw(2))
      let list = members.compactMap(\.text).map { literal($0) }.joined(separator: ", ")
      return DrawnCondition(
        "\(value.format) IN\(options.isEmpty ? "" : "[\(options)]") {\(list)}", value.arguments
      ) { subject in
        members.contains { $0.folded(options).isSame(as: value.value(subject).folded(options)) }
      }
    case 3:
      let (part, text, options) = (textTerm(depth: 0), textTerm(depth: draw(2)), pick(["", "c", "cd"]) ?? "")
      return DrawnCondition(
        "\(part.format) IN\(options.isEmpty ? "" : "[\(options)]") \(text.format)", part.arguments + text.arguments
      ) { subject in
        guard let text = text.value(subject).folded(options).text, let part = part.value(subject).folded(options).text
        else { return false }
        return Self.holds(text, "CONTAINS", part)
      }
    default:
      let value = numberTerm(depth: draw(2))
      let isFirst = chance(1, of: 2)
      return DrawnCondition(
        isFirst ? "\(value.format) IN tags.weight" : "tags.weight CONTAINS \(value.format)", value.arguments
      ) { subject in subject.tags("weight").contains { $0.isSame(as: value.value(subject)) } }
    }
  }

  private func between() -> DrawnCondition {
    let isText = chance(1, of: 3)
    let terms = (0..<3).map { _ in isText ? textTerm(depth: draw(2)) : numberTerm(depth: draw(2)) }
    let options = isText ? pick(["", "c", "d"]) ?? "" : ""
    return DrawnCondition(
      "\(terms[0].format) BETWEEN\(options.isEmpty ? "" : "[\(options)]") {\(terms[1].format), \(terms[2].format)}",
      terms.flatMap(\.arguments)
    ) { subject in
      let values = terms.map { $0.value(subject).folded(options) }
      return values[0].holds(">=", values[1]) && values[0].holds("<=", values[2])
    }
  }

  /// Of any, of all and of none of the tags.
  private func quantified() -> DrawnCondition {
    let word = pick(["ANY", "SOME", "ALL", "NONE", "any"]) ?? "ANY"
    let isText = chance(1, of: 2)
    let (symbol, right) = (pick(Self.symbols) ?? "==", isText ? textTerm(depth: draw(2)) : numberTerm(depth: draw(2)))
    let options = isText ? pick(["", "", "c", "cd"]) ?? "" : ""
    let (key, brackets) = (isText ? "remark" : "weight", options.isEmpty ? "" : "[\(options)]")
    return DrawnCondition("\(word) tags.\(key) \(symbol)\(brackets) \(right.format)", right.arguments) { subject in
      let value = right.value(subject).folded(options)
      let holding = subject.tags(key).map { $0.folded(options).holds(symbol, value) }
      switch word {
      case "ALL": return !holding.contains(false)
      case "NONE": return !holding.contains(true)
      default: return holding.contains(true)
      }
    }
  }

  /// How many tags meet a condition about themselves and the item.
  private func subquery() -> DrawnCondition {
    let (first, second) = (pick(Self.symbols) ?? "==", pick(Self.symbols) ?? ">")
    let (right, count) = (numberTerm(depth: draw(2)), draw(3))
    let isNull = chance(1, of: 3)
    let other = isNull ? " OR $t.remark == nil" : ""
    return DrawnCondition(
      "SUBQUERY(tags, $t, $t.weight \(first) \(right.format)\(other)).@count \(second) \(count)", right.arguments
    ) { subject in
      let found = subject.members.filter { tag in
        TermValue(tag.value(forKey: "weight")).holds(first, right.value(subject))
          || isNull && tag.value(forKey: "remark") == nil
      }
      return TermValue.whole(found.count).holds(second, .whole(count))
    }
  }
}

extension TermValue {
  fileprivate func folded(_ options: String) -> TermValue { text.map { .text(Self.folded($0, options)) } ?? self }
}
