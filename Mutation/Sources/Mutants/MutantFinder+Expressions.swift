import SwiftSyntax

/// Conditions, operators, numbers and members.
extension MutantFinder {
  private static let relaxed = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||",
    "||": "&&",
  ]
  private static let arithmetic = ["+": "-", "-": "+", "+=": "-=", "-=": "+=", "&+": "&-", "&-": "&+"]
  private static let members = [
    "union": "subtracting", "subtracting": "union", "intersection": "union", "symmetricDifference": "union",
    "formUnion": "subtract", "subtract": "formUnion", "formIntersection": "formUnion",
    "isSubset": "isSuperset", "isDisjoint": "isSubset", "insert": "remove", "remove": "insert",
    "inserted": "updated", "updated": "inserted", "deleted": "updated", "refreshed": "updated",
    "insertedObjects": "updatedObjects", "updatedObjects": "deletedObjects", "deletedObjects": "insertedObjects",
    "first": "last", "last": "first", "min": "max", "max": "min", "lowerBound": "upperBound",
    "upperBound": "lowerBound", "prefix": "suffix", "suffix": "prefix", "dropFirst": "dropLast",
    "dropLast": "dropFirst", "old": "new", "new": "old",
  ]

  func conditions(_ list: ConditionElementListSyntax) {
    guard let last = list.last else { return }
    for element in list {
      guard case .expression(let condition) = element.condition else { continue }
      negate(condition)
      if list.count > 1 {
        add(
          .droppedClause, at: condition, from: start(condition), to: end(condition),
          before: "(\(Mutant.isActive) || (", after: "))", note: "without \(source(condition))")
      }
    }
    guard !list.contains(where: { $0.condition.is(AvailabilityConditionSyntax.self) }) else { return }
    let isGuard = list.parent?.is(GuardStmtSyntax.self) == true
    // An opposite condition would not end a loop.
    guard isGuard || list.parent?.is(IfExprSyntax.self) == true else { return }
    insert(
      isGuard ? .earlyReturn : .skippedBranch, ", !\(Mutant.isActive)", at: end(last), of: list,
      note: isGuard ? "guard \(source(list)) ends at once" : "if \(source(list)) is never so")
  }

  func negate(_ condition: ExprSyntax) {
    add(
      .negatedCondition, at: condition, from: start(condition), to: end(condition),
      before: "(\(Mutant.isActive) != (", after: "))", note: "not \(source(condition))")
  }

  func infix(_ node: InfixOperatorExprSyntax) {
    guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return }
    let left = source(node.leftOperand)
    let right = source(node.rightOperand)
    if let other = Self.relaxed[name] {
      // The opposite of a whole condition is there already.
      let isWhole = node.parent?.is(ConditionElementSyntax.self) == true
      if !isWhole || !name.hasPrefix("=") && !name.hasPrefix("!") {
        replace(.relaxedCondition, node, with: "\(left) \(other) \(right)")
      }
      if name == "&&" || name == "||" {
        replace(.droppedClause, node, with: left)
        replace(.droppedClause, node, with: right)
      }
    } else if let other = Self.arithmetic[name] {
      replace(.offByOne, node, with: "\(left) \(other) \(right)")
    } else if name == "..<" {
      replace(.offByOne, node.rightOperand, with: "\(right) - 1")
    }
  }

  func number(_ node: IntegerLiteralExprSyntax) {
    guard let value = Int(node.literal.text), value < 1_000 else { return }
    replace(.offByOne, node, with: "\(value + 1)")
  }

  func member(_ node: MemberAccessExprSyntax) {
    guard node.base != nil, let other = Self.members[node.declName.baseName.text] else { return }
    let name = node.declName.baseName
    // Of a call, the call is replaced and not the function.
    if let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.id {
      let new = source(start(call), start(name)) + other + source(end(name), end(call))
      replace(.wrongSet, call, with: new)
    } else {
      replace(.wrongSet, node, with: source(start(node), start(name)) + other)
    }
  }
}
