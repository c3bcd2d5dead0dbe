/// A predicate that compares two expressions.
///
/// Foundation on Linux has a class of this name that can do nothing; see DEVIATIONS.md, "Two classes named
/// NSExpression", for files that import both modules.
///
/// - SeeAlso: Apple, "NSComparisonPredicate".
open nonisolated class NSComparisonPredicate: NSPredicate {
  private let left: NSExpression
  private let right: NSExpression
  private let modifier: Modifier
  private let type: Operator
  private let comparisonOptions: Options

  /// Makes a predicate that compares the expressions by the operator.
  ///
  /// - Precondition: `type` is not `.customSelector`: Swift has no methods that could be looked up by name.
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: NSComparisonPredicate.Modifier,
    type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options = []
  ) {
    precondition(
      type != .customSelector, "comparisons by a custom selector are not supported; use NSPredicate(block:) instead")
    left = lhs
    right = rhs
    self.modifier = modifier
    self.type = type
    comparisonOptions = options
    super.init(value: false)
    _ = FoundationPredicates.arePrinted
  }

  /// The left side of the comparison.
  open var leftExpression: NSExpression { left }
  /// The right side of the comparison.
  open var rightExpression: NSExpression { right }
  /// The form of the left side: one value, or elements of which any or all must compare so.
  open var comparisonPredicateModifier: NSComparisonPredicate.Modifier { modifier }
  /// The operator.
  open var predicateOperatorType: NSComparisonPredicate.Operator { type }
  /// How texts are compared.
  open var options: NSComparisonPredicate.Options { comparisonOptions }

  /// The predicate as a format.
  open override var predicateFormat: String { PredicateText.text(of: self) }

  /// The predicate as a format.
  open override var description: String { PredicateText.text(of: self) }

  /// The predicate itself: predicates do not change.
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object compares equal expressions in the same way.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSComparisonPredicate else { return false }
    return other === self
      || leftExpression == other.leftExpression && rightExpression == other.rightExpression
        && comparisonPredicateModifier == other.comparisonPredicateModifier
        && predicateOperatorType == other.predicateOperatorType && options == other.options
  }

  /// Equal for equal predicates.
  open override var hash: Int { PredicateText.text(of: self).hashValue }

  /// Whether the object meets the predicate; managed objects on their context's queue.
  open override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    PredicateEvaluator.evaluate(self, object, substitutionVariables)
  }
}
