/// The modules that a file imports by name, as far as two of them have the same names.
struct PortedImports {
  /// Classes that Foundation on Linux declares as well, without function.
  static let names: Set<String> = ["NSExpression", "NSComparisonPredicate"]

  /// Whether the file imports CoreData, and another module that may bring Foundation.
  let areAmbiguous: Bool

  init(_ tokens: [Token]) {
    var modules: Set<String> = []
    for (index, token) in tokens.enumerated() where token.isWord("import") && index + 1 < tokens.count {
      // Of `import class CoreData.NSExpression` the module comes after the kind.
      let kinds: Set<String> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
      let next = tokens[index + 1]
      let name = kinds.contains(next.text) && index + 2 < tokens.count ? tokens[index + 2] : next
      modules.insert(name.text)
    }
    areAmbiguous = modules.contains("CoreData") && modules.count > 1
  }
}

/// What kind of braces the tokens are in.
struct PortedScopes {
  private var isExtension: [Bool] = []
  private var isExtensionNext = false

  /// Whether the next token is a member of an extension.
  var isInExtension: Bool { isExtension.last ?? false }

  mutating func note(_ token: Token) {
    if token.isWord("extension") { isExtensionNext = true }
    if token.isMark("{") {
      isExtension.append(isExtensionNext)
      isExtensionNext = false
    } else if token.isMark("}") {
      _ = isExtension.popLast()
    }
  }
}

extension Porter {
  func isUnqualified(_ index: Int) -> Bool { index == 0 || !tokens[index - 1].isMark(".") }

  /// `NSStringFromSelector(#selector(getter: Note.title))` and `#selector(getter: Note.title).description` to `"title"`; other
  /// selectors stay, and are problems. Returns the index behind it.
  mutating func selector(at index: Int) -> Int {
    let end = index + 1 < tokens.count && tokens[index + 1].isMark("(") ? closing(from: index + 1) : index + 1
    let inside = tokens[min(index + 2, tokens.count)..<max(min(index + 2, tokens.count), end - 1)]
    let words = inside.map(\.text)
    let names = inside.dropFirst(2).filter(\.isName)
    guard words.first == "getter", words.dropFirst().first == ":", let name = names.last,
      inside.dropFirst(2).allSatisfy({ $0.isName || $0.isMark(".") })
    else {
      problem(
        tokens[index], "#selector needs Objective-C, which Linux lacks. Pass a closure, or call the method itself.")
      return index + 1
    }
    var range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
    if index >= 2, tokens[index - 2].text == "NSStringFromSelector", tokens[index - 1].isMark("("), end < tokens.count {
      range = tokens[index - 2].range.lowerBound..<tokens[end].range.upperBound
      edits.append(Edit(range: range, text: "\"\(name.text)\""))
      return end + 1
    }
    if end + 1 < tokens.count, tokens[end].isMark("."), tokens[end + 1].text == "description" {
      range = tokens[index].range.lowerBound..<tokens[end + 1].range.upperBound
      edits.append(Edit(range: range, text: "\"\(name.text)\""))
      return end + 2
    }
    problem(
      tokens[index], "#selector needs Objective-C, which Linux lacks. Write the key \"\(name.text)\", or a key path.")
    return end
  }

  /// `NSBatchDeleteRequest(fetchRequest: r as! NSFetchRequest<NSFetchRequestResult>)` without the cast, which finds another class on
  /// Linux; elsewhere such a cast is a problem. Returns the index behind it, or nil where there is none.
  mutating func requestCast(at index: Int) -> Int? {
    guard tokens[index].isWord("as"), index + 4 < tokens.count,
      tokens[index + 1].isMark("!") || tokens[index + 1].isMark("?"), tokens[index + 2].text == "NSFetchRequest",
      tokens[index + 3].isMark("<"), let close = tokens[index...].firstIndex(where: { $0.isMark(">") })
    else { return nil }
    let isArgument = close + 1 < tokens.count && tokens[close + 1].isMark(")")
    let before = tokens[..<index].suffix(12).map(\.text)
    if isArgument, tokens[index + 1].isMark("!"), before.contains("NSBatchDeleteRequest"),
      before.contains("fetchRequest"),
      tokens[index + 4..<close].contains(where: { $0.text == "NSFetchRequestResult" })
    {
      let start = tokens[index - 1].range.upperBound
      edits.append(Edit(range: start..<tokens[close].range.upperBound, text: ""))
    } else {
      problem(
        tokens[index],
        "fetch requests of different results are different classes on Linux. Make the request with the type that is wanted."
      )
    }
    return close + 1
  }

  /// What is wrong with observing one key, which needs Objective-C.
  func observation(at index: Int) -> String? {
    let token = tokens[index]
    if token.isName, token.text.hasPrefix("keyPathsForValuesAffecting") {
      return "\(token.text) is never called: there are no observers of single keys on Linux. Observe ObjectsDidChange."
    }
    let isCalled =
      index > 0 && tokens[index - 1].isMark(".") && index + 2 < tokens.count && tokens[index + 1].isMark("(")
    if token.isWord("observe"), isCalled, tokens[index + 2].isMark("\\") {
      return "observe(_:) needs Objective-C, which Linux lacks. Observe NSManagedObjectContextObjectsDidChange."
    }
    guard token.isWord("addObserver"), isCalled else { return nil }
    let end = closing(from: index + 1)
    guard tokens[index..<end].contains(where: { $0.isWord("forKeyPath") }) else { return nil }
    return
      "addObserver(_:forKeyPath:) needs Objective-C, which Linux lacks. Observe NSManagedObjectContextObjectsDidChange."
  }
}
