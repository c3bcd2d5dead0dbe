/// Makes the edits that Swift on Linux needs in model sources: attributes for Objective-C become comments, key paths of
/// Objective-C become their strings; everything else stays as it is, to the byte.
package struct Porter {
  /// One file as it was and as it will be.
  package struct File: Sendable {
    package let path: String
    package let before: String
    package let after: String
    /// What cannot be ported by an edit.
    package let problems: [SourceProblem]

    package var isChanged: Bool { before != after }
  }

  private struct Edit {
    let range: Range<Int>
    let text: String
  }

  private let source: SwiftSource
  private let tokens: [Token]
  private var edits: [Edit] = []
  private var problems: [SourceProblem] = []

  /// The file with its edits.
  package static func port(_ text: String, path: String) -> File {
    var porter = Porter(SwiftSource(path: path, text: text))
    porter.findEdits()
    return File(path: path, before: text, after: porter.edited, problems: porter.problems)
  }

  private init(_ source: SwiftSource) {
    self.source = source
    tokens = Lexer(source).tokens
  }

  private static let attributes: Set<String> = [
    "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBInspectable",
  ]

  /// Depth of `#if canImport(ObjectiveC)` blocks: their contents are not for Linux anyway.
  private mutating func findEdits() {
    var conditions: [Bool] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      if token.kind == .condition { note(token.text, &conditions) }
      if !conditions.contains(true) {
        if token.isMark("@"), index + 1 < tokens.count, Self.attributes.contains(tokens[index + 1].text) {
          index = attribute(at: index)
          continue
        }
        if token.kind == .pound, token.text == "#keyPath" {
          index = keyPath(at: index)
          continue
        }
        if token.kind == .pound, token.text == "#selector" {
          problem(token, "#selector needs Objective-C, which Linux lacks. Pass a closure, or call the method itself.")
        }
        if token.isWord("dynamic"), previousIsObjectiveC(index) {
          problem(token, "dynamic without @objc is another thing. Take it out, unless it is meant for replacement.")
        }
      }
      index += 1
    }
  }

  private func note(_ text: String, _ conditions: inout [Bool]) {
    let isApple = text.contains("canImport(ObjectiveC)") || text.contains("_runtime(_ObjC)")
    if text.hasPrefix("#endif") {
      _ = conditions.popLast()
    } else if text.hasPrefix("#if") {
      conditions.append(isApple && !text.contains("!"))
    } else if !conditions.isEmpty {
      conditions[conditions.count - 1] = isApple && !text.contains("!")
    }
  }

  private mutating func problem(_ token: Token, _ message: String) {
    problems.append(
      SourceProblem(path: source.path, line: source.line(at: token.range.lowerBound), message: message))
  }

  private func previousIsObjectiveC(_ index: Int) -> Bool {
    tokens[..<index].suffix(4).contains { $0.text == "objc" }
  }

  /// `@objc(Name)` to `/*@objc(Name)*/`: the generator reads the name there. Returns the index behind it.
  private mutating func attribute(at index: Int) -> Int {
    let name = tokens[index + 1]
    var end = index + 2
    if end < tokens.count, tokens[end].isMark("("), tokens[end].range.lowerBound == name.range.upperBound {
      end = closing(from: end)
    }
    // Xcode's `@nonobjc` is taken on Linux, and means nothing there.
    guard name.text != "nonobjc" else { return end }
    let range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
    edits.append(Edit(range: range, text: "/*\(source.text(range))*/"))
    return end
  }

  /// The index behind the group that begins at `index`.
  private func closing(from index: Int) -> Int {
    var depth = 0
    var position = index
    while position < tokens.count {
      if tokens[position].isMark("(") { depth += 1 }
      if tokens[position].isMark(")") { depth -= 1 }
      position += 1
      if depth == 0 { break }
    }
    return position
  }

  /// `#keyPath(Note.author.name)` to `"author.name"`. Returns the index behind it.
  private mutating func keyPath(at index: Int) -> Int {
    guard index + 1 < tokens.count, tokens[index + 1].isMark("(") else { return index + 1 }
    let end = closing(from: index + 1)
    let inside = tokens[(index + 2)..<max(index + 2, end - 1)]
    var names = inside.filter(\.isName).map(\.text)
    // A type before the properties: capitals are types', except where nothing else is left.
    while names.count > 1, names[0].first?.isUppercase == true || names[0] == "self" { names.removeFirst() }
    guard !names.isEmpty, inside.allSatisfy({ $0.isName || $0.isMark(".") }) else {
      problem(tokens[index], "this #keyPath is not a plain path of names. Write its string.")
      return end
    }
    let range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
    edits.append(Edit(range: range, text: "\"\(names.joined(separator: "."))\""))
    return end
  }

  private var edited: String {
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits {
      bytes += source.bytes[position..<edit.range.lowerBound]
      bytes += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    bytes += source.bytes[position...]
    return String(decoding: bytes, as: UTF8.self)
  }
}
