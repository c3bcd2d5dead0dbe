import SwiftParser
import SwiftSyntax

/// A change of a file taken back behind a switch: bodies of functions as they were before it, and functions that it removed.
///
/// Added code stays where it is, unused. A type, a stored property or the like that it took away or changed
/// cannot be switched.
package struct Reversal: Encodable {
  /// Those that make the file behave as before, as far as a switch can.
  package private(set) var mutants: [Mutant] = []
  /// Whether nothing else is to be taken back.
  package private(set) var isWhole = true

  package init(now: String, before: String, file: String) {
    let current = Declarations(now)
    let former = Declarations(before)
    for key in former.order {
      guard let old = former.found[key] else { continue }
      guard let new = current.found[key] else {
        guard old.isFunction, let place = current.places[old.owner] else {
          isWhole = false
          continue
        }
        mutants.append(current.mutant(file, place, place, "\(old.text)\n", "", "with \(key) again"))
        continue
      }
      for (part, oldBody) in old.bodies where new.bodies[part]?.tokens != oldBody.tokens {
        guard let newBody = new.bodies[part] else {
          isWhole = false
          continue
        }
        mutants.append(current.mutant(file, switching: newBody, to: oldBody, note: key))
      }
      for (part, newBody) in new.bodies where old.bodies[part] == nil && part.hasSuffix("Set") {
        mutants.append(current.mutant(file, without: newBody, note: key))
      }
    }
  }
}

/// A body: its statements, and where they are.
private struct Body {
  let start: Int
  let end: Int
  let text: String
  /// Without comments and spaces.
  let tokens: String
  /// Whether it is one expression, with its value returned.
  let isImplicitReturn: Bool

  init(_ statements: CodeBlockItemListSyntax, hasValue: Bool, emptyAt place: Int) {
    let first = statements.first?.positionAfterSkippingLeadingTrivia.utf8Offset
    start = first ?? place
    end = first == nil ? place : statements.endPositionBeforeTrailingTrivia.utf8Offset
    text = statements.trimmedDescription
    tokens = Declarations.tokens(statements)
    var isExpression = false
    if statements.count == 1, case .expr(let expression)? = statements.first?.item {
      isExpression = !expression.is(IfExprSyntax.self) && !expression.is(SwitchExprSyntax.self)
    }
    isImplicitReturn = hasValue && isExpression
  }
}

private struct Declaration {
  let owner: String
  let text: String
  let isFunction: Bool
  var bodies: [String: Body] = [:]
}

/// The declarations of a file by their types and signatures.
private final class Declarations: SyntaxVisitor {
  private(set) var order: [String] = []
  private(set) var found: [String: Declaration] = [:]
  /// Where a declaration can be put into each type or extension; under no name, at the end of the file.
  private(set) var places: [String: Int] = [:]
  private var owner: [String] = []
  private let lines: SourceLocationConverter

  init(_ source: String) {
    let tree = Parser.parse(source: source)
    lines = SourceLocationConverter(fileName: "", tree: tree)
    super.init(viewMode: .sourceAccurate)
    places[""] = tree.endPosition.utf8Offset
    walk(tree)
  }

  static func tokens(_ node: some SyntaxProtocol) -> String {
    node.tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ")
  }

  func mutant(_ file: String, _ start: Int, _ end: Int, _ before: String, _ after: String, _ note: String) -> Mutant {
    let first = lines.location(for: AbsolutePosition(utf8Offset: start))
    let last = lines.location(for: AbsolutePosition(utf8Offset: end))
    return Mutant(
      file: file, line: first.line, column: first.column, mutation: .reversedChange, start: start, end: end,
      before: before,
      after: after, firstLine: first.line, lastLine: last.line, note: note)
  }

  /// An observer that was not there does nothing.
  func mutant(_ file: String, without new: Body, note: String) -> Mutant {
    mutant(file, new.start, new.end, "if !\(Mutant.isActive) { ", "\n}", note)
  }

  func mutant(_ file: String, switching new: Body, to old: Body, note: String) -> Mutant {
    let former = (old.isImplicitReturn ? "return " : "") + old.text
    let isEmpty = new.start == new.end
    // The line of a comment at the end would swallow the brace.
    let before =
      "if \(Mutant.isActive) { \(former)\n}" + (isEmpty ? "" : " else { " + (new.isImplicitReturn ? "return " : ""))
    return mutant(file, new.start, new.end, before, isEmpty ? "" : "\n}", note)
  }

  private func add(_ signature: String, _ node: some SyntaxProtocol, isFunction: Bool, bodies: [String: Body] = [:]) {
    let owner = owner.joined(separator: "/")
    var key = "\(owner) \(signature)"
    while found[key] != nil { key += "'" }
    order.append(key)
    found[key] = Declaration(owner: owner, text: node.description, isFunction: isFunction, bodies: bodies)
  }

  // MARK: Types

  private func enter(_ node: some DeclSyntaxProtocol, _ members: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
    let start = node.positionAfterSkippingLeadingTrivia
    // Comments are no part of it.
    let head = node.tokens(viewMode: .sourceAccurate).prefix { $0.position < members.position }.map(\.text)
    owner.append(head.joined(separator: " "))
    if start < members.position, places[owner.joined(separator: "/")] == nil {
      places[owner.joined(separator: "/")] = members.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset
    }
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.memberBlock) }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.memberBlock) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.memberBlock) }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.memberBlock) }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.memberBlock) }
  override func visitPost(_: ClassDeclSyntax) { owner.removeLast() }
  override func visitPost(_: StructDeclSyntax) { owner.removeLast() }
  override func visitPost(_: EnumDeclSyntax) { owner.removeLast() }
  override func visitPost(_: ExtensionDeclSyntax) { owner.removeLast() }
  override func visitPost(_: ProtocolDeclSyntax) { owner.removeLast() }

  // MARK: Members

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let hasValue = node.signature.returnClause.map { $0.type.trimmedDescription != "Void" } ?? false
    return function(node, node.body, hasValue: hasValue)
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    function(node, node.body, hasValue: false)
  }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    function(node, node.body, hasValue: false)
  }

  private func function(_ node: some SyntaxProtocol, _ block: CodeBlockSyntax?, hasValue: Bool)
    -> SyntaxVisitorContinueKind
  {
    let end = block?.position ?? node.endPosition
    let signature = node.tokens(viewMode: .sourceAccurate).prefix { $0.position < end }.map(\.text).joined(
      separator: " ")
    let body = block.map {
      Body($0.statements, hasValue: hasValue, emptyAt: $0.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset)
    }
    add(signature, node, isFunction: true, bodies: body.map { ["": $0] } ?? [:])
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    accessors(node, node.bindings.count == 1 ? node.bindings.first?.accessorBlock : nil)
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { accessors(node, node.accessorBlock) }

  private func accessors(_ node: some SyntaxProtocol, _ block: AccessorBlockSyntax?) -> SyntaxVisitorContinueKind {
    guard let block else {
      add(Self.tokens(node), node, isFunction: false)
      return .skipChildren
    }
    let signature = node.tokens(viewMode: .sourceAccurate).prefix { $0.position < block.position }.map(\.text)
    var bodies: [String: Body] = [:]
    var isStored = false
    switch block.accessors {
    case .getter(let statements):
      bodies["get"] = Body(
        statements, hasValue: true, emptyAt: block.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset)
    case .accessors(let list):
      for one in list {
        let name = one.accessorSpecifier.text
        isStored = isStored || name.hasSuffix("Set")
        bodies[name] = one.body.map {
          Body($0.statements, hasValue: name == "get", emptyAt: $0.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset)
        }
      }
    }
    add(signature.joined(separator: " "), node, isFunction: !isStored, bodies: bodies)
    return .skipChildren
  }

  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
    add(Self.tokens(node), node, isFunction: false)
    return .skipChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    add(Self.tokens(node), node, isFunction: false)
    return .skipChildren
  }

  override func visit(_: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
