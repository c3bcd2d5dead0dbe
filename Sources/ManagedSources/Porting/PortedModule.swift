/// What several files say together of what Linux refuses.
package struct PortedModule {
  /// Whether a file imports CoreData.
  package private(set) var importsCoreData = false
  /// By the paths of files.
  package private(set) var problems: [String: [SourceProblem]] = [:]

  /// Nothing is known.
  package init() {}

  /// - Parameter entities: those of the models beside the files, some of which have their properties in extensions that are
  ///   generated.
  package init(_ files: [SwiftSource], entities: [ModelEntity]) {
    var sources = ModuleSources(module: "")
    for file in files { sources.add(file) }
    importsCoreData = sources.importsCoreData
    let resolver = TypeResolver(own: sources, dependencies: [])
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

  /// Looks for the nearest superclass that declares what is overridden.
  private mutating func check(
    _ member: OutlinedMember, _ members: [String: [OutlinedMember]], _ resolver: TypeResolver
  ) {
    var owner = member.owner
    // A circle of classes does not compile; it must not stop the search from ending.
    for _ in 0..<100 {
      guard case .type(let type, _)? = resolver.meaning(of: owner, in: [], module: ""),
        let first = type.inherited.first,
        case .named(let parts) = first,
        case .type(let parent, _)? = resolver.meaning(
          of: parts.map(\.name), in: Array(type.path.dropLast()), module: "")
      else { return }
      let name = parent.path.joined(separator: ".")
      let declared = (members[name] ?? []).filter { $0.signature == member.signature }
      if declared.contains(where: { !$0.isInExtension }) { return }
      if let found = declared.first {
        let place = found.place.line == 0 ? found.place.path : "\(found.place.path):\(found.place.line)"
        add(
          member.place.problem(
            "\(member.signature) is declared in an extension of \(name) (\(place)), where Swift on Linux lets no subclass "
              + "override it. Move the declaration into the class."))
        return
      }
      owner = parent.path
    }
  }

  private mutating func checkPrivate(_ member: KeyedMember, _ resolver: TypeResolver) {
    guard
      case .nominal(let nominal)? = try? resolver.resolve(.named(member.owner.map { .init(name: $0) }), in: []),
      resolver.isManagedObject(nominal)
    else { return }
    add(
      member.place.problem(
        "\(member.name) is private, and key-value coding finds it on Apple's systems only. Make it internal, or take @objc out "
          + "where nothing asks for it by name."))
  }

  private mutating func add(_ problem: SourceProblem) { problems[problem.path, default: []].append(problem) }
}
