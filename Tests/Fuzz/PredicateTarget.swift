import CoreData

/// Formats of predicates: put together from words, then damaged; a predicate that was read is printed, reread and evaluated.
struct PredicateTarget: FuzzTarget {
  struct Input {
    let format: String
    let arguments: [Any?]
  }

  private static let operands = [
    "a", "name", "count", "items", "when", "%K", "%@", "%d", "%f", "%ld", "%1$@", "SELF", "$x", "$x.name", "1", "-2",
    "3.5",
    "1e3", "0x1F", "0b101", "'text'", "\"quo\\\"ted\"", "nil", "NULL", "TRUE", "NO", "items.@count", "items.@sum.n",
    "items.@avg.n", "items.@max.n", "items.@distinctUnionOfObjects.n", "items[0]", "items[FIRST]", "items[SIZE]",
    "{1, 2, 3}",
    "{}", "{'a', nil}", "(a + 1)", "a * -b", "2 ** 3", "a & 4", "~a", "a << 70", "now()", "sum(items.n)", "abs(-3)",
    "uppercase:(name)", "modulus:by:(a, 0)", "divide:by:(1, 0)", "random()", "CAST(a, 'NSDate')",
    "CAST('x', 'NSNumber')",
    "FUNCTION(name, 'length')", "TERNARY(a > 1, 'x', 2)", "SUBQUERY(items, $y, $y.n > 1).@count", "items UNION {1}",
    "items MINUS items", "#and", "nested.deep.key", "median({1, 5})", "mode({1, 1, 2})", "stddev(items.n)", "items.n",
    "max({1, 'a'})", "length(name)", "9223372036854775807 + 1", "-9223372036854775808 / -1",
  ]
  private static let operators = [
    "==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH",
    "LIKE", "MATCHES", "contains[cd]", "like [c]", "==[n]", "matches[d]", "in[l]", "+", ":=",
  ]
  private static let modifiers = ["", "", "", "", "ANY ", "ALL ", "NONE ", "SOME ", "NOT ", "! "]
  private static let words =
    operands + operators + [
      "(", ")", "{", "}", "[", "]", ",", ".", "AND", "OR", "&&", "||", "%", "'", "\\", "@", "#", "$",
    ]

  private let objects: [Any?] = [
    nil, NSNull(), 5, "text", Date(timeIntervalSinceReferenceDate: 0), [1, 2, 3], ["a", NSNull()] as [Any],
    [
      "a": 3, "b": 2, "name": "Zoé", "count": 0, "when": Date(timeIntervalSinceReferenceDate: 5),
      "items": [["n": 1], ["n": 2.5], ["n": NSNull()]] as [[String: Any]],
    ] as [String: Any],
    ["a": "x", "name": 4, "items": [1, "a"] as [Any], "nested": ["deep": ["key": 1]]] as [String: Any],
    ["a": NSNull(), "items": Set([1, 2])] as [String: Any],
  ]

  func description(of input: Input) -> String {
    "\(String(reflecting: input.format)) with \(input.arguments.map { $0.map { "\($0)" } ?? "nil" })"
  }

  func input(_ generator: inout FuzzGenerator) -> Input {
    var format = self.format(&generator, depth: 0)
    switch generator.below(4) {
    case 0: break
    case 1: format = shuffled(format, &generator)
    default: format = String(decoding: Mutation.damaged(Array(format.utf8), &generator), as: UTF8.self)
    }
    return Input(format: format, arguments: arguments(for: format, &generator))
  }

  private func format(_ generator: inout FuzzGenerator, depth: Int) -> String {
    if depth < 4, generator.oneIn(3) {
      let joint = generator.element([" AND ", " OR ", " && ", " || "])
      let parts = (0...generator.below(3)).map { _ in format(&generator, depth: depth + 1) }
      return "(" + parts.joined(separator: joint) + ")"
    }
    if generator.oneIn(12) { return generator.element(["TRUEPREDICATE", "FALSEPREDICATE", "a", "NOT TRUEPREDICATE"]) }
    if generator.oneIn(200) {
      let count = 1 + generator.below(3000)
      return generator.element(["(", "NOT ", "-", "a + ", "a.", "{", "abs("]).repeated(count) + "1 == 1"
        + generator.element(["", ")"]).repeated(count)
    }
    return generator.element(Self.modifiers) + generator.element(Self.operands) + " "
      + generator.element(Self.operators) + " " + generator.element(Self.operands)
  }

  private func shuffled(_ format: String, _ generator: inout FuzzGenerator) -> String {
    var words = format.split(separator: " ").map(String.init)
    for _ in 0...generator.below(4) {
      words.insert(generator.element(Self.words), at: generator.below(words.count + 1))
      if generator.oneIn(2) { words.swapAt(generator.below(words.count), generator.below(words.count)) }
    }
    return words.joined(separator: " ")
  }

  /// As many as there seem to be places, now and then one too many or too few.
  private func arguments(for format: String, _ generator: inout FuzzGenerator) -> [Any?] {
    let values: [Any?] = [
      "name", "a.b", 5, -1, 2.5, true, nil, NSNull(), Date(timeIntervalSinceReferenceDate: 9), [1, 2], ["x", "y"], "",
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), Decimal(3), Data([1]), UInt64.max,
      Double.nan, Set(["a"]), "[", "items.@count", NSObject.self,
    ]
    let letters = Array(format)
    var arguments: [Any?] = []
    for (place, letter) in letters.enumerated() where letter == "%" {
      let wanted = place + 1 < letters.count ? letters[place + 1] : " "
      let value: Any? = wanted == "K" ? "items" : wanted == "d" || wanted == "l" ? 4 : wanted == "f" ? 0.5 : nil
      arguments.append(value == nil || generator.oneIn(8) ? generator.element(values) : value)
    }
    if generator.oneIn(10) { arguments.append(generator.element(values)) }
    if generator.oneIn(10), !arguments.isEmpty { arguments.removeLast() }
    return arguments
  }

  func run(_ input: Input, _ generator: inout FuzzGenerator) -> FuzzOutcome {
    guard let predicate = try? NSPredicate.parsing(input.format, arguments: input.arguments) else { return .refused }
    if let fault = differenceWhenPrinted(predicate, input) { return .wrong(fault) }
    let variables: [String: Any] = ["x": ["name": "x", "n": 1] as [String: Any]]
    for object in objects {
      // An error is an answer; so is either truth.
      _ = try? predicate.evaluating(object, variables: variables)
    }
    return .read
  }

  /// A printed predicate is read again as itself, unless an argument has no literal.
  private func differenceWhenPrinted(_ predicate: NSPredicate, _ input: Input) -> String? {
    let text = "\(predicate)"
    guard !input.format.contains("%") else { return nil }
    guard let again = try? NSPredicate.parsing(text, arguments: []) else {
      return "printed as \(text), which is refused"
    }
    return again.isEqual(predicate) ? nil : "printed as \(text), which is read as \(again)"
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
