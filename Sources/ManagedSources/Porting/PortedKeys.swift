/// The names that Objective-C has for the properties of a module, which key paths of Objective-C are made of.
struct PortedKeys {
  /// By the property's name and its class.
  private var keys: [String: [[String]: String]] = [:]
  /// The class at the end of a property.
  private var classes: [String: [[String]: [String]]] = [:]

  init(_ sources: ModuleSources) {
    for member in sources.outline where !member.signature.contains("(") {
      keys[member.signature, default: [:]][member.owner] = member.signature
    }
    for member in sources.keyedMembers where member.kind != .validator {
      keys[member.name, default: [:]][member.owner] = member.key
    }
    for member in sources.members {
      guard case .property(let type) = member.kind else { continue }
      keys[member.name, default: [:]][member.owner] = member.key
      classes[member.name, default: [:]][member.owner] = type.classNames
    }
  }

  /// The path in Objective-C's names; nil where classes give a name to properties of several names, and the path does not tell
  /// which is meant.
  ///
  /// - Parameter owner: the class that the path begins at, as far as it is known.
  func path(_ names: [String], of owner: [String]?) -> [String]? {
    var owner = owner
    var path: [String] = []
    for name in names {
      let known = keys[name] ?? [:]
      let all = Set(known.values)
      guard let key = owner.flatMap({ known[$0] }) ?? (all.count > 1 ? nil : all.first ?? name) else { return nil }
      path.append(key)
      owner = owner.flatMap { classes[name]?[$0] }
    }
    return path
  }
}

extension TypeSyntax {
  /// The class of an object, or of a collection's objects.
  fileprivate var classNames: [String]? {
    switch self {
    case .optional(let type), .unwrapped(let type), .array(let type): type.classNames
    case .named(let parts):
      if let last = parts.last, last.name == "Set" { last.arguments.first?.classNames } else { parts.map(\.name) }
    case .dictionary, .other: nil
    }
  }
}
