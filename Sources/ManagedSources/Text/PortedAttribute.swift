/// An attribute for Objective-C that porting turned into a comment, so that its name is not lost.
enum PortedAttribute {
  /// `Name` of `/*@objc(Name)*/`; nil for other comments, and for a selector.
  static func name(inComment comment: String) -> String? {
    let prefix = "/*@objc("
    let suffix = ")*/"
    guard comment.hasPrefix(prefix), comment.hasSuffix(suffix) else { return nil }
    let name = comment.dropFirst(prefix.count).dropLast(suffix.count)
    return name.isEmpty || name.contains(":") ? nil : String(name)
  }
}
