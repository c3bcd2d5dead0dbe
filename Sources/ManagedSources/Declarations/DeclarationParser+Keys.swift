// Declarations that Objective-C finds by their names. Porting leaves their attributes in comments.

extension DeclarationParser {
  /// The attributes in the comments `/*@objc*/`, `/*@objc(Name)*/` and `/*@objcMembers*/` before a declaration's keyword, or
  /// among its modifiers.
  func portedAttributes(_ head: Head, _ keyword: Token) -> [String] {
    var found: [String] = []
    var end = keyword.range.lowerBound
    let start = head.start ?? end
    for comment in comments.reversed() where comment.range.upperBound <= end {
      if comment.range.lowerBound < start {
        let gap = source.bytes[comment.range.upperBound..<min(end, start)]
        guard gap.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { break }
        end = comment.range.lowerBound
      }
      if comment.text.hasPrefix("/*@"), comment.text.hasSuffix("*/") {
        found.append(String(comment.text.dropFirst(3).dropLast(2)))
      }
    }
    return found
  }

  /// `name` of `@objc(name)` before a declaration, also where porting has left it in a comment; nil without one.
  func givenName(_ head: Head, _ keyword: Token) -> String? {
    head.objectiveCName
      ?? portedAttributes(head, keyword).lazy.compactMap { attribute in
        attribute.hasPrefix("objc(") && attribute.hasSuffix(")") ? String(attribute.dropFirst(5).dropLast()) : nil
      }.first
  }

  /// `addToTags` for `addTagsObject:`: the name that Xcode gives to the method of a selector for a relationship; other selectors
  /// name no relationship.
  static func methodName(ofSelector selector: String) -> String {
    let forms: [(prefix: String, suffix: String, name: String)] = [
      ("insertObject:in", "AtIndex:", "insertInto"), ("removeObjectFrom", "AtIndex:", "removeFrom"),
      ("replaceObjectIn", "AtIndex:withObject:", "replace"), ("insert", ":atIndexes:", "insertInto"),
      ("remove", "AtIndexes:", "removeFrom"), ("add", "Object:", "addTo"), ("remove", "Object:", "removeFrom"),
      ("add", ":", "addTo"), ("remove", ":", "removeFrom"),
    ]
    if selector.hasPrefix("replace"), let end = selector.firstRange(of: "AtIndexes:with")?.lowerBound {
      return String(selector[..<end])
    }
    for form in forms where selector.hasPrefix(form.prefix) && selector.hasSuffix(form.suffix) {
      return form.name + selector.dropFirst(form.prefix.count).dropLast(form.suffix.count)
    }
    return selector
  }

  /// The name for Objective-C of a member called `name`; nil where Objective-C does not see it.
  private func objectiveCName(_ name: String, _ head: Head, _ scope: Scope, _ keyword: Token) -> String? {
    if let given = givenName(head, keyword), !given.contains(":") { return given }
    let attributes = portedAttributes(head, keyword)
    let isSeen =
      scope.isObjectiveC || head.isObjectiveC || attributes.contains { $0 == "objc" || $0.hasPrefix("objc(") }
    return isSeen && !head.isHidden ? name : nil
  }

  mutating func addOutline(_ signature: String, _ head: Head, _ scope: Scope, _ place: Place) {
    outline.append(
      OutlinedMember(
        signature: signature, owner: scope.path, isInExtension: scope.isExtension, isOverride: head.isOverride,
        place: place
      ))
  }

  /// Reads `var` and `let` without `@NSManaged`; steps behind the name.
  mutating func parseOtherProperty(_ head: Head, _ scope: Scope, _ keyword: Token) {
    reader.advance()
    guard let name = reader.current, name.isName else { return }
    reader.advance()
    guard !scope.path.isEmpty else { return }
    let place = place(head, keyword)
    addOutline(name.text, head, scope, place)
    let found = objectiveCName(name.text, head, scope, keyword)
    guard !head.isStatic, let key = found ?? (head.isOverride ? name.text : nil), !hasEffects else { return }
    keyedMembers.append(
      KeyedMember(
        kind: found == nil ? .override : .property, name: name.text, key: key, access: access(head, scope),
        owner: scope.path, place: place))
  }

  /// Reads `func` without `@NSManaged`, such as `validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws`;
  /// steps behind the name.
  mutating func parseOtherMethod(_ head: Head, _ scope: Scope, _ keyword: Token) {
    reader.advance()
    guard let name = reader.current, name.isName else { return }
    reader.advance()
    guard !scope.path.isEmpty else { return }
    let parameters = peekParameters()
    let labels = parameters.map { $0.map { ($0.label.isEmpty ? "_" : $0.label) + ":" }.joined() } ?? "?"
    let place = place(head, keyword)
    addOutline("\(name.text)(\(labels))", head, scope, place)
    let prefix = "validate"
    guard !head.isStatic, name.text.hasPrefix(prefix), name.text.count > prefix.count,
      objectiveCName(name.text, head, scope, keyword) != nil, let parameters, parameters.count == 1,
      parameters[0].label.isEmpty, case .named(let parts) = parameters[0].type,
      parts.last?.name == "AutoreleasingUnsafeMutablePointer"
    else { return }
    let rest = name.text.dropFirst(prefix.count)
    keyedMembers.append(
      KeyedMember(
        kind: .validator, name: name.text, key: rest.prefix(1).lowercased() + rest.dropFirst(),
        access: access(head, scope), owner: scope.path, place: place))
  }

  /// Whether the getter of the property throws or is asynchronous, from its type on: no key path leads to such a one.
  private var hasEffects: Bool {
    var ahead = reader
    guard ahead.current?.isMark(":") == true else { return false }
    ahead.advance()
    _ = ahead.parseType()
    guard ahead.current?.isMark("{") == true, ahead.peek?.isWord("get") == true else { return false }
    ahead.advance()
    return ahead.peek?.isWord("throws") == true || ahead.peek?.isWord("async") == true
  }

  /// The parameters that follow, which are not stepped over.
  private func peekParameters() -> [ManagedMember.Parameter]? {
    var ahead = reader
    guard ahead.current?.isMark("(") == true else { return nil }
    return ahead.parseParameters()
  }
}
