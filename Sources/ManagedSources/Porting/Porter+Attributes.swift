// Edits around the attributes for Objective-C, and names in the wrong module.

extension Porter {
  /// Attributes with a capital that are no macros; a global actor that is taken for one does no harm.
  private static let capitalAttributes: Set<String> = [
    "GKInspectable", "IBAction", "IBDesignable", "IBInspectable", "IBOutlet", "IBSegueAction", "MainActor",
    "NSApplicationMain",
    "NSManaged", "UIApplicationMain",
  ]

  /// Whether the class that the attribute from `index` to `end` is on has an attribute that is a macro.
  func isBesideMacro(_ index: Int, _ end: Int) -> Bool {
    var names: [String] = []
    var first = index
    while let start = attribute(before: first, &names) { first = start }
    var last = end
    while last < tokens.count {
      if tokens[last].isMark("@"), last + 1 < tokens.count {
        names.append(tokens[last + 1].text)
        last += 2
        if last < tokens.count, tokens[last].isMark("("),
          tokens[last].range.lowerBound == tokens[last - 1].range.upperBound
        {
          last = closing(from: last)
        }
      } else if tokens[last].kind == .word, PortedScopes.modifiers.contains(tokens[last].text), !isClass(last) {
        last += 1
      } else {
        break
      }
    }
    return last < tokens.count && isClass(last)
      && names.contains { name in
        module.macros.contains(name)
          || name.first?.isUppercase == true && !Self.capitalAttributes.contains(name)
      }
  }

  private func isClass(_ index: Int) -> Bool {
    tokens[index].isWord("class") && !PortedScopes.isModifier(tokens, index)
  }

  /// Where the attribute or modifier begins that ends before `index`; an attribute's name is added.
  private func attribute(before index: Int, _ names: inout [String]) -> Int? {
    guard index > 0 else { return nil }
    var last = index - 1
    if tokens[last].isMark(")") {
      guard let start = opening(to: last), start > 0 else { return nil }
      last = start - 1
    }
    if last > 0, tokens[last].isName, tokens[last - 1].isMark("@") {
      names.append(tokens[last].text)
      return last - 1
    }
    return tokens[last].kind == .word && PortedScopes.modifiers.contains(tokens[last].text) ? last : nil
  }

  /// Makes `protocol P: AnyObject {` of `@objc protocol P {`: with Objective-C only classes conform to it, so that references
  /// to it may be weak.
  mutating func boundToClasses(at index: Int) {
    guard index + 2 < tokens.count, tokens[index + 1].isName, tokens[index + 2].isMark("{") else { return }
    var names: [String] = []
    var first = index
    while let start = attribute(before: first, &names) { first = start }
    guard names.contains("objc") else { return }
    let end = tokens[index + 1].range.upperBound
    edits.append(Edit(range: end..<end, text: ": AnyObject"))
  }

  /// `Foundation.ValueTransformer` to `CoreData.ValueTransformer`, where the class is here. Returns the index behind it, or nil
  /// where there is none.
  mutating func qualifiedName(at index: Int) -> Int? {
    guard index + 2 < tokens.count, tokens[index].isWord("Foundation"), isUnqualified(index),
      tokens[index + 1].isMark("."), PortedImports.foundationNames.contains(tokens[index + 2].text)
    else { return nil }
    edits.append(Edit(range: tokens[index].range, text: "CoreData"))
    return index + 3
  }
}
