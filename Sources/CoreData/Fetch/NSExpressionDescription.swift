import RowStore

/// A value computed by an expression, as a property of the dictionaries that a fetch gives.
///
/// - SeeAlso: Apple, "NSExpressionDescription".
open nonisolated class NSExpressionDescription: NSPropertyDescription {
  /// The expression to compute: over a row, or with `sum:` and its kin over the rows of a group.
  open var expression: NSExpression? {
    willSet { requireMutable() }
  }

  /// The type of the values; undefined, the default, for the type that the expression has.
  open var expressionResultType: NSAttributeType = .undefinedAttributeType {
    willSet { requireMutable() }
  }

  /// The type of the values; ``expressionResultType`` by its newer name.
  public final var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }

  override func copied() -> NSPropertyDescription {
    let copy = NSExpressionDescription()
    copyState(to: copy)
    (copy.expression, copy.expressionResultType) = (expression, expressionResultType)
    return copy
  }

  override func isSame(_ other: NSPropertyDescription) -> Bool {
    guard super.isSame(other), let other = other as? NSExpressionDescription else { return false }
    return expression == other.expression && expressionResultType == other.expressionResultType
  }
}
