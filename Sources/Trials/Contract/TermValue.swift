import CoreData

/// The value of an expression by hand: what a number or a text is, and how two of them are compared.
enum TermValue {
  case null
  case whole(Int)
  case real(Double)
  case text(String)

  /// A value of the stack's; numbers may come as any class of number, of which those with a fraction have the types d and f.
  init(_ value: Any?) {
    switch value {
    case nil, is NSNull: self = .null
    case let text as String: self = .text(text)
    case let date as Date: self = .real(date.timeIntervalSinceReferenceDate)
    case let number as NSNumber:
      let isReal = number is NSDecimalNumber || [0x64, 0x66].contains(number.objCType.pointee)
      self = isReal ? TermValue(real: number.doubleValue) : .whole(number.intValue)
    default: self = .text("\(value.map { "\($0)" } ?? "")")
    }
  }

  /// Not a number is null.
  init(real: Double) { self = real.isNaN ? .null : .real(real) }

  var isNull: Bool { if case .null = self { true } else { false } }

  var number: Double? {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    case .null, .text: nil
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// For reports, and for comparing what two ways give: the same for numbers that are equal.
  var words: String {
    switch self {
    case .null: "null"
    case .whole(let number): "\(number)"
    case .real(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): "'\(RulePicture.text(text))'"
    }
  }

  /// Which of two numbers or texts comes first, texts by their code points; nil for null, and for a number beside a text.
  func order(_ other: TermValue) -> Int? {
    switch (self, other) {
    case (.whole(let left), .whole(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.real(let left), .real(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.whole(let left), .real(let right)): return Self.order(left, right)
    case (.real(let left), .whole(let right)): return -Self.order(right, left)
    case (.text(let left), .text(let right)):
      let (left, right) = (left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value))
      return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    default: return nil
    }
  }

  /// Exact, though a large integer is no floating-point number.
  private static func order(_ left: Int, _ right: Double) -> Int {
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int(right.rounded(.down))
    if left != whole { return left < whole ? -1 : 1 }
    return right > Double(whole) ? -1 : 0
  }

  /// Null is equal to null alone.
  func isSame(as other: TermValue) -> Bool { isNull && other.isNull || order(other) == 0 }

  /// Whether a comparison holds: with null there is none but of equality.
  func holds(_ symbol: String, _ other: TermValue) -> Bool {
    let order = order(other)
    switch symbol {
    case "==", "=": return isSame(as: other)
    case "!=", "<>": return !isSame(as: other)
    case "<": return order.map { $0 < 0 } ?? false
    case "<=", "=<": return order.map { $0 <= 0 } ?? false
    case ">": return order.map { $0 > 0 } ?? false
    case ">=", "=>": return order.map { $0 >= 0 } ?? false
    default: preconditionFailure("\(symbol) is no comparison of numbers or texts")
    }
  }

  // MARK: Functions

  /// A function of one number; null of null.
  func applying(_ name: String) -> TermValue {
    guard let number else { return .null }
    switch (name, self) {
    case ("abs", .whole(let number)): return .whole(abs(number))
    case ("floor", .whole), ("ceiling", .whole), ("trunc", .whole): return self
    case ("abs", _): return .real(abs(number))
    case ("floor", _): return .real(number.rounded(.down))
    case ("ceiling", _): return .real(number.rounded(.up))
    case ("trunc", _): return .real(number.rounded(.towardZero))
    case ("sqrt", _): return TermValue(real: number.squareRoot())
    case ("exp", _): return .real(exp(number))
    case ("ln", _): return TermValue(real: log(number))
    case ("log", _): return TermValue(real: log10(number))
    default: preconditionFailure("\(name) is no known function of one number")
    }
  }

  /// An operator between two numbers: of integers an integer, unless it overflows; null without a result.
  func combined(_ symbol: String, _ other: TermValue) -> TermValue {
    if case .whole(let left) = self, case .whole(let right) = other, let whole = Self.whole(left, symbol, right) {
      return whole
    }
    guard let left = number, let right = other.number else { return .null }
    switch symbol {
    case "+": return TermValue(real: left + right)
    case "-": return TermValue(real: left - right)
    case "*": return TermValue(real: left * right)
    case "/": return right == 0 ? .null : TermValue(real: left / right)
    case "%": return right == 0 ? .null : TermValue(real: fmod(left, right))
    case "**": return TermValue(real: pow(left, right))
    default: return .null
    }
  }

  private static func whole(_ left: Int, _ symbol: String, _ right: Int) -> TermValue? {
    func exact(_ result: (partialValue: Int, overflow: Bool)) -> TermValue? {
      result.overflow ? nil : .whole(result.partialValue)
    }
    switch symbol {
    case "+": return exact(left.addingReportingOverflow(right))
    case "-": return exact(left.subtractingReportingOverflow(right))
    case "*": return exact(left.multipliedReportingOverflow(by: right))
    case "/": return right == 0 ? .null : exact(left.dividedReportingOverflow(by: right))
    case "%": return right == 0 ? .null : .whole(right == -1 ? 0 : left % right)
    case "&": return .whole(left & right)
    case "|": return .whole(left | right)
    case "^": return .whole(left ^ right)
    case "<<": return .whole(left << right)
    case ">>": return .whole(left >> right)
    default: return nil
    }
  }

  /// A function of a list: nulls have no part in the least and the greatest, are 0 in a sum, and count.
  static func aggregate(_ name: String, _ values: [TermValue]) -> TermValue {
    precondition(!values.isEmpty, "a list that is drawn has elements")
    let known = values.filter { !$0.isNull }
    switch name {
    case "count": return .whole(values.count)
    case "min": return known.min { ($0.order($1) ?? 0) < 0 } ?? .null
    case "max": return known.max { ($0.order($1) ?? 0) < 0 } ?? .null
    case "sum": return known.reduce(.whole(0)) { $0.combined("+", $1) }
    case "average": return .real((aggregate("sum", values).number ?? 0) / Double(values.count))
    default: preconditionFailure("\(name) is no known function of a list")
    }
  }

  /// A text without case, without marks, or both; composed.
  static func folded(_ text: String, _ options: String) -> String {
    if options.isEmpty { return text }
    var result = text
    if options.contains("d") {
      let scalars = result.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !(0x300...0x36F ~= $0.value) }
      result = String(String.UnicodeScalarView(scalars))
    }
    if options.contains("c") { result = result.lowercased() }
    return result.precomposedStringWithCanonicalMapping
  }
}
