/// Puts values in the place of a tree's variables.
struct PredicateSubstitution {
  private let variables: [String: Any]
  /// Variables that have no value.
  private(set) var missing: Set<String> = []

  init(_ variables: [String: Any]) { self.variables = variables }

  /// The predicate with constants for its variables; parts without variables are shared.
  mutating func predicate(_ predicate: NSPredicate) -> NSPredicate {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      return NSComparisonPredicate(
        leftExpression: expression(comparison.leftExpression), rightExpression: expression(comparison.rightExpression),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options)
    case let compound as NSCompoundPredicate:
      let parts = compound.subpredicates
      return FormatCompoundPredicate(
        type: compound.compoundPredicateType, subpredicates: parts.map { self.predicate($0) })
    default: return predicate
    }
  }

  /// The expression with constants for its variables.
  mutating func expression(_ expression: NSExpression) -> NSExpression {
    switch expression.form {
    case .constant, .itself, .keyPath, .anyKey, .custom: return expression
    case .variable(let name):
      guard let value = variables[name] else {
        missing.insert(name)
        return expression
      }
      return (value as? NSExpression) ?? NSExpression(forConstantValue: value is NSNull ? nil : value)
    case .function(let name, let operand, let arguments):
      let target = operand.map { self.expression($0) }
      if name == "valueForKeyPath:", let target, case .keyPath(let path)? = arguments.first?.form {
        return following(target, path)
      }
      return NSExpression(.function(name, operand: target, arguments.map { self.expression($0) }))
    case .aggregate(let parts): return NSExpression(.aggregate(parts.map { self.expression($0) }))
    case .set(let type, let left, let right):
      return NSExpression(.set(type, self.expression(left), self.expression(right)))
    case .subquery(let collection, let variable, let part):
      // Its own variable is each element in turn.
      var inner = PredicateSubstitution(variables.filter { $0.key != variable })
      let result = NSExpression(.subquery(self.expression(collection), variable: variable, inner.predicate(part)))
      missing.formUnion(inner.missing.subtracting([variable]))
      return result
    case .conditional(let condition, let left, let right):
      return NSExpression(.conditional(predicate(condition), self.expression(left), self.expression(right)))
    case .block(let block, let arguments):
      return NSExpression(.block(block, arguments?.map { self.expression($0) }))
    }
  }

  /// A path from a constant is a constant as well: `$x.name`; a path from a key path continues it.
  private func following(_ target: NSExpression, _ path: String) -> NSExpression {
    let keyPath = NSExpression(forKeyPath: path)
    switch target.form {
    case .itself: return keyPath
    case .keyPath(let start): return NSExpression(forKeyPath: start + "." + path)
    case .constant(nil): return target
    case .constant(let value?):
      do {
        return NSExpression(forConstantValue: try KeyValuePath.find(value, path[...]))
      } catch {
        return NSExpression(.function("valueForKeyPath:", operand: target, [keyPath]))
      }
    default: return NSExpression(.function("valueForKeyPath:", operand: target, [keyPath]))
    }
  }
}

extension _PredicateFactory where Self: NSPredicate {
  /// The predicate with values in the place of its variables.
  ///
  /// - Precondition: every variable has a value.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    var substitution = PredicateSubstitution(variables)
    let result = substitution.predicate(self)
    precondition(
      substitution.missing.isEmpty,
      "no value is given for $\(substitution.missing.sorted().joined(separator: ", $")) in \(PredicateText.text(of: self))"
    )
    return (result as? Self) ?? self
  }

  /// Does nothing: predicates that were decoded may be evaluated.
  public func allowEvaluation() {}
}
