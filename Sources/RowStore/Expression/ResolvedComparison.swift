import Foundation

/// How two values are compared.
package struct ResolvedComparison {
  package enum Operator {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case contains, beginsWith, endsWith, like, matches

    package var isAboutText: Bool {
      switch self {
      case .contains, .beginsWith, .endsWith, .like, .matches: true
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: false
      }
    }
  }

  package var op: Operator
  package var folding: TextFolding = []

  package init(op: Operator, folding: TextFolding = []) {
    self.op = op
    self.folding = folding
  }

  /// The same comparison with the sides exchanged; nil where that is no operator.
  package var flipped: ResolvedComparison? {
    switch op {
    case .equal, .notEqual: self
    case .less: ResolvedComparison(op: .greater, folding: folding)
    case .lessOrEqual: ResolvedComparison(op: .greaterOrEqual, folding: folding)
    case .greater: ResolvedComparison(op: .less, folding: folding)
    case .greaterOrEqual: ResolvedComparison(op: .lessOrEqual, folding: folding)
    case .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }

  /// Whether the comparison holds between the left value and the right one.
  ///
  /// - Throws: when `MATCHES` is given no regular expression.
  package func holds(_ left: Slot, _ right: Slot) throws(PredicateFailure) -> Bool {
    if op == .matches {
      guard case .string(let text) = left, case .string(let pattern) = right else { return false }
      return try RegularExpressions.matches(text, pattern, folding)
    }
    return compares(folding.fold(left), folding.fold(right))
  }

  /// The same for values that are folded, and no pattern of `MATCHES`.
  private func compares(_ left: Slot, _ right: Slot) -> Bool {
    switch op {
    case .equal: return left.isSame(as: right)
    case .notEqual: return !left.isSame(as: right)
    case .less: return left.order(right).map { $0 < 0 } ?? false
    case .lessOrEqual: return left.order(right).map { $0 <= 0 } ?? false
    case .greater: return left.order(right).map { $0 > 0 } ?? false
    case .greaterOrEqual: return left.order(right).map { $0 >= 0 } ?? false
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .string(let text) = left, case .string(let pattern) = right else { return false }
      return compares(text, pattern)
    }
  }

  /// By code points, as SQLite compares.
  private func compares(_ text: String, _ pattern: String) -> Bool {
    switch op {
    case .beginsWith: text.utf8.starts(with: pattern.utf8)
    case .endsWith: text.utf8.reversed().starts(with: pattern.utf8.reversed())
    case .contains: text.containsBytes(of: pattern)
    case .like: Wildcard(pattern).matches(text)
    default: preconditionFailure("\(op) does not compare a text with a pattern")
    }
  }
}

extension String {
  /// Complexity: O(*n* · *m*) at worst.
  fileprivate func containsBytes(of pattern: String) -> Bool {
    var (text, pattern) = (self, pattern)
    return text.withUTF8 { text in
      pattern.withUTF8 { pattern in
        guard let first = pattern.first else { return true }
        guard text.count >= pattern.count else { return false }
        for start in 0...(text.count - pattern.count) where text[start] == first {
          if text[start..<(start + pattern.count)].elementsEqual(pattern) { return true }
        }
        return false
      }
    }
  }
}
