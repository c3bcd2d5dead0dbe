import RowStore

/// One side of a comparison: a constant, a key path, a function of other expressions, and so on.
///
/// Foundation on Linux has a class of this name that can do nothing; see DEVIATIONS.md, "Two classes named
/// NSExpression", for files that import both modules.
///
/// - SeeAlso: Apple, "NSExpression".
open nonisolated class NSExpression: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after the initialiser; constants are values or objects that the caller shares knowingly.

  /// The kinds of expressions; raw values are Apple's.
  public enum ExpressionType: UInt, Sendable {
    /// Always the same value.
    case constantValue = 0
    /// The object that the predicate is evaluated with.
    case evaluatedObject = 1
    /// The value of a name in the substitution variables.
    case variable = 2
    /// The value at a key path.
    case keyPath = 3
    /// A function of its arguments.
    case function = 4
    /// The elements of either of two collections.
    case unionSet = 5
    /// The elements of both of two collections.
    case intersectSet = 6
    /// The elements of one collection that are not in another.
    case minusSet = 7
    /// The elements of a collection that meet a predicate.
    case subquery = 13
    /// A collection of other expressions' values.
    case aggregate = 14
    /// Any key.
    case anyKey = 15
    /// The result of a block.
    case block = 19
    /// One of two expressions, as a predicate says.
    case conditional = 20
    /// The result of a fetch; Apple's name is ``NSFetchRequestExpressionType``.
    case _fetchRequest = 50
  }

  let form: ExpressionForm

  init(_ form: ExpressionForm) {
    self.form = form
    super.init()
  }

  /// Makes an expression of a subclass that overrides ``expressionValue(with:context:)``.
  public init(expressionType type: ExpressionType) {
    form = .custom(type)
    super.init()
  }

  /// An expression that is always the given value.
  public init(forConstantValue obj: Any?) {
    form = .constant(obj)
    super.init()
  }

  /// An expression for a substitution variable.
  public init(forVariable string: String) {
    form = .variable(string)
    super.init()
  }

  /// An expression for the value at a key path.
  public init(forKeyPath keyPath: String) {
    form = .keyPath(keyPath)
    super.init()
  }

  /// An expression for one of Apple's predefined functions, such as `sum:` or `modulus:by:`.
  ///
  /// Arguments that are no expressions are taken for constants.
  ///
  /// - Precondition: the function is known.
  public init(forFunction name: String, arguments parameters: [Any]) {
    guard let function = ExpressionFunction.named(name, argumentCount: parameters.count) else {
      preconditionFailure("\(ExpressionFunction.refusal(name, argumentCount: parameters.count))")
    }
    form = .function(function.selector, operand: nil, parameters.map(Self.expression))
    super.init()
  }

  /// An expression for a method of another expression's value; only `valueForKeyPath:` can be evaluated, since Swift has
  /// no methods that could be looked up by name.
  public init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
    form = .function(name, operand: target, (parameters ?? []).map(Self.expression))
    super.init()
  }

  /// An expression for a collection of the values of others; a value that is no expression is taken for a constant.
  public init(forAggregate subexpressions: [Any]) {
    form = .aggregate(subexpressions.map(Self.expression))
    super.init()
  }

  /// An expression for the elements of either collection.
  public init(forUnionSet left: NSExpression, with right: NSExpression) {
    form = .set(.unionSet, left, right)
    super.init()
  }

  /// An expression for the elements of both collections.
  public init(forIntersectSet left: NSExpression, with right: NSExpression) {
    form = .set(.intersectSet, left, right)
    super.init()
  }

  /// An expression for the elements of the first collection that are not in the second.
  public init(forMinusSet left: NSExpression, with right: NSExpression) {
    form = .set(.minusSet, left, right)
    super.init()
  }

  /// An expression for the elements of a collection that meet the predicate, in which the variable is each of them.
  public init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate) {
    form = .subquery(expression, variable: variable, predicate)
    super.init()
  }

  /// An expression for one of two others, as the predicate says.
  public init(forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression) {
    form = .conditional(predicate, trueExpression, falseExpression)
    super.init()
  }

  /// An expression for the block's result for the evaluated object, the arguments' values and the context.
  public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
    form = .block(block, arguments)
    super.init()
  }

  /// The expression for the evaluated object, `SELF`.
  open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(.itself) }

  /// The expression for any key.
  open class func expressionForAnyKey() -> NSExpression { NSExpression(.anyKey) }

  private static func expression(_ value: Any) -> NSExpression {
    (value as? NSExpression) ?? NSExpression(forConstantValue: value)
  }

  // MARK: Formats

  /// An expression from a format, as one side of a predicate's comparison.
  ///
  /// - Precondition: the format is sound; the message has the position and the mistake.
  public convenience init(format expressionFormat: String, _ args: Any?...) {
    self.init(Self.parsed(expressionFormat, args))
  }

  /// An expression from a format with its arguments in an array.
  ///
  /// - Precondition: the format is sound; the message has the position and the mistake.
  public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
    self.init(Self.parsed(expressionFormat, arguments))
  }

  /// An expression from a format with its arguments as C passes them.
  ///
  /// - Precondition: the format is sound, and the list fits it; the message has the position and the mistake.
  public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
    do {
      self.init(Self.parsed(expressionFormat, try VariableArguments.values(expressionFormat, argList)))
    } catch {
      preconditionFailure("Unable to parse the format string \"\(expressionFormat)\": \(error)")
    }
  }

  private static func parsed(_ format: String, _ arguments: [Any?]) -> ExpressionForm {
    do {
      return try PredicateParser.expression(format, arguments).form
    } catch {
      preconditionFailure("Unable to parse the format string \"\(format)\": \(error)")
    }
  }

  // MARK: Parts

  /// The kind of the expression.
  open var expressionType: ExpressionType { form.type }
  /// The value of a constant.
  ///
  /// - Precondition: the expression is a constant.
  open var constantValue: Any? { requiredConstant() }
  /// The path of a key path expression.
  ///
  /// - Precondition: the expression is a key path.
  open var keyPath: String { requiredKeyPath() }
  /// The name of a function, in Apple's form: `modulus:by:`.
  ///
  /// - Precondition: the expression is a function.
  open var function: String { requiredFunction() }
  /// The name of a variable or of a subquery's variable, without `$`.
  ///
  /// - Precondition: the expression is a variable or a subquery.
  open var variable: String { requiredVariable() }
  /// The object that a function is called on; a constant for predefined functions.
  ///
  /// - Precondition: the expression is a function.
  open var operand: NSExpression { requiredOperand() }
  /// The arguments of a function or a block.
  ///
  /// - Precondition: the expression is a function or a block.
  open var arguments: [NSExpression]? { possibleArguments() }
  /// The expressions of an aggregate, as an array; the expression for a subquery's collection.
  ///
  /// - Precondition: the expression is an aggregate or a subquery.
  open var collection: Any { requiredCollection() }
  /// The predicate of a subquery or a conditional expression.
  ///
  /// - Precondition: the expression is a subquery or a conditional expression.
  open var predicate: NSPredicate { requiredPredicate() }
  /// The first collection of a set expression.
  ///
  /// - Precondition: the expression is a union, an intersection or a difference.
  open var left: NSExpression { requiredSides().0 }
  /// The second collection of a set expression.
  ///
  /// - Precondition: the expression is a union, an intersection or a difference.
  open var right: NSExpression { requiredSides().1 }
  /// The value of a conditional expression where its predicate holds.
  ///
  /// - Precondition: the expression is conditional.
  open var `true`: NSExpression { requiredBranches().0 }
  /// The value of a conditional expression where its predicate does not hold.
  ///
  /// - Precondition: the expression is conditional.
  open var `false`: NSExpression { requiredBranches().1 }
  /// The block of a block expression.
  ///
  /// - Precondition: the expression has a block.
  open var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any { requiredBlock() }

  // MARK: Evaluation

  /// The value of the expression for an object; `context` has the values of variables by their names.
  ///
  /// - Precondition: keys exist, and functions get arguments that they take; the message has the mistake.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    PredicateEvaluator.value(self, object, context)
  }

  /// Does nothing: expressions that were decoded may be evaluated.
  open func allowEvaluation() {}

  // MARK: NSObject

  /// The expression itself: expressions do not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object is an expression of the same form; blocks are equal to themselves only.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    return other === self || form.isEqual(to: other.form)
  }

  /// Equal for equal expressions.
  open override var hash: Int { description.hashValue }

  /// The expression as a format.
  open override var description: String { PredicateText.text(of: self) }
}
