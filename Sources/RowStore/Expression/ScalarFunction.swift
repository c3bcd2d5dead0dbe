import Foundation

/// A function of values; SQL calls the code that evaluates in memory, unless SQLite computes the same.
///
/// A null among the arguments makes the result null, and so does a call without a result, such as a division by zero.
package enum ScalarFunction: String, CaseIterable, Sendable {
  case add, subtract, multiply, divide, modulus
  case absolute, ceiling, floor, truncate
  case squareRoot, naturalLogarithm, logarithm, exponential, power
  case bitAnd, bitOr, bitXor, bitNot, shiftLeft, shiftRight
  case uppercase, lowercase
  /// A text in UTF-16 code units, data in bytes.
  case length
  /// A text made comparable without regard to case and diacritics.
  case canonical
  /// A text folded for `[c]`, `[d]`, `[cd]`.
  case foldCase, foldDiacritics, foldBoth
  /// A number as a floating-point number.
  case real
  /// A number without its fraction, or that a text has in it.
  case integer
  /// A number or text as text.
  case text
  /// A number of single precision as text.
  case singleText
  /// The same value: where SQL is not to use an index.
  case plain
  case listSum, listAverage, listMinimum, listMaximum, listCount

  /// Name of the function in SQL.
  var sqlName: String { "coredata_\(rawValue)" }

  package init?(_ folding: TextFolding) {
    switch folding {
    case .ignoringCase: self = .foldCase
    case .ignoringDiacritics: self = .foldDiacritics
    case [.ignoringCase, .ignoringDiacritics]: self = .foldBoth
    default: return nil
    }
  }

  package func callAsFunction(_ arguments: [Slot]) -> Slot {
    switch self {
    case .listSum, .listAverage, .listMinimum, .listMaximum, .listCount: return list(arguments).comparable
    default: break
    }
    guard let first = arguments.first, !first.isNull else { return .null }
    if arguments.count > 1 {
      let second = arguments[1]
      return second.isNull ? .null : binary(first, second).comparable
    }
    return unary(first).comparable
  }

  // MARK: One argument

  private func unary(_ value: Slot) -> Slot {
    switch (self, value) {
    case (.plain, _): value
    case (.uppercase, .string(let text)): .string(text.uppercased())
    case (.lowercase, .string(let text)): .string(text.lowercased())
    case (.foldCase, _): TextFolding.ignoringCase.fold(value)
    case (.foldDiacritics, _): TextFolding.ignoringDiacritics.fold(value)
    case (.foldBoth, _), (.canonical, _): TextFolding([.ignoringCase, .ignoringDiacritics]).fold(value)
    case (.length, .string(let text)): .integer(Int64(text.utf16.count))
    case (.length, .data(let data)): .integer(Int64(data.count))
    case (.text, .string): value
    case (.text, .integer(let number)): .string("\(number)")
    case (.text, .real(let number)), (.text, .date(let number)): .string(NumberText.text(number))
    case (.singleText, .real(let number)): .string(NumberText.text(single: number))
    case (.integer, .string(let text)): Self.number(text).map { ScalarFunction.integer.unary($0) } ?? .null
    case (.real, .string(let text)): Self.number(text)?.double.map { .real($0) } ?? .null
    case (.bitNot, .integer(let number)): .integer(~number)
    case (_, .integer(let number)): ofInteger(number)
    case (_, .real(let number)), (_, .date(let number)): ofReal(number)
    default: .null
    }
  }

  private static func number(_ text: String) -> Slot? {
    let text = text.trimmingCharacters(in: .whitespaces)
    return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
  }

  private func ofInteger(_ number: Int64) -> Slot {
    switch self {
    case .absolute: number == .min ? .real(0x1p63) : .integer(abs(number))
    case .ceiling, .floor, .truncate, .integer: .integer(number)
    default: ofReal(Double(number))
    }
  }

  private func ofReal(_ number: Double) -> Slot {
    switch self {
    case .absolute: .real(abs(number))
    case .ceiling: .real(number.rounded(.up))
    case .floor: .real(number.rounded(.down))
    case .truncate: .real(number.rounded(.towardZero))
    case .integer: Int64(exactly: number.rounded(.towardZero)).map { .integer($0) } ?? .null
    case .squareRoot: .real(number.squareRoot())
    case .naturalLogarithm: .real(Foundation.log(number))
    case .logarithm: .real(Foundation.log10(number))
    case .exponential: .real(Foundation.exp(number))
    case .real: .real(number)
    default: .null
    }
  }

  // MARK: Two arguments

  private func binary(_ left: Slot, _ right: Slot) -> Slot {
    if case .integer(let left) = left, case .integer(let right) = right, let whole = ofIntegers(left, right) {
      return whole
    }
    guard let left = left.double, let right = right.double else { return .null }
    return switch self {
    case .add: .real(left + right)
    case .subtract: .real(left - right)
    case .multiply: .real(left * right)
    case .divide: right == 0 ? .null : .real(left / right)
    case .modulus: right == 0 ? .null : .real(fmod(left, right))
    case .power: .real(Foundation.pow(left, right))
    default: .null
    }
  }

  /// The result in integers; nil where it takes floating-point numbers, as SQLite does on overflow.
  private func ofIntegers(_ left: Int64, _ right: Int64) -> Slot? {
    func unless(_ result: (partialValue: Int64, overflow: Bool)) -> Slot? {
      result.overflow ? nil : .integer(result.partialValue)
    }
    return switch self {
    case .add: unless(left.addingReportingOverflow(right))
    case .subtract: unless(left.subtractingReportingOverflow(right))
    case .multiply: unless(left.multipliedReportingOverflow(by: right))
    case .divide: right == 0 ? .null : unless(left.dividedReportingOverflow(by: right))
    case .modulus: right == 0 ? .null : .integer(right == -1 ? 0 : left % right)
    case .bitAnd: .integer(left & right)
    case .bitOr: .integer(left | right)
    case .bitXor: .integer(left ^ right)
    case .shiftLeft: .integer(left << right)
    case .shiftRight: .integer(left >> right)
    default: nil
    }
  }

  // MARK: Lists

  private func list(_ values: [Slot]) -> Slot {
    let known = values.filter { !$0.isNull }
    switch self {
    case .listCount: return .integer(Int64(values.count))
    case .listMinimum: return known.min { ($0.order($1) ?? 0) < 0 } ?? .null
    case .listMaximum: return known.max { ($0.order($1) ?? 0) < 0 } ?? .null
    default:
      var sum = ExactSum()
      for value in known { sum.add(value) }
      return self == .listSum ? sum.sum : sum.average(of: values.count)
    }
  }
}
