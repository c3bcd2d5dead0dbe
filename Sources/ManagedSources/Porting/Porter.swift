/// Makes the edits that Swift on Linux needs in model sources: attributes for Objective-C become comments, key paths of
/// Objective-C become their strings; everything else stays as it is, to the byte. Decisions that are left are named.
package struct Porter {
  /// One file as it was and as it will be.
  package struct File: Sendable {
    package let path: String
    package let before: String
    package let after: String
    /// Problems that no edit can port.
    package let problems: [SourceProblem]

    package var isChanged: Bool { before != after }
  }

  struct Edit {
    let range: Range<Int>
    let text: String
  }

  let source: SwiftSource
  let tokens: [Token]
  /// Insides of `\(…)` in the strings of the source.
  private let interpolations: [Range<Int>]
  let imports: PortedImports
  let module: PortedModule
  /// Blocks around the token that is looked at; code that Linux does not compile stays.
  private(set) var conditions = PortedConditions()
  private(set) var conditionsWithoutSystem = PortedConditions.withoutSystem
  private(set) var scopes = PortedScopes()
  /// Whether an edit has imported CoreData.
  var isCoreDataImported = false
  /// Where the source begins in the file: not at 0 inside a string.
  private let start: Int
  private let file: SwiftSource
  var edits: [Edit] = []
  private(set) var problems: [SourceProblem] = []

  /// The file with its edits.
  ///
  /// - Parameter module: the module of the files that it is compiled with.
  package static func port(_ text: String, path: String, in module: PortedModule = PortedModule()) -> File {
    let source = SwiftSource(path: path, text: text)
    let lexer = Lexer(source)
    var porter = Porter(source, lexer, PortedImports(lexer.tokens, in: module), module, file: source, start: 0)
    if porter.imports.lacksCoreData { porter.importCoreData() }
    porter.findEdits()
    let problems = porter.problems + (module.problems[path] ?? [])
    precondition(problems.allSatisfy { $0.path == path }, "problems of a file name that file")
    return File(
      path: path, before: text, after: porter.edited,
      problems: problems.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(
        \.element))
  }

  private init(
    _ source: SwiftSource, _ lexer: Lexer, _ imports: PortedImports, _ module: PortedModule, file: SwiftSource,
    start: Int
  ) {
    self.module = module
    self.source = source
    tokens = lexer.tokens
    interpolations = lexer.interpolations
    self.imports = imports
    self.file = file
    self.start = start
  }

  private static let attributes: Set<String> = [
    "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBInspectable",
  ]

  private mutating func findEdits() {
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      conditions.note(token)
      conditionsWithoutSystem.note(token)
      scopes.note(tokens, index)
      guard !conditions.isLeftOut else {
        leaveOut(at: index)
        index += 1
        continue
      }
      if token.kind == .literal { portInterpolations(of: token) }
      if scopes.isInExtension, token.isWord("override") {
        problem(
          token, "override in an extension",
          "an override in an extension needs Objective-C. Move it into the class; where the model makes the class, set the "
            + "entity's Codegen to Category/Extension, and write the class.")
      }
      index = edit(at: index)
    }
  }

  /// The index behind the edit, or behind the token where there is none.
  private mutating func edit(at index: Int) -> Int {
    let token = tokens[index]
    if token.isMark("@"), index + 1 < tokens.count, Self.attributes.contains(tokens[index + 1].text) {
      return attribute(at: index)
    }
    if let declaration = imports.declarations[index], start == 0 { return importing(declaration) }
    if token.kind == .pound, token.text == "#keyPath" { return keyPath(at: index) }
    if token.kind == .pound, token.text == "#selector" { return selector(at: index) }
    if token.isWord("dynamic"), previousIsObjectiveC(index) {
      problem(
        token, "dynamic", "dynamic without @objc is another thing. Take it out, unless it is meant for replacement.")
    }
    if let end = requestCast(at: index) { return end }
    if let end = qualifiedName(at: index) { return end }
    if imports.areAmbiguous, AmbiguousNames.classes.contains(token.text), isUnqualified(index) {
      edits.append(Edit(range: token.range, text: "CoreData." + token.text))
    }
    if token.isWord("protocol") { boundToClasses(at: index) }
    if let found = leftover(at: index) {
      // Said once of a module.
      let isKnown = found.kind.hasPrefix("import ") && problems.contains { $0.kind == found.kind }
      if !isKnown { problem(token, found.kind, found.message) }
    }
    return index + 1
  }

  /// Edits the expressions in `\(…)` of a string.
  private mutating func portInterpolations(of literal: Token) {
    for range in interpolations where literal.range.contains(range.lowerBound) {
      precondition(range.upperBound <= literal.range.upperBound, "an interpolation is a part of its literal")
      let part = SwiftSource(path: source.path, text: source.text(range))
      var porter = Porter(part, Lexer(part), imports, module, file: file, start: start + range.lowerBound)
      porter.scopes = scopes
      porter.findEdits()
      problems += porter.problems
      edits += porter.edits.map { edit in
        let (lower, upper) = (edit.range.lowerBound + range.lowerBound, edit.range.upperBound + range.lowerBound)
        return Edit(range: lower..<upper, text: edit.text)
      }
    }
  }

  mutating func problem(_ token: Token, _ kind: String, _ message: String) {
    problems.append(
      SourceProblem(
        path: source.path, line: file.line(at: start + token.range.lowerBound), kind: kind, message: message))
  }

  private func previousIsObjectiveC(_ index: Int) -> Bool {
    tokens[..<index].suffix(4).contains { $0.text == "objc" }
  }

  /// `@objc(Name)` to `/*@objc(Name)*/`: the generator reads the name there. Returns the index behind it.
  private mutating func attribute(at index: Int) -> Int {
    precondition(tokens[index].isMark("@") && index + 1 < tokens.count, "an attribute is a name behind its mark")
    let name = tokens[index + 1]
    var end = index + 2
    if end < tokens.count, tokens[end].isMark("("), tokens[end].range.lowerBound == name.range.upperBound {
      end = closing(from: end)
    }
    // Xcode's `@nonobjc` is taken on Linux, and means nothing there.
    guard name.text != "nonobjc" else { return end }
    let range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
    if end == index + 5, name.text == "objc", isBesideMacro(index, end) {
      // A macro does not see a comment. The compiler takes this attribute, and the generator reads the name in it.
      edits.append(Edit(range: name.range, text: "_objcRuntimeName"))
      return end
    }
    edits.append(Edit(range: range, text: "/*\(source.text(range))*/"))
    return end
  }

  /// The index behind the group that begins at `index`.
  func closing(from index: Int) -> Int {
    precondition(tokens[index].isMark("[") || tokens[index].isMark("("), "a bracket that is closed was opened")
    let (opening, closing) = tokens[index].isMark("[") ? ("[", "]") : ("(", ")")
    var depth = 0
    var position = index
    while position < tokens.count {
      if tokens[position].isMark(opening) { depth += 1 }
      if tokens[position].isMark(closing) { depth -= 1 }
      position += 1
      if depth == 0 { break }
    }
    return position
  }

  /// The index where the group begins that ends at `index`; nil where the text does not have it.
  func opening(to index: Int) -> Int? {
    precondition(tokens[index].isMark("]") || tokens[index].isMark(")"), "a bracket that was opened is closed")
    let (opening, closing) = tokens[index].isMark("]") ? ("[", "]") : ("(", ")")
    var depth = 0
    for position in stride(from: index, through: 0, by: -1) {
      if tokens[position].isMark(closing) { depth += 1 }
      if tokens[position].isMark(opening) { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }

  /// `#keyPath(Note.author.name)` to `"author.name"`. Returns the index behind it.
  private mutating func keyPath(at index: Int) -> Int {
    guard index + 1 < tokens.count, tokens[index + 1].isMark("(") else { return index + 1 }
    let end = closing(from: index + 1)
    let inside = tokens[(index + 2)..<max(index + 2, end - 1)]
    guard inside.allSatisfy({ $0.isName || $0.isMark(".") }),
      let path = objectiveCPath(inside.filter(\.isName).map(\.text))
    else {
      problem(
        tokens[index], "#keyPath",
        "this #keyPath is not a plain path of names, or one of them is several properties'. Write its string.")
      return end
    }
    let range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
    edits.append(Edit(range: range, text: "\"\(path)\""))
    return end
  }

  /// `author.name` for `Note.author.name`, with the names that Objective-C has; nil where they are not known.
  func objectiveCPath(_ names: [String]) -> String? {
    var names = names
    var types: [String] = []
    // A type before the properties: capitals are types', except where nothing else is left.
    while names.count > 1, names[0].first?.isUppercase == true { types.append(names.removeFirst()) }
    if names.count > 1, names[0] == "self" { names.removeFirst() }
    guard !names.isEmpty else { return nil }
    return module.keys.path(names, of: types.isEmpty ? scopes.type?.path : types)?.joined(separator: ".")
  }

  private var edited: String {
    func isLineFeed(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") }
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      precondition(position <= edit.range.lowerBound, "no edit overlaps another")
      bytes += source.bytes[position..<edit.range.lowerBound]
      bytes += Array(edit.text.utf8)
      // An edit takes as many lines as the text before it did, so that no line behind it has another number.
      let lost = source.bytes[edit.range].count(where: isLineFeed) - edit.text.utf8.count(where: isLineFeed)
      bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: max(0, lost))
      position = edit.range.upperBound
    }
    bytes += source.bytes[position...]
    let (count, before) = (bytes.count(where: isLineFeed), source.bytes.count(where: isLineFeed))
    precondition(count >= before, "no edit takes a line away")
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Porter.File {
  /// The changed lines in the form of `diff -u0`, with the file's name before and after; edits keep the number of lines.
  package var difference: String {
    guard isChanged else { return "" }
    let old = before.split(separator: "\n", omittingEmptySubsequences: false)
    let new = after.split(separator: "\n", omittingEmptySubsequences: false)
    precondition(new.count >= old.count, "no line of the file was taken away")
    var text = "--- \(path)\n+++ \(path)\n"
    var line = 0
    while line < old.count {
      guard old[line] != new[line] else {
        line += 1
        continue
      }
      let start = line
      while line < old.count, old[line] != new[line] { line += 1 }
      let range = line - start == 1 ? "\(start + 1)" : "\(start + 1),\(line - start)"
      text += "@@ -\(range) +\(range) @@\n"
      text += old[start..<line].map { "-\($0)\n" }.joined()
      text += new[start..<line].map { "+\($0)\n" }.joined()
    }
    return text
  }
}
