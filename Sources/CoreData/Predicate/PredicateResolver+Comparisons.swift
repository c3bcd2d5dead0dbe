import RowStore

extension PredicateResolver {
  mutating func comparison(_ predicate: NSComparisonPredicate) throws(PredicateFailure) -> ResolvedPredicate {
    var folding: TextFolding = []
    if predicate.options.contains(.caseInsensitive) { folding.insert(.ignoringCase) }
    if predicate.options.contains(.diacriticInsensitive) { folding.insert(.ignoringDiacritics) }
    let left = try operand(predicate.leftExpression)
    let right = try operand(predicate.rightExpression)
    let type = predicate.predicateOperatorType
    guard predicate.comparisonPredicateModifier != .direct else { return try compare(left, type, right, folding) }
    let isAll = predicate.comparisonPredicateModifier == .all
    func negated(_ predicate: ResolvedPredicate) -> ResolvedPredicate { isAll ? .not(predicate) : predicate }
    switch left {
    case .collection(let collection, let value, let valueType):
      let element = try compare(.value(value, valueType), type, right, folding)
      return negated(.exists(collection, negated(element)))
    case .list(let parts):
      var alternatives: [ResolvedPredicate] = []
      for part in parts { alternatives.append(negated(try compare(part, type, right, folding))) }
      return negated(.or(alternatives))
    // Of one value each of them is the comparison.
    case .value, .constant: return try compare(left, type, right, folding)
    }
  }

  private mutating func compare(
    _ left: Operand, _ type: NSComparisonPredicate.Operator, _ right: Operand, _ folding: TextFolding
  ) throws(PredicateFailure) -> ResolvedPredicate {
    switch type {
    case .in: return try membership(left, right, folding)
    case .between: return try between(left, right, folding)
    case .contains:
      switch left {
      case .collection, .list: return try membership(right, left, folding)
      case .value, .constant: break
      }
    default: break
    }
    guard let op = ResolvedComparison.Operator(type) else {
      throw PredicateFailure(position: nil, message: "comparisons by a custom selector are not supported")
    }
    return try compare(left, ResolvedComparison(op: op, folding: folding), right)
  }

  // MARK: Two values

  private mutating func compare(
    _ left: Operand, _ comparison: ResolvedComparison, _ right: Operand
  ) throws(PredicateFailure) -> ResolvedPredicate {
    // A constant is put on the right where the operator allows it, which SQL can use an index for.
    if case .constant = left, let flipped = comparison.flipped {
      if case .constant = right {} else { return try compare(right, flipped, left) }
    }
    let (left, leftType, right, rightType) = try values(left, right)
    if comparison.op.isAboutText {
      for type in [leftType, rightType] where !type.isText && type != .null {
        throw PredicateFailure(
          position: nil, message: "\(comparison.op) needs string operands; \(type.description) is not one")
      }
      if comparison.op == .matches, case .constant(.string(let pattern)) = right {
        _ = try RegularExpressions.expression(pattern, comparison.folding)
      }
    } else if comparison.op != .equal, comparison.op != .notEqual {
      for type in [leftType, rightType] where !type.isOrdered {
        throw PredicateFailure(
          position: nil, message: "\(type.description) has no order; it can only be compared with == and !=")
      }
    }
    return .comparison(left: left, comparison, right: right)
  }

  /// Both sides, a constant in the type of the other.
  private func values(
    _ left: Operand, _ right: Operand
  ) throws(PredicateFailure) -> (ResolvedExpression, ValueType, ResolvedExpression, ValueType) {
    switch (left, right) {
    case (.value(let left, let leftType), .value(let right, let rightType)):
      guard leftType.isComparable(with: rightType) else {
        throw PredicateFailure(
          position: nil, message: "\(leftType.description) cannot be compared with \(rightType.description)")
      }
      return (left, leftType, right, rightType)
    case (.value(let left, let type), .constant(let constant)):
      return (left, type, .constant(try type.slot(constant, comparedWith: left)), type)
    case (.constant(let constant), .value(let right, let type)):
      return (.constant(try type.slot(constant, comparedWith: right)), type, right, type)
    case (.constant(let left), .constant(let right)):
      let (left, leftType) = try ValueType.infer(left)
      let (right, rightType) = try ValueType.infer(right)
      return (.constant(left), leftType, .constant(right), rightType)
    default:
      for side in [left, right] {
        if case .list = side {
          throw PredicateFailure(position: nil, message: "a list can only be compared with IN, CONTAINS and BETWEEN")
        }
        if case .collection(let collection, _, _) = side {
          throw PredicateFailure(
            position: nil,
            message:
              "the to-many key path \(collection.label) has many values; use ANY, ALL, NONE, IN, @count or SUBQUERY")
        }
      }
      preconditionFailure("one of two sides that are no values is a list or a collection")
    }
  }

  // MARK: Lists

  private mutating func between(
    _ value: Operand, _ bounds: Operand, _ folding: TextFolding
  ) throws(PredicateFailure) -> ResolvedPredicate {
    guard case .list(let bounds) = bounds, bounds.count == 2 else {
      throw PredicateFailure(position: nil, message: "BETWEEN takes a list of two values")
    }
    let (_, _, low, _) = try values(value, bounds[0])
    let (value, type, high, _) = try values(value, bounds[1])
    guard type.isOrdered else {
      throw PredicateFailure(
        position: nil, message: "\(type.description) has no order; BETWEEN takes values that have one")
    }
    return .between(value, low, high, folding)
  }

  /// The condition that the value is an element of the right side, or a part of a text.
  private mutating func membership(
    _ value: Operand, _ elements: Operand, _ folding: TextFolding
  ) throws(PredicateFailure) -> ResolvedPredicate {
    let equal = ResolvedComparison(op: .equal, folding: folding)
    switch elements {
    case .collection(let collection, let element, let type):
      return .exists(collection, try compare(.value(element, type), equal, value))
    case .list(let parts): return try membership(value, in: parts, folding)
    case .constant(is String), .value(_, .text), .value(_, .url):
      return try compare(elements, ResolvedComparison(op: .contains, folding: folding), value)
    case .constant(nil), .constant(is NSNull): return .constant(false)
    case .constant, .value:
      throw PredicateFailure(position: nil, message: "IN takes a list, a to-many key path or a text on the right")
    }
  }

  private mutating func membership(
    _ value: Operand, in parts: [Operand], _ folding: TextFolding
  ) throws(PredicateFailure) -> ResolvedPredicate {
    var alternatives: [ResolvedPredicate] = []
    var slots: [Slot] = []
    for part in parts {
      if case .value(let expression, let type) = value, case .constant(let constant) = part {
        slots.append(folding.fold(try type.slot(constant, comparedWith: expression)))
      } else {
        alternatives.append(try compare(value, ResolvedComparison(op: .equal, folding: folding), part))
      }
    }
    if case .value(let expression, _) = value, !slots.isEmpty || alternatives.isEmpty {
      alternatives.insert(.membership(expression, ConstantSet(slots), folding), at: 0)
    }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }
}

extension ResolvedComparison.Operator {
  /// Nil for operators that are about lists, and for custom ones.
  init?(_ type: NSComparisonPredicate.Operator) {
    switch type {
    case .lessThan: self = .less
    case .lessThanOrEqualTo: self = .lessOrEqual
    case .greaterThan: self = .greater
    case .greaterThanOrEqualTo: self = .greaterOrEqual
    case .equalTo: self = .equal
    case .notEqualTo: self = .notEqual
    case .matches: self = .matches
    case .like: self = .like
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .contains: self = .contains
    case .in, .between, .customSelector: return nil
    }
  }
}

extension ResolvedCollection {
  /// The keys that lead to the elements, for messages.
  var label: String { steps.map(\.name).joined(separator: ".") }
}

extension ValueType {
  /// Whether one value can be less than another.
  var isOrdered: Bool {
    switch self {
    case .object, .entity, .other: false
    default: true
    }
  }
}
