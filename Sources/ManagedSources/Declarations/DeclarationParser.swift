/// Finds types, aliases and `@NSManaged` members in one file; steps over everything else.
struct DeclarationParser {
  private(set) var types: [DeclaredType] = []
  private(set) var aliases: [DeclaredAlias] = []
  private(set) var members: [ManagedMember] = []
  var keyedMembers: [KeyedMember] = []
  var outline: [OutlinedMember] = []
  private(set) var typesWithRequired: Set<[String]> = []
  private(set) var ambiguousNames: Set<String> = []
  private(set) var importsCoreData = false
  private(set) var imports: [String] = []
  private(set) var problems: [SourceProblem] = []

  let source: SwiftSource
  let comments: [Comment]
  var reader: TokenReader
  /// For each open `#if`: the conditions of the branches before, and the one of this branch.
  private var conditions: [(before: [String], current: String)] = []

  init(_ source: SwiftSource) {
    self.source = source
    let lexer = Lexer(source)
    comments = lexer.comments
    for token in lexer.tokens where token.isName && AmbiguousNames.classes.contains(token.text) {
      ambiguousNames.insert(token.text)
    }
    reader = TokenReader(lexer.tokens)
  }

  mutating func parse() { parseMembers(of: Scope()) }

  /// The type that is being read.
  struct Scope {
    var path: [String] = []
    var access = Access.open
    /// The access of members without a modifier.
    var memberAccess = Access.internal
    var isExtension = false
    var isProtocol = false
    /// Whether Objective-C sees its members: of a class with `@objcMembers`, or of an `@objc extension`.
    var isObjectiveC = false
  }

  /// The attributes and modifiers before a declaration's keyword.
  struct Head {
    var start: Int?
    var access: Access?
    var isManaged = false
    var isStatic = false
    var isOverride = false
    var isFinal = false
    var isRequired = false
    /// Whether it has `@objc`, not in a comment.
    var isObjectiveC = false
    var areMembersObjectiveC = false
    /// Whether it is hidden from Objective-C by `@nonobjc`.
    var isHidden = false
    var objectiveCName: String?

    mutating func begin(_ token: Token) { if start == nil { start = token.range.lowerBound } }
  }

  // MARK: Members

  private mutating func parseMembers(of scope: Scope) {
    var head = Head()
    while let token = reader.current {
      if token.isMark("}") { return }
      switch token.kind {
      case .condition:
        note(condition: token.text)
        reader.advance()
      case .mark where token.text == "@":
        head.begin(token)
        parseAttribute(&head)
      case .mark where "([{".contains(token.text): reader.skipGroup()
      case .mark where token.text == ".":
        reader.advance()
        if reader.current?.isName == true { reader.advance() }
      case .word: parseWord(token, &head, scope)
      default: reader.advance()
      }
    }
  }

  private mutating func parseAttribute(_ head: inout Head) {
    reader.advance()
    guard let name = reader.current, name.isName else { return }
    reader.advance()
    var arguments: Range<Int>?
    // Arguments follow at once: a parenthesis after a space belongs to the declaration with the attribute.
    if let next = reader.current, next.isMark("("), next.range.lowerBound == name.range.upperBound {
      let start = next.range.upperBound
      reader.skipGroup()
      arguments = start..<max(start, reader.lastEnd - 1)
    }
    if name.text == "NSManaged" { head.isManaged = true }
    if name.text == "nonobjc" { head.isHidden = true }
    if name.text == "objc" { head.isObjectiveC = true }
    if ["objc", "_objcRuntimeName"].contains(name.text), let arguments { head.objectiveCName = source.text(arguments) }
    if name.text == "objcMembers" { head.areMembersObjectiveC = true }
  }

  private mutating func parseWord(_ token: Token, _ head: inout Head, _ scope: Scope) {
    if let access = Access(word: token.text), reader.isModifierHere {
      head.begin(token)
      reader.advance()
      // `private(set)` says nothing about the getter.
      if reader.current?.isMark("(") == true { reader.skipGroup() } else { head.access = access }
      return
    }
    switch token.text {
    case "class" where reader.isModifierHere, "static":
      head.begin(token)
      head.isStatic = true
      return reader.advance()
    case "class", "struct", "enum", "protocol": parseType(token, head, scope)
    case "actor" where reader.peek?.isName == true: parseType(token, head, scope)
    case "extension": parseExtension(head, token)
    case "typealias": parseAlias(scope, place(head, token))
    case "import": parseImport(head, token)
    case "var" where head.isManaged && !head.isStatic: parseProperties(head, scope, token)
    case "func" where head.isManaged && !head.isStatic: parseMethod(head, scope, token)
    case "var", "let": parseOtherProperty(head, scope, token)
    case "func": parseOtherMethod(head, scope, token)
    case "case": reader.skipCase()
    case "init" where head.isRequired:
      typesWithRequired.insert(scope.path)
      reader.advance()
    case "subscript", "init", "deinit", "associatedtype", "operator", "precedencegroup", "macro":
      reader.advance()
      if reader.current?.isName == true { reader.advance() }
    default:
      if token.text == "override" { head.isOverride = true }
      if token.text == "final" { head.isFinal = true }
      if token.text == "required" { head.isRequired = true }
      // Another modifier, or part of an expression: the gathered head stays for a declaration that may follow.
      head.begin(token)
      return reader.advance()
    }
    head = Head()
  }

  func place(_ head: Head, _ token: Token) -> Place {
    Place(path: source.path, line: source.line(at: token.range.lowerBound), conditions: activeConditions)
  }

  // MARK: Conditions

  private mutating func note(condition text: String) {
    func rest(_ word: String) -> String {
      text.dropFirst(word.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    if text.hasPrefix("#elseif"), let block = conditions.popLast() {
      conditions.append((block.before + [block.current], rest("#elseif")))
    } else if text.hasPrefix("#else"), let block = conditions.popLast() {
      conditions.append((block.before + [block.current], ""))
    } else if text.hasPrefix("#endif") {
      _ = conditions.popLast()
    } else if text.hasPrefix("#if") {
      conditions.append(([], rest("#if")))
    }
  }

  private var activeConditions: [String] {
    conditions.map { block in
      let others = block.before.map { "!(\($0))" }
      return (others + (block.current.isEmpty ? [] : [others.isEmpty ? block.current : "(\(block.current))"]))
        .joined(separator: " && ")
    }
  }

  // MARK: Types

  private mutating func parseType(_ keyword: Token, _ head: Head, _ scope: Scope) {
    reader.advance()
    guard let name = reader.current, name.isName else { return }
    reader.advance()
    let isGeneric = reader.current?.isMark("<") == true
    if isGeneric { reader.skipAngles() }
    let inherited = reader.parseInherited()
    let kind: DeclaredType.Kind =
      switch keyword.text {
      case "struct": .struct
      case "enum": .enum
      case "protocol": .protocol
      default: .class
      }
    let path = scope.path + [name.text]
    let access = min(scope.access, head.access ?? scope.memberAccess)
    types.append(
      DeclaredType(
        kind: kind, path: path, access: access, isGeneric: isGeneric, inherited: inherited,
        objectiveCName: head.objectiveCName ?? commentedName(before: head.start ?? keyword.range.lowerBound),
        isFinal: head.isFinal, place: place(head, keyword)))
    parseBody(
      Scope(
        path: path, access: access, isProtocol: kind == .protocol,
        isObjectiveC: head.areMembersObjectiveC || portedAttributes(head, keyword).contains("objcMembers")))
  }

  private mutating func parseExtension(_ head: Head, _ keyword: Token) {
    reader.advance()
    guard case .named(let parts)? = reader.parseType() else { return }
    _ = reader.parseInherited()
    var memberAccess = head.access ?? .internal
    if memberAccess == .private { memberAccess = .fileprivate }
    parseBody(
      Scope(
        path: parts.map(\.name), memberAccess: memberAccess, isExtension: true,
        isObjectiveC: head.isObjectiveC || portedAttributes(head, keyword).contains("objc")))
  }

  private mutating func parseBody(_ scope: Scope) {
    guard reader.current?.isMark("{") == true else { return }
    if scope.isProtocol { return reader.skipGroup() }
    reader.advance()
    parseMembers(of: scope)
    reader.advance()
  }

  /// The name in a comment like `/*@objc(Name)*/` among those directly before a declaration, where porting left it.
  private func commentedName(before start: Int) -> String? {
    var end = start
    for comment in comments.reversed() where comment.range.upperBound <= end {
      let gap = source.bytes[comment.range.upperBound..<end]
      guard gap.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
      if let name = PortedAttribute.name(inComment: comment.text) { return name }
      end = comment.range.lowerBound
    }
    return nil
  }

  private mutating func parseAlias(_ scope: Scope, _ place: Place) {
    reader.advance()
    guard let name = reader.current, name.isName else { return }
    reader.advance()
    let isGeneric = reader.current?.isMark("<") == true
    if isGeneric { reader.skipAngles() }
    guard reader.current?.isMark("=") == true else { return }
    reader.advance()
    guard let type = reader.parseType() else { return }
    aliases.append(DeclaredAlias(path: scope.path + [name.text], type: type, isGeneric: isGeneric, place: place))
  }

  private mutating func parseImport(_ head: Head, _ token: Token) {
    let line = source.line(at: token.range.lowerBound)
    let start = head.start ?? token.range.lowerBound
    reader.advance()
    if reader.current?.text == "CoreData" { importsCoreData = true }
    while let next = reader.current, !next.startsLine, !next.isMark(";") { reader.advance() }
    guard conditions.isEmpty else { return }
    let end = max(start, min(reader.lastEnd, source.range(ofLine: line).upperBound))
    imports.append(source.text(start..<end).split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  // MARK: Managed members

  func access(_ head: Head, _ scope: Scope) -> Access {
    min(scope.access, head.access ?? scope.memberAccess)
  }

  private mutating func parseProperties(_ head: Head, _ scope: Scope, _ keyword: Token) {
    let place = place(head, keyword)
    let given = givenName(head, keyword)
    repeat {
      reader.advance()
      guard let name = reader.current, name.isName else { return }
      reader.advance()
      guard reader.current?.isMark(":") == true else { return }
      reader.advance()
      guard let type = reader.parseType() else { return }
      if reader.current?.isMark("=") == true || reader.current?.isMark("{") == true {
        problems.append(
          place.problem(
            "\(name.text): an @NSManaged property has no value and no accessors. Take them out, or @NSManaged."))
        return
      }
      addOutline(name.text, head, scope, place)
      members.append(
        ManagedMember(
          name: name.text, key: given ?? name.text, kind: .property(type), access: access(head, scope),
          owner: scope.path,
          isInExtension: scope.isExtension, place: place))
    } while reader.current?.isMark(",") == true
  }

  private mutating func parseMethod(_ head: Head, _ scope: Scope, _ keyword: Token) {
    let place = place(head, keyword)
    reader.advance()
    guard let name = reader.current, name.isName else { return }
    reader.advance()
    guard reader.current?.isMark("(") == true, let parameters = reader.parseParameters() else {
      problems.append(
        place.problem(
          "\(name.text): an @NSManaged method takes plain parameters only. Declare it as Xcode generates it."))
      return
    }
    var result: TypeSyntax?
    if reader.current?.isMark("-") == true, reader.peek?.isMark(">") == true {
      reader.advance()
      reader.advance()
      result = reader.parseType()
    }
    members.append(
      ManagedMember(
        name: name.text, key: givenName(head, keyword).map(Self.methodName(ofSelector:)) ?? name.text,
        kind: .method(parameters: parameters, result: result), access: access(head, scope), owner: scope.path,
        isInExtension: scope.isExtension, place: place))
  }
}
