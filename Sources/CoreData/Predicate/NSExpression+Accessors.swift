/// Members that are about one kind of expressions.
extension NSExpression {
  private func refuse(_ member: String) -> Never {
    preconditionFailure("\(self) has no \(member): it is an expression of the type \(form.type)")
  }

  func requiredConstant() -> Any? {
    guard case .constant(let value) = form else { refuse("constantValue") }
    return value
  }

  func requiredKeyPath() -> String {
    guard case .keyPath(let path) = form else { refuse("keyPath") }
    return path
  }

  func requiredFunction() -> String {
    guard case .function(let name, _, _) = form else { refuse("function") }
    return name
  }

  func requiredVariable() -> String {
    switch form {
    case .variable(let name), .subquery(_, let name, _): return name
    default: refuse("variable")
    }
  }

  func requiredOperand() -> NSExpression {
    guard case .function(_, let operand, _) = form else { refuse("operand") }
    return operand ?? NSExpression(forConstantValue: "_NSPredicateUtilities")
  }

  func possibleArguments() -> [NSExpression]? {
    switch form {
    case .function(_, _, let arguments): return arguments
    case .block(_, let arguments): return arguments
    default: refuse("arguments")
    }
  }

  func requiredCollection() -> Any {
    switch form {
    case .aggregate(let parts): return parts
    case .subquery(let collection, _, _): return collection
    default: refuse("collection")
    }
  }

  func requiredPredicate() -> NSPredicate {
    switch form {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return predicate
    default: refuse("predicate")
    }
  }

  func requiredSides() -> (NSExpression, NSExpression) {
    guard case .set(_, let left, let right) = form else { refuse("left and right") }
    return (left, right)
  }

  func requiredBranches() -> (NSExpression, NSExpression) {
    guard case .conditional(_, let left, let right) = form else { refuse("true and false") }
    return (left, right)
  }

  func requiredBlock() -> (Any?, [Any], NSMutableDictionary?) -> Any {
    guard case .block(let block, _) = form else { refuse("expressionBlock") }
    return block
  }
}
