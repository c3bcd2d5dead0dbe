/// Findings about a module that Linux refuses, over several files together.
package struct PortedModule {
  /// Whether a file imports CoreData.
  package private(set) var importsCoreData = false
  /// By the paths of files.
  package private(set) var problems: [String: [SourceProblem]] = [:]
  /// Names of macros that the files declare.
  private(set) var macros: Set<String> = []
  /// Names of `optional` requirements.
  private(set) var optionalRequirements: Set<String> = []
  /// Managed properties that are an `NSSet`, with their classes, and methods that take one.
  private(set) var setProperties: [String: Set<[String]>] = [:]
  private(set) var setMethods: Set<String> = []
  let keys: PortedKeys
  private var declaredNames: Set<String> = []
  private var swift5Files: Set<String> = []
  private var resolver: TypeResolver?

  /// Nothing is known.
  package init() { keys = PortedKeys(ModuleSources(module: "")) }

  /// - Parameters:
  ///   - entities: those of the models beside the files, some of which have their properties in extensions that are
  ///     generated.
  ///   - swift5Files: paths of files that are compiled as Swift 5.
  package init(_ files: [SwiftSource], entities: [ModelEntity], swift5Files: Set<String> = []) {
    self.swift5Files = swift5Files
    var sources = ModuleSources(module: "")
    for file in files { sources.add(file) }
    keys = PortedKeys(sources)
    for file in files { note(Lexer(file).tokens) }
    importsCoreData = sources.importsCoreData
    noteSets(sources, entities)
    let resolver = TypeResolver(own: sources, dependencies: [])
    self.resolver = resolver
    var members = Dictionary(grouping: sources.outline) { $0.owner.joined(separator: ".") }
    for entity in entities where entity.generation == .category {
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      members[entity.className, default: []] += names.map { name in
        OutlinedMember(
          signature: name, owner: [entity.className], isInExtension: true, isOverride: false,
          place: Place(path: "the model", line: 0))
      }
    }
    for member in sources.outline where member.isOverride && !member.isInExtension {
      check(member, members, resolver)
    }
    for member in sources.keyedMembers where member.kind != .override && member.access <= .fileprivate {
      checkPrivate(member, resolver)
    }
  }

  private static let declarations: Set<String> = [
    "actor", "case", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  /// Notes the declarations among the tokens of a file.
  private mutating func note(_ tokens: [Token]) {
    var scopes = PortedScopes()
    for (index, token) in tokens.enumerated() {
      scopes.note(tokens, index)
      guard token.kind == .word, index + 1 < tokens.count, tokens[index + 1].isName else { continue }
      let name = tokens[index + 1].text
      if token.text == "macro" { macros.insert(name) }
      guard Self.declarations.contains(token.text) else { continue }
      declaredNames.insert(name)
      let before = tokens[..<index].suffix(3)
      if scopes.isMember(of: "protocol"), before.contains(where: { $0.isWord("optional") }) {
        optionalRequirements.insert(name)
      }
    }
  }

  private mutating func noteSets(_ sources: ModuleSources, _ entities: [ModelEntity]) {
    var sets: [String: [[String]]] = [:]
    for member in sources.members {
      switch member.kind {
      case .property(let type): if type.isNSSet { sets[member.name, default: []].append(member.owner) }
      case .method(let parameters, _):
        if parameters.count == 1, parameters[0].type.isNSSet { setMethods.insert(member.name) }
      }
    }
    // A name that another class gives to a property of another type says nothing.
    let others = Dictionary(grouping: sources.outline, by: \.signature).filter {
      $0.value.count > sets[$0.key]?.count ?? 0
    }
    setProperties = sets.filter { others[$0.key] == nil }.mapValues(Set.init)
    for entity in entities where entity.generation != .none {
      for relationship in entity.relationships where relationship.isToMany && !relationship.isOrdered {
        let name = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
        if others[relationship.name] == nil {
          setProperties[relationship.name, default: []].insert([entity.className])
        }
        setMethods.formUnion(["addTo\(name)", "removeFrom\(name)"])
      }
    }
  }

  mutating func add(_ problem: SourceProblem) { problems[problem.path, default: []].append(problem) }

  // MARK: Questions

  /// Whether a file declares something of that name.
  func declares(_ name: String) -> Bool { declaredNames.contains(name) }

  /// Whether the files are known, so that a name that none of them declares is another module's.
  var isKnown: Bool { resolver != nil }

  func isSwift6(_ path: String) -> Bool { !swift5Files.contains(path) }

  /// Whether a metatype of the class cannot make an object by an initialiser of Apple's on Linux.
  ///
  /// - Parameter isClass: whether the path was found where the class is declared; of an extension, it may be no class.
  func lacksRequiredInitialiser(_ path: [String], isClass: Bool) -> Bool {
    var path = path
    var isClass = isClass
    // A circle of classes does not compile; it must not stop the search from ending.
    for _ in 0..<100 {
      guard case .type(let type, _)? = resolver?.meaning(of: path, in: [], module: "") else { break }
      guard type.kind == .class, !type.isFinal, resolver?.own.typesWithRequired.contains(path) == false,
        case .named(let parts)? = type.inherited.first
      else { return false }
      isClass = true
      path = parts.map(\.name)
    }
    guard let name = path.last, !Self.namesWithoutClass.contains(name), !name.hasSuffix("Type") else { return false }
    return name.hasPrefix("NS") || isClass && name == "Operation"
  }

  /// Classes that have such initialisers here, and names that are no classes.
  private static let namesWithoutClass: Set<String> = [
    "NSDecimal", "NSEdgeInsets", "NSFetchRequestResult", "NSManagedObject", "NSObjectProtocol", "NSPoint", "NSRange",
    "NSRect", "NSSize", "NSSortDescriptor", "NSValueTransformerName",
  ]

  /// The name of a class that `NSStringFromClass` of Foundation cannot name; nil for others.
  func hiddenClass(_ path: [String], in scope: [String]) -> String? {
    guard !path.isEmpty, let resolver, case .type(let type, _)? = resolver.meaning(of: path, in: scope, module: ""),
      type.kind == .class, type.access <= .fileprivate || type.path.count > 1
    else { return nil }
    let isManaged = (try? resolver.nominal(type, module: "")).map(resolver.isManagedObject) ?? isManaged(type)
    return isManaged ? nil : type.path.joined(separator: ".")
  }

  /// Whether a class that has no name outside of its file inherits from `NSManagedObject`.
  private func isManaged(_ type: DeclaredType) -> Bool {
    var parent = type.inherited.first
    for _ in 0..<100 {
      guard case .named(let parts)? = parent else { return false }
      let names = parts.map(\.name)
      guard case .type(let next, _)? = resolver?.meaning(of: names, in: Array(type.path.dropLast()), module: "") else {
        return names.last == "NSManagedObject"
      }
      parent = next.inherited.first
    }
    return false
  }
}

extension TypeSyntax {
  fileprivate var isNSSet: Bool {
    switch self {
    case .optional(let type), .unwrapped(let type): type.isNSSet
    case .named(let parts): parts.last?.name == "NSSet"
    default: false
    }
  }
}
