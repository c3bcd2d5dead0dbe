import SwiftSyntax

/// Statements, calls, functions and cases.
extension MutantFinder {
  /// Calls that wake, notify, or hand something over.
  private static let tellings = [
    "post", "notify", "wake", "signal", "broadcast", "give", "deliver", "send", "report", "enqueue", "async",
  ]
  private static let lockings: Set = ["acquire", "release", "lock", "unlock"]

  func statement(_ item: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = item.item, Self.isAction(expression) else { return .visitChildren }
    if Self.isReturned(item) { return .visitChildren }
    let called = Self.calledName(expression)
    if let called {
      if Self.spared.contains(called) { return .skipChildren }
      // A constructor without it does not compile.
      if called == "init" { return .visitChildren }
    }
    var mutation = MutationOperator.removedStatement
    if let called, Self.lockings.contains(called) { mutation = .droppedLock }
    if let called, Self.tellings.contains(where: called.hasPrefix) { mutation = .droppedNotification }
    add(
      mutation, at: item, from: start(item), to: end(expression), before: "if !\(Mutant.isActive) { ", after: " }",
      note: "without \(source(expression))")
    return .visitChildren
  }

  /// Whether it is all of a function or getter with a value.
  private static func isReturned(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let body = list.parent else {
      return false
    }
    if body.is(AccessorBlockSyntax.self) { return true }
    if let function = body.parent?.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
    return body.parent?.as(AccessorDeclSyntax.self)?.accessorSpecifier.tokenKind == .keyword(.get)
  }

  private static func calledName(_ expression: ExprSyntax) -> String? {
    if let tried = expression.as(TryExprSyntax.self) { return calledName(tried.expression) }
    if let awaited = expression.as(AwaitExprSyntax.self) { return calledName(awaited.expression) }
    if let chain = expression.as(OptionalChainingExprSyntax.self) { return calledName(chain.expression) }
    return expression.as(FunctionCallExprSyntax.self).flatMap { name(called: $0.calledExpression) }
  }

  func call(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = Self.name(called: node.calledExpression)
    if let name, Self.spared.contains(name) { return .skipChildren }
    if name == "withLock", node.leftParen == nil, let body = node.trailingClosure {
      insert(.droppedLock, "(dropped: \(Mutant.isActive)) ", at: start(body), of: node, note: "without the lock")
    }
    let arguments = Array(node.arguments)
    for (first, second) in zip(arguments, arguments.dropFirst())
    where Self.isSimple(first.expression) && Self.isSimple(second.expression)
      && source(first.expression) != source(second.expression)
    {
      let new =
        source(start(node), start(first.expression)) + source(second.expression)
        + source(end(first.expression), start(second.expression)) + source(first.expression)
        + source(end(second.expression), end(node))
      replace(.swappedArguments, node, with: new)
    }
    return .visitChildren
  }

  /// A name, a member or a literal: what two arguments are that may be taken for each other.
  private static func isSimple(_ expression: ExprSyntax) -> Bool {
    if let member = expression.as(MemberAccessExprSyntax.self) { return member.base.map(isSimple) ?? true }
    return expression.is(DeclReferenceExprSyntax.self) || expression.is(IntegerLiteralExprSyntax.self)
      || expression.is(BooleanLiteralExprSyntax.self)
  }

  func returnEarly(_ function: FunctionDeclSyntax) {
    guard let body = function.body, body.statements.count > 1, let first = body.statements.first else { return }
    for value in Self.valuesToReturn(function.signature.returnClause?.type) {
      let text = value.isEmpty ? "return" : "return \(value)"
      insert(
        .earlyReturn, "if \(Mutant.isActive) { \(text) }; ", at: start(first), of: first,
        note: "\(text) at the begin of \(function.name.text)")
    }
  }

  /// Nothing, for a function without a value; none where no value is at hand.
  private static func valuesToReturn(_ type: TypeSyntax?) -> [String] {
    guard let type else { return [""] }
    if type.is(OptionalTypeSyntax.self) { return ["nil"] }
    if type.is(ArrayTypeSyntax.self) { return ["[]"] }
    if type.is(DictionaryTypeSyntax.self) { return ["[:]"] }
    switch type.trimmedDescription {
    case "Void": return [""]
    case "Bool": return ["false", "true"]
    case "Int", "Int64", "UInt64", "Int32": return ["0"]
    default: return []
    }
  }

  func loop(_ node: ForStmtSyntax) {
    guard let first = node.body.statements.first else { return }
    insert(
      .earlyReturn, "if \(Mutant.isActive) { break }; ", at: start(first), of: first,
      note: "the loop over \(source(node.sequence)) ends at once")
  }

  func cases(_ node: SwitchExprSyntax) {
    let all = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
    let hasDefault = all.contains { $0.label.is(SwitchDefaultLabelSyntax.self) }
    for one in all {
      guard let label = one.label.as(SwitchCaseLabelSyntax.self), let first = one.statements.first else { continue }
      let items = Array(label.caseItems)
      if hasDefault, items.count == 1, items[0].whereClause == nil {
        insert(
          .skippedCase, " where !\(Mutant.isActive)", at: end(items[0]), of: label,
          note: "\(source(label)) is not seen")
      } else if !first.item.is(ReturnStmtSyntax.self) {
        insert(
          .skippedCase, "if \(Mutant.isActive) { break }; ", at: start(first), of: first,
          note: "\(source(label)) does nothing")
      }
    }
  }
}
