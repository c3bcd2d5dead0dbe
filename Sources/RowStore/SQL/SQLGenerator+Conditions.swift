import Foundation

extension SQLGenerator {
  /// Parts of one AND or OR; more are nested, since SQLite bounds the depth of an expression.
  private static let partsMax = 100

  /// The SQL of a predicate, for a WHERE, an ON or a HAVING, where null counts as false.
  ///
  /// - Precondition: it can be translated (``ResolvedPredicate/isTranslatable``).
  package mutating func condition(_ predicate: ResolvedPredicate) -> String { condition(predicate, isNegated: false) }

  /// Below a NOT each comparison is made two-valued, so that null does not slip through.
  private mutating func condition(_ predicate: ResolvedPredicate, isNegated: Bool) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .and(let parts): return joined(parts, " AND ", isNegated, empty: "1")
    case .or(let parts): return joined(parts, " OR ", isNegated, empty: "0")
    case .not(let part): return "NOT (\(condition(part, isNegated: true)))"
    case .exists(let collection, let predicate):
      let sql = select(collection) { generator in ("1", generator.condition(predicate)) }
      return "EXISTS (\(sql))"
    case .comparison(let left, let comparison, let right):
      let sql = self.comparison(left, comparison, right)
      return isNegated ? "ifnull(\(sql), 0)" : sql
    case .membership(let value, let set, let folding):
      let sql = membership(operand(value, folding), set)
      return isNegated ? "ifnull(\(sql), 0)" : sql
    case .between(let value, let low, let high, let folding):
      let sql = "\(operand(value, folding)) BETWEEN \(operand(low, folding)) AND \(operand(high, folding))"
      return isNegated ? "ifnull(\(sql), 0)" : sql
    case .opaque: preconditionFailure("only translatable predicates come here")
    }
  }

  private mutating func joined(
    _ parts: [ResolvedPredicate], _ separator: String, _ isNegated: Bool, empty: String
  ) -> String {
    if parts.isEmpty { return empty }
    var conditions: [String] = []
    for part in parts { conditions.append(condition(part, isNegated: isNegated)) }
    while conditions.count > Self.partsMax {
      conditions = stride(from: 0, to: conditions.count, by: Self.partsMax).map { start in
        let part = conditions[start..<min(conditions.count, start + Self.partsMax)]
        return "(" + part.joined(separator: separator) + ")"
      }
    }
    return "(" + conditions.joined(separator: separator) + ")"
  }

  /// A side of a comparison, folded as its options say.
  private mutating func operand(_ value: ResolvedExpression, _ folding: TextFolding) -> String {
    guard let function = ScalarFunction(folding) else { return expression(value) }
    if case .constant(let slot) = value { return expression(.constant(folding.fold(slot))) }
    return expression(.function(function, [value]))
  }

  private mutating func comparison(
    _ left: ResolvedExpression, _ comparison: ResolvedComparison, _ right: ResolvedExpression
  ) -> String {
    if comparison.op == .matches {
      let (text, pattern) = (expression(left), expression(right))
      return "\(PredicateFunctions.matches)(\(text), \(pattern), \(comparison.folding.rawValue))"
    }
    let column = operand(left, comparison.folding)
    if case .constant(let slot) = right {
      return self.comparison(column, comparison.op, comparison.folding.fold(slot))
    }
    let other = operand(right, comparison.folding)
    switch comparison.op {
    case .equal: return "\(column) IS \(other)"
    case .notEqual: return "\(column) IS NOT \(other)"
    case .less: return "\(column) < \(other)"
    case .lessOrEqual: return "\(column) <= \(other)"
    case .greater: return "\(column) > \(other)"
    case .greaterOrEqual: return "\(column) >= \(other)"
    case .contains: return "instr(\(column), \(other)) > 0"
    case .beginsWith: return "\(PredicateFunctions.beginsWith)(\(column), \(other))"
    case .endsWith: return "\(PredicateFunctions.endsWith)(\(column), \(other))"
    case .like, .matches: return "\(PredicateFunctions.like)(\(column), \(other))"
    }
  }

  /// With a constant on the right, in a form that can use an index where there is one.
  private mutating func comparison(_ column: String, _ op: ResolvedComparison.Operator, _ slot: Slot) -> String {
    switch op {
    case .equal: return slot.isNull ? "\(column) IS NULL" : "\(column) = \(parameter(slot))"
    case .notEqual: return slot.isNull ? "\(column) IS NOT NULL" : "\(column) IS NOT \(parameter(slot))"
    case .less: return "\(column) < \(parameter(slot))"
    case .lessOrEqual: return "\(column) <= \(parameter(slot))"
    case .greater: return "\(column) > \(parameter(slot))"
    case .greaterOrEqual: return "\(column) >= \(parameter(slot))"
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .string(let text) = slot else { return constant("NULL", insteadOf: column) }
      return self.comparison(column, op, text)
    }
  }

  private mutating func comparison(_ column: String, _ op: ResolvedComparison.Operator, _ text: String) -> String {
    switch op {
    case _ where text.isEmpty && op != .like: return "\(column) IS NOT NULL"
    case .contains: return "instr(\(column), \(parameter(.string(text)))) > 0"
    case .beginsWith:
      let from = "\(column) >= \(parameter(.string(text)))"
      guard let end = text.endOfPrefix else { return from }
      return "(\(from) AND \(column) < \(parameter(.string(end))))"
    case .endsWith:
      // In bytes: SQLite's functions of texts end at a NUL.
      let end = parameter(.data(Data(text.utf8)))
      return "substr(CAST(\(column) AS BLOB), -length(\(end))) = \(end)"
    default:
      if let simple = Wildcard(text).simple { return comparison(column, simple.op, .string(simple.text)) }
      return "\(PredicateFunctions.like)(\(column), \(parameter(.string(text))))"
    }
  }
}

extension String {
  /// The least text that comes after every text with this prefix, by code points; nil when there is none.
  fileprivate var endOfPrefix: String? {
    var scalars = unicodeScalars
    while let last = scalars.popLast() {
      // The code points between are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let successor = Unicode.Scalar(next) {
        scalars.append(successor)
        return String(scalars)
      }
    }
    return nil
  }
}
