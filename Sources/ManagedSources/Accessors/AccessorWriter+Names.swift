// The rest of the module's file: names for Objective-C, and which of two classes of one name is meant.

extension AccessorWriter {
  /// Classes that models know by a name of their own (the others are found by their Swift names), properties and methods that
  /// key-value coding finds by name.
  func namedMembers() -> [String] {
    let renamed = sources.types.compactMap { type -> String? in
      guard type.kind == .class, !type.isGeneric, let name = type.objectiveCName, name != type.path.last,
        type.access > .fileprivate
      else { return nil }
      return conditional("    names[\"\(name)\"] = \(type.path.joined(separator: ".")).self", type.place)
    }
    let members = sources.keyedMembers.compactMap { member in
      owner(named: member.owner, member.access).map { (member: member, owner: $0) }
    }
    let keyed = members.filter { $0.member.kind != .validator }
    let properties = keyed.map { member, owner in
      conditional("    all.append(_KeyedProperty(\"\(member.key)\", \\\(owner).`\(member.name)`))", member.place)
    }
    let validators = members.filter { $0.member.kind == .validator }.map { member, owner in
      conditional(
        "    all.append(_KeyedValidator(\"\(member.key)\", \(owner).self) { try $0.\(member.name)($1) })", member.place)
    }
    let keyPaths =
      sources.members.compactMap { member -> String? in
        guard case .property = member.kind, let owner = owner(named: member.owner, member.access) else { return nil }
        return conditional("    names[\\\(owner).`\(member.name)`] = \"\(member.key)\"", member.place)
      } + keyed.map { conditional("    names[\\\($1).`\($0.name)`] = \"\($0.key)\"", $0.place) }
    guard !renamed.isEmpty || !members.isEmpty || !keyPaths.isEmpty else { return [] }
    let lists = [
      List(name: "classes", variable: "names", type: "[String: AnyClass]", empty: "[:]", entries: renamed),
      List(name: "properties", variable: "all", type: "[_KeyedProperty]", empty: "[]", entries: properties),
      List(name: "keyPaths", variable: "names", type: "[AnyKeyPath: String]", empty: "[:]", entries: keyPaths),
      List(name: "validators", variable: "all", type: "[_KeyedValidator]", empty: "[]", entries: validators),
    ].filter { !$0.entries.isEmpty }
    let body = lists.map(\.member).joined()
    return lists.map(\.function) + [
      "nonisolated public final class _CoreDataClassNames: _ManagedClassNames {\n\(body)}"
    ]
  }

  /// The list that one property of the module's class of names gives.
  private struct List {
    let name: String
    let variable: String
    let type: String
    let empty: String
    let entries: [String]

    private var maker: String { "_coreData_\(name)" }

    /// Isolated as the module's declarations are by default, so that it may name members of the main actor.
    var function: String {
      """
      private func \(maker)() -> \(type) {
          var \(variable): \(type) = \(empty)
      \(entries.joined(separator: "\n"))
          return \(variable)
      }
      """
    }

    /// Nothing that the function names is called, so that it may be asked on any thread.
    var member: String {
      """
        public override class var \(name): \(type) { unsafeBitCast(\(maker), to: (() -> \(type)).self)() }

      """
    }
  }

  private func conditional(_ text: String, _ place: Place) -> String {
    place.conditions.reversed().reduce(text) { "#if \($1)\n\($0)\n#endif" }
  }

  /// The class of managed objects that has the member, as code has to name it; nil for any other type, and for a class that
  /// other files cannot name.
  private func owner(named names: [String], _ access: Access) -> String? {
    let parts = names.map { TypeSyntax.Part(name: $0) }
    guard access > .fileprivate, case .nominal(let nominal)? = try? resolver.resolve(.named(parts), in: []),
      resolver.isManagedObject(nominal)
    else { return nil }
    return nominal.name
  }

  /// Foundation has classes of these names, without function: in the module's files CoreData's are meant.
  func aliases() -> [String] {
    let own = Set((sources.aliases.map(\.path) + sources.types.map(\.path)).compactMap { $0.count == 1 ? $0[0] : nil })
    let names = sources.ambiguousNames.subtracting(own).sorted()
    guard !names.isEmpty else { return [] }
    let aliases = names.map { "typealias \($0) = CoreData.\($0)" }
    // As far as the module's imports let others see it.
    let isHidden = sources.imports.contains { line in
      ["internal", "package", "fileprivate", "private"].contains { line.hasPrefix($0) }
        && line.hasSuffix("import CoreData")
    }
    guard !isHidden else { return [aliases.joined(separator: "\n")] }
    let shown = aliases.map { "public " + $0 }.joined(separator: "\n")
    if sources.imports.contains("public import CoreData") { return [shown] }
    return [
      "#if hasFeature(InternalImportsByDefault)\n\(aliases.joined(separator: "\n"))\n#else\n\(shown)\n#endif"
    ]
  }
}
