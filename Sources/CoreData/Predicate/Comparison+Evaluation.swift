import RowStore

extension Comparison {
  /// Whether the comparison holds between the left side and the right one, which has several values for `IN` and `BETWEEN`.
  func holds(_ left: Slot, _ right: [Slot]) -> Bool {
    switch op {
    case .isIn: return right.contains { Self.holds(resolved(.equal), left, $0) }
    case .between:
      guard right.count == 2 else { return false }
      return Self.holds(resolved(.greaterOrEqual), left, right[0])
        && Self.holds(resolved(.lessOrEqual), left, right[1])
    default:
      guard let right = right.first, let op = resolvedOperator else { return false }
      return Self.holds(resolved(op), left, right)
    }
  }

  private static func holds(_ comparison: ResolvedComparison, _ left: Slot, _ right: Slot) -> Bool {
    do {
      return try comparison.holds(left, right)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private func resolved(_ op: ResolvedComparison.Operator) -> ResolvedComparison {
    var folding: TextFolding = []
    if ignoresCase { folding.insert(.ignoringCase) }
    if ignoresDiacritics { folding.insert(.ignoringDiacritics) }
    return ResolvedComparison(op: op, folding: folding)
  }

  private var resolvedOperator: ResolvedComparison.Operator? {
    switch op {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .like: .like
    case .matches: .matches
    case .isIn, .between: nil
    }
  }
}
