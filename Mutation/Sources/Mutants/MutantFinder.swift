import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a file at which it can be mutated, without knowing types: some will not compile.
package final class MutantFinder: SyntaxVisitor {
  /// Calls that change nothing a user could see, or state what is assumed; a mutant there would be equivalent.
  static let spared: Set = [
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "reserveCapacity", "reach",
    "contextbench_prefetch", "contextbench_pause", "withExtendedLifetime",
  ]
  /// Members that describe for a reader.
  static let sparedMembers: Set = ["description", "debugDescription", "customMirror"]
  /// Beyond so many bytes a statement is not written twice.
  static let longestStatement = 600

  private let file: String
  let text: [UInt8]
  private let lines: SourceLocationConverter
  private(set) var found: [Mutant] = []

  /// The mutants of a file, in the order of their places; of one range the outer one first.
  package static func mutants(in source: String, file: String) -> [Mutant] {
    let parsed = Parser.parse(source: source)
    let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }.as(SourceFileSyntax.self) ?? parsed
    let finder = MutantFinder(file: file, source: source, tree: folded)
    finder.walk(folded)
    return finder.found.enumerated()
      .sorted { ($0.element.start, -$0.element.end, $0.offset) < ($1.element.start, -$1.element.end, $1.offset) }
      .map(\.element)
  }

  private init(file: String, source: String, tree: SourceFileSyntax) {
    self.file = file
    text = Array(source.utf8)
    lines = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Adding

  func source(_ node: some SyntaxProtocol) -> String { source(start(node), end(node)) }

  func source(_ start: Int, _ end: Int) -> String { String(decoding: text[start..<end], as: UTF8.self) }

  func start(_ node: some SyntaxProtocol) -> Int { node.positionAfterSkippingLeadingTrivia.utf8Offset }

  func end(_ node: some SyntaxProtocol) -> Int { node.endPositionBeforeTrailingTrivia.utf8Offset }

  func add(
    _ mutation: MutationOperator, at node: some SyntaxProtocol, from start: Int, to end: Int, before: String,
    after: String = "", note: String
  ) {
    let place = lines.location(for: node.positionAfterSkippingLeadingTrivia)
    let around = surroundings(Syntax(node))
    found.append(
      Mutant(
        file: file, line: place.line, column: place.column, mutation: mutation, start: start, end: end, before: before,
        after: after, firstLine: lines.location(for: around.positionAfterSkippingLeadingTrivia).line,
        lastLine: lines.location(for: around.endPositionBeforeTrailingTrivia).line,
        note: String(note.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(160))))
  }

  /// Text without a range, before the node or behind it.
  func insert(_ mutation: MutationOperator, _ text: String, at place: Int, of node: some SyntaxProtocol, note: String) {
    add(mutation, at: node, from: place, to: place, before: text, note: note)
  }

  /// An expression in place of another: in a copy of the statement where that is a call or an assignment, where a
  /// choice between two values might not be one of two places; else as such a choice.
  func replace(_ mutation: MutationOperator, _ node: some SyntaxProtocol, with new: String) {
    replace(mutation, node, from: start(node), to: end(node), with: new)
  }

  func replace(_ mutation: MutationOperator, _ node: some SyntaxProtocol, from: Int, to: Int, with new: String) {
    let note = "\(source(from, to)) → \(new)"
    if let statement = copiedStatement(around: Syntax(node)) {
      let first = start(statement)
      let last = end(statement)
      let copy = source(first, from) + new + source(to, last)
      add(
        mutation, at: node, from: first, to: last, before: "if \(Mutant.isActive) { \(copy) } else { ", after: " }",
        note: note)
    } else {
      add(mutation, at: node, from: from, to: to, before: "(\(Mutant.isActive) ? (\(new)) : (", after: "))", note: note)
    }
  }

  private func copiedStatement(around node: Syntax) -> Syntax? {
    var next: Syntax? = node
    while let current = next {
      // A condition or a value of a declaration cannot be written twice.
      if current.is(ConditionElementSyntax.self) || current.is(InitializerClauseSyntax.self) { return nil }
      if let item = current.as(CodeBlockItemSyntax.self) {
        guard end(item) - start(item) < Self.longestStatement else { return nil }
        if case .stmt(let statement) = item.item {
          return statement.is(ReturnStmtSyntax.self) ? Syntax(statement) : nil
        }
        guard case .expr(let expression) = item.item, Self.isAction(expression) else { return nil }
        return Syntax(expression)
      }
      next = current.parent
    }
    return nil
  }

  /// Whether it is there for what it does: a call or an assignment.
  static func isAction(_ expression: ExprSyntax) -> Bool {
    if let tried = expression.as(TryExprSyntax.self) { return isAction(tried.expression) }
    if let awaited = expression.as(AwaitExprSyntax.self) { return isAction(awaited.expression) }
    if let chain = expression.as(OptionalChainingExprSyntax.self) { return isAction(chain.expression) }
    if let infix = expression.as(InfixOperatorExprSyntax.self) {
      if infix.operator.is(AssignmentExprSyntax.self) { return true }
      let text = infix.operator.trimmedDescription
      return text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(text)
    }
    return expression.is(FunctionCallExprSyntax.self)
  }

  /// The function, accessor or declaration around a node.
  private func surroundings(_ node: Syntax) -> Syntax {
    var next: Syntax? = node
    var last = node
    while let current = next {
      if current.is(FunctionDeclSyntax.self) || current.is(InitializerDeclSyntax.self)
        || current.is(DeinitializerDeclSyntax.self) || current.is(SubscriptDeclSyntax.self)
        || current.is(VariableDeclSyntax.self) && current.parent?.parent?.is(MemberBlockItemListSyntax.self) == true
      {
        return current
      }
      last = current.is(CodeBlockItemSyntax.self) ? current : last
      next = current.parent
    }
    return last
  }

  // MARK: What is left alone

  override package func visit(_: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override package func visit(_: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override package func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override package func visit(_: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override package func visit(_: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override package func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let names = node.bindings.map(\.pattern.trimmedDescription)
    return names.contains(where: Self.sparedMembers.contains) ? .skipChildren : .visitChildren
  }

  /// The last name of what is called.
  static func name(called: ExprSyntax) -> String? {
    if let member = called.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
    if let name = called.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
    if let chain = called.as(OptionalChainingExprSyntax.self) { return name(called: chain.expression) }
    return nil
  }

  // MARK: Places, in the order of the grammar

  override package func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind { statement(node) }

  override package func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind { call(node) }

  override package func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    returnEarly(node)
    return .visitChildren
  }

  override package func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    loop(node)
    return .visitChildren
  }

  override package func visit(_ node: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
    conditions(node)
    return .visitChildren
  }

  override package func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    infix(node)
    return .visitChildren
  }

  override package func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override package func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override package func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    number(node)
    return .visitChildren
  }

  override package func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    member(node)
    return .visitChildren
  }

  override package func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
    cases(node)
    return .visitChildren
  }
}
