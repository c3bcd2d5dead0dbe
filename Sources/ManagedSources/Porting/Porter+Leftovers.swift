// Places that porting cannot edit: rules about single tokens and their neighbours.

/// Something that is left to do by hand.
struct Leftover {
  /// The words under which it is counted.
  let kind: String
  let message: String
}

extension Porter {
  /// The work left to do by hand at a token that Linux compiles.
  func leftover(at index: Int) -> Leftover? {
    precondition(tokens.indices.contains(index), "rules look at a token that is there")
    let token = tokens[index]
    guard token.isName else { return nil }
    return observation(at: index) ?? requirement(at: index) ?? metatype(at: index) ?? setLiteral(at: index)
      ?? className(at: index) ?? comparator(at: index) ?? member(at: index) ?? global(at: index)
  }

  func isMark(_ index: Int, _ mark: String) -> Bool {
    tokens.indices.contains(index) && tokens[index].isMark(mark)
  }

  func isWord(_ index: Int, _ word: String) -> Bool {
    tokens.indices.contains(index) && tokens[index].isWord(word)
  }

  /// Observing one key needs Objective-C.
  private func observation(at index: Int) -> Leftover? {
    let token = tokens[index]
    let remedy = "Observe NSManagedObjectContextObjectsDidChange."
    func needsRuntime(_ name: String) -> Leftover {
      Leftover(
        kind: "observer of a key", message: "\(name) needs Objective-C, which Linux lacks. \(remedy)")
    }
    if token.text.hasPrefix("keyPathsForValuesAffecting") || token.text == "automaticallyNotifiesObservers" {
      return Leftover(
        kind: "observer of a key",
        message: "\(token.text) is never called: there are no observers of single keys on Linux. \(remedy)")
    }
    if token.text == "NSKeyValueObservation" {
      return Leftover(
        kind: "observer of a key",
        message:
          "NSKeyValueObservation needs Objective-C, which Linux lacks. Keep what NotificationCenter returns instead.")
    }
    guard isMark(index + 1, "(") else { return nil }
    if token.text == "observeValue", isWord(index + 2, "forKeyPath") {
      return needsRuntime("observeValue(forKeyPath:)")
    }
    guard isMark(index - 1, ".") else { return nil }
    switch token.text {
    case "observe" where isMark(index + 2, "\\"): return needsRuntime("observe(_:)")
    case "publisher" where isWord(index + 2, "for") && isMark(index + 4, "\\"): return needsRuntime("publisher(for:)")
    case "addObserver", "removeObserver":
      let arguments = tokens[index..<closing(from: index + 1)]
      return arguments.contains { $0.isWord("forKeyPath") } ? needsRuntime("\(token.text)(_:forKeyPath:)") : nil
    default: return nil
    }
  }

  /// `optional` in a protocol, and calls of such a requirement.
  private func requirement(at index: Int) -> Leftover? {
    let token = tokens[index]
    if token.isWord("optional"), scopes.isMember(of: "protocol"), !isDeclared(index),
      isMark(index + 1, "@") || index + 1 < tokens.count && tokens[index + 1].kind == .word
    {
      return Leftover(
        kind: "@objc optional",
        message:
          "only protocols of Objective-C have optional requirements. Take the word out, and give the requirement a body "
          + "in an extension of the protocol.")
    }
    guard module.optionalRequirements.contains(token.text), isMark(index - 1, "."), isMark(index + 1, "?") else {
      return nil
    }
    return Leftover(
      kind: "@objc optional",
      message: "\(token.text) is no optional requirement on Linux. Take the question mark behind it out.")
  }

  /// `self.init(…)` and `Self(…)` in a static member of a class without a `required` initialiser: Swift takes it only for
  /// classes of Objective-C. `NSManagedObject` and `NSSortDescriptor` have such initialisers here.
  private func metatype(at index: Int) -> Leftover? {
    let isInit =
      (isWord(index, "self") || isWord(index, "Self")) && isMark(index + 1, ".") && isWord(index + 2, "init")
    let isCall = isWord(index, "Self") && isMark(index + 1, "(")
    // `type(of: self).init(…)`
    let isDynamic =
      isWord(index, "type") && isWord(index + 2, "of") && isWord(index + 4, "self") && isMark(index + 6, ".")
      && isWord(index + 7, "init")
    guard isDynamic || (isInit || isCall) && scopes.isInStaticMember, isUnqualified(index), let type = scopes.type,
      module.lacksRequiredInitialiser(type.path, isClass: type.keyword == "class")
    else { return nil }
    let name = type.path.joined(separator: ".")
    return Leftover(
      kind: "self.init of a metatype",
      message:
        "Swift on Linux makes an object of a metatype only by a required initialiser. Name the class, \(name)(…), or "
        + "declare a required initialiser in it.")
  }

  /// Array literals in place of an `NSSet`.
  private func setLiteral(at index: Int) -> Leftover? {
    let token = tokens[index]
    let isType = ["NSSet", "NSMutableSet", "NSCountedSet"].contains(token.text)
    let behind = isMark(index + 1, "?") || isMark(index + 1, "!") ? index + 2 : index + 1
    let isAssigned = isMark(behind, "=") && isMark(behind + 1, "[")
    var isLiteral = isType && isMark(index - 1, ":") && isAssigned
    if isType, isWord(index - 1, "as"), isMark(index - 2, "]"), let start = opening(to: index - 2) {
      // Behind a name, a call or another subscript the bracket is a subscript's.
      isLiteral =
        start == 0 || tokens[start - 1].kind == .mark && !")]?!".contains(tokens[start - 1].text)
        || isWord(start - 1, "return")
    }
    if let owners = module.setProperties[token.text], isAssigned, !isDeclared(index) {
      isLiteral = isMark(index - 1, ".") || scopes.type.map { owners.contains($0.path) } ?? false
    }
    if module.setMethods.contains(token.text), isMark(index + 1, "("), isMark(index + 2, "["), !isDeclared(index) {
      isLiteral = isMark(closing(from: index + 2), ")")
    }
    return isLiteral
      ? Leftover(
        kind: "NSSet literal", message: "an array literal is no NSSet on Linux. Write NSSet(array: […]).")
      : nil
  }

  private func isDeclared(_ index: Int) -> Bool {
    ["func", "let", "var"].contains { isWord(index - 1, $0) }
  }

  /// Class names and classes from each other.
  private func className(at index: Int) -> Leftover? {
    guard isMark(index + 1, "("), isUnqualified(index) || isWord(index - 2, "Foundation") else { return nil }
    if isWord(index, "NSClassFromString") {
      return Leftover(
        kind: "NSClassFromString",
        message:
          "NSClassFromString finds classes by Module.Name only, and none by the name in @objc(Name). Name the class itself."
      )
    }
    guard isWord(index, "NSStringFromClass") else { return nil }
    let argument = tokens[(index + 2)..<max(index + 2, closing(from: index + 1) - 1)]
    let around = scopes.type?.path ?? []
    let isName =
      argument.count > 1 && argument.last?.text == "self" && argument.allSatisfy { $0.isName || $0.isMark(".") }
    let ofSelf = argument.contains { $0.isWord("self") || $0.isWord("Self") } ? around : []
    let path = isName ? argument.dropLast().filter(\.isName).map(\.text) : ofSelf
    guard let type = module.hiddenClass(path, in: isName ? around : []) else { return nil }
    return Leftover(
      kind: "NSStringFromClass",
      message:
        "NSStringFromClass ends the process on Linux: \(type) is private, or inside another type. Write its name.")
  }

  /// A sort descriptor with a closure or a selector.
  private func comparator(at index: Int) -> Leftover? {
    guard isWord(index, "NSSortDescriptor"), isMark(index + 1, "(") else { return nil }
    let end = closing(from: index + 1)
    guard tokens[index..<end].contains(where: { $0.isWord("comparator") }) || isMark(end, "{") else { return nil }
    return Leftover(
      kind: "sort descriptor with a comparator",
      message: "no fetch sorts by a comparator. Leave it out, or sort the array that the fetch returns.")
  }

  /// Members that Linux lacks, or that are another thing there.
  private func member(at index: Int) -> Leftover? {
    let token = tokens[index]
    guard isMark(index - 1, ".") else { return nil }
    if ["mutableSetValue", "mutableOrderedSetValue", "mutableArrayValue"].contains(token.text), isMark(index + 1, "(") {
      let end = closing(from: index + 1)
      guard isWord(end, "as"), end + 2 < tokens.count,
        tokens[(end + 1)..<min(end + 3, tokens.count)].contains(where: { $0.isWord("Set") || $0.isMark("[") })
      else { return nil }
      return Leftover(
        kind: "cast of a mutable set",
        message: "what \(token.text) gives casts to an empty collection of Swift's on Linux. Cast value(forKey:).")
    }
    if token.text == "isMainThread" {
      return Leftover(
        kind: "isMainThread",
        message:
          "isMainThread is false on the main queue of a process that runs Swift Testing on Linux. Where tests come by, write "
          + "dispatchPrecondition(condition: .onQueue(.main)).")
    }
    guard let remedy = PortedNames.members[token.text], !module.declares(token.text),
      token.text != "notifications" || isMark(index + 1, "(") && isWord(index + 2, "named")
    else { return nil }
    return Leftover(kind: token.text, message: "there is no \(token.text) on Linux. \(remedy).")
  }

  /// Names of no type's members.
  private func global(at index: Int) -> Leftover? {
    let name = tokens[index].text
    guard !module.declares(name) else { return nil }
    if PortedNames.isAbsent(name) {
      return Leftover(
        kind: name,
        message: "there is no \(name) on Linux. Leave it out, or put it between #if canImport(ObjectiveC) and #endif.")
    }
    guard isUnqualified(index) || isWord(index - 2, "Foundation") else { return nil }
    if let needed = PortedNames.module(of: name), !imports.modules.contains(needed) {
      return Leftover(
        kind: "import \(needed)",
        message:
          "\(name) is in \(needed) on Linux. Write #if canImport(\(needed)), import \(needed) and #endif on lines of "
          + "their own.")
    }
    // A call around `#selector` is reported there.
    let isAroundSelector = index + 2 < tokens.count && tokens[index + 2].text == "#selector"
    if ["NSSelectorFromString", "NSStringFromSelector", "Selector"].contains(name), !isMark(index + 1, ":"),
      !isAroundSelector
    {
      return Leftover(
        kind: "Selector",
        message: "\(name) needs Objective-C, which Linux lacks. Pass a closure, or call the method itself.")
    }
    return ofC(at: index)
  }

  /// Names from C.
  private func ofC(at index: Int) -> Leftover? {
    let name = tokens[index].text
    if PortedNames.isOfCoreFoundation(name), !imports.modules.contains("CoreFoundation") {
      return Leftover(
        kind: "import CoreFoundation",
        message:
          "\(name) is in CoreFoundation, which Foundation does not bring on Linux. Write import CoreFoundation, or use "
          + "a class of Foundation's, such as RunLoop.")
    }
    if PortedNames.isOfRuntime(name), isMark(index + 1, "(") {
      return Leftover(
        kind: "Objective-C's runtime", message: "\(name) needs Objective-C, which Linux lacks. Leave it out.")
    }
    let isArgument =
      (isMark(index - 1, "(") || isMark(index - 1, ",")) && (isMark(index + 1, ")") || isMark(index + 1, ","))
    if ["stderr", "stdin", "stdout"].contains(name), isArgument, module.isSwift6(source.path) {
      return Leftover(
        kind: name,
        message:
          "\(name) is a global variable, which Swift 6 refuses on Linux. Use FileHandle, such as FileHandle.standardError."
      )
    }
    return nil
  }

  /// Notes a branch of `#if` that only the system's name keeps from Linux.
  mutating func leaveOut(at index: Int) {
    let condition = tokens[index]
    guard condition.kind == .condition, !condition.text.hasPrefix("#endif"), conditions.beginsLeftOut,
      !conditionsWithoutSystem.isLeftOut
    else { return }
    var depth = 0
    var end = index + 1
    while end < tokens.count {
      if tokens[end].kind == .condition {
        if depth == 0, !tokens[end].text.hasPrefix("#if") { break }
        depth += tokens[end].text.hasPrefix("#if") ? 1 : tokens[end].text.hasPrefix("#endif") ? -1 : 0
      }
      end += 1
    }
    let branch = tokens[(index + 1)..<end]
    let isAlone = condition.text.hasPrefix("#if") && end < tokens.count && tokens[end].text.hasPrefix("#endif")
    let usesCoreData = branch.contains { $0.isName && ($0.text == "CoreData" || PortedImports.isOfCoreData($0.text)) }
    let needsApple = branch.indices.contains { position in
      imports.declarations[position].map { PortedImports.appleModules.contains($0.path[0]) } ?? false
    }
    guard isAlone && condition.text.contains("Linux") || usesCoreData && !needsApple else { return }
    problem(
      condition, "left out by #if",
      "Linux leaves out what is between this and \(end < tokens.count ? tokens[end].text.prefix { !$0.isWhitespace } : "the end")"
        + ". CoreData is here: take the condition out, or write canImport(ObjectiveC) where it is to stay so.")
  }
}
