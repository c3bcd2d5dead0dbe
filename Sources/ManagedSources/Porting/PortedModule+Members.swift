extension PortedModule {
  /// Looks for the nearest superclass that declares the overridden member.
  mutating func check(_ member: OutlinedMember, _ members: [String: [OutlinedMember]], _ resolver: TypeResolver) {
    var owner = member.owner
    // A circle of classes does not compile; it must not stop the search from ending.
    for _ in 0..<100 {
      guard case .type(let type, _)? = resolver.meaning(of: owner, in: [], module: ""),
        let first = type.inherited.first,
        case .named(let parts) = first
      else { return }
      guard
        case .type(let parent, _)? = resolver.meaning(
          of: parts.map(\.name), in: Array(type.path.dropLast()), module: "")
      else { return checkClosed(member, parts.last?.name ?? "") }
      let name = parent.path.joined(separator: ".")
      let declared = (members[name] ?? []).filter { $0.signature == member.signature }
      if declared.contains(where: { !$0.isInExtension }) { return }
      if let found = declared.first {
        let place = found.place.line == 0 ? found.place.path : "\(found.place.path):\(found.place.line)"
        add(
          member.place.problem(
            "\(member.signature) is declared in an extension of \(name) (\(place)), where Swift on Linux lets no subclass "
              + "override it. Move the declaration into the class.", kind: "override of an extension's member"))
        return
      }
      owner = parent.path
    }
  }

  /// Reports an override of a member that a class of Core Data does not open.
  private mutating func checkClosed(_ member: OutlinedMember, _ name: String) {
    guard PortedOverrides.closed[name]?.contains(member.signature) == true else { return }
    add(
      member.place.problem(
        "\(member.signature) of \(name) cannot be overridden on Linux. Give the subclass a method of another name, or observe the "
          + "context's notifications.", kind: "override in a subclass of \(name)"))
  }

  mutating func checkPrivate(_ member: KeyedMember, _ resolver: TypeResolver) {
    guard
      case .nominal(let nominal)? = try? resolver.resolve(.named(member.owner.map { .init(name: $0) }), in: []),
      resolver.isManagedObject(nominal)
    else { return }
    add(
      member.place.problem(
        "\(member.name) is private, and key-value coding finds it on Apple's systems only. Make it internal, or take @objc out "
          + "where nothing asks for it by name.", kind: "private @objc member"))
  }
}
