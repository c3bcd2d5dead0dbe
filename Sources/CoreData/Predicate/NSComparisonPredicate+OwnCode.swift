extension NSComparisonPredicate {
  /// Whether a side has code of its caller's in it, or a part that only evaluation in memory can do.
  var needsOwnCode: Bool { leftExpression.needsOwnCode || rightExpression.needsOwnCode }
}

extension NSExpression {
  fileprivate var needsOwnCode: Bool {
    switch form {
    case .block, .custom, .set: true
    case .constant, .itself, .variable, .keyPath, .anyKey, .subquery: false
    case .function(let name, let operand, let arguments):
      name.hasPrefix("random") || operand?.needsOwnCode ?? false || arguments.contains(where: \.needsOwnCode)
    case .aggregate(let parts): parts.contains(where: \.needsOwnCode)
    case .conditional(_, let yes, let no): yes.needsOwnCode || no.needsOwnCode
    }
  }
}
