/// Writes the Swift file that gives a module's `@NSManaged` declarations the code that Apple's runtime makes.
///
/// Each accessor is a method under the very name that the compiler refers to; a method passes its object and its values
/// the way an accessor does, a setter's value being handed over.
package struct AccessorWriter {
  let sources: ModuleSources
  let resolver: TypeResolver
  private var problems: [SourceProblem] = []
  private var keys: [String] = []
  private var keyNames: [String: String] = [:]
  private var methodCount = 0

  /// The file's text; or every problem in the sources.
  package static func file(
    for sources: ModuleSources, dependencies: [ModuleSources] = []
  ) -> Result<String, SourceProblems> {
    var writer = AccessorWriter(sources, dependencies)
    let text = writer.file()
    return writer.problems.isEmpty ? .success(text) : .failure(SourceProblems(all: writer.problems))
  }

  private init(_ sources: ModuleSources, _ dependencies: [ModuleSources]) {
    self.sources = sources
    resolver = TypeResolver(own: sources, dependencies: dependencies)
    problems = sources.problems
  }

  private static let head = "// Made by CoreDataAccessors from the @NSManaged declarations of this module.\n"

  private mutating func file() -> String {
    let extensions = sources.members.compactMap { write($0) }
    let names = namedMembers() + aliases()
    guard !extensions.isEmpty || !names.isEmpty else { return Self.head }
    var lines = [Self.head + "\n#if !canImport(ObjectiveC)"]
    // As the sources write them; CoreData itself may come by way of another module.
    lines += sources.imports
    if !sources.imports.contains(where: { $0.hasSuffix("import CoreData") }) { lines.append("import CoreData") }
    lines.append("")
    lines += keys
    lines += extensions.map { "\n" + $0 }
    lines += names.map { "\n" + $0 }
    lines.append("#endif")
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Members

  private mutating func write(_ member: ManagedMember) -> String? {
    do throws(Unresolved) {
      let owner = try owner(of: member)
      let body =
        switch member.kind {
        case .property(let type): try property(member, type, owner)
        case .method(let parameters, let result): try method(member, parameters, result, owner)
        }
      let text = "nonisolated extension \(owner.name) {\n\(body)\n}"
      return member.place.conditions.reversed().reduce(text) { "#if \($1)\n\($0)\n#endif" }
    } catch {
      problems.append(member.place.problem("\(member.name): \(error.message)."))
      return nil
    }
  }

  /// The class that has the member.
  private struct Owner {
    let nominal: Nominal
    let declaration: DeclaredType?
    let mangled: Mangler.Owner
    /// As an extension has to name it.
    let name: String
  }

  private func owner(of member: ManagedMember) throws(Unresolved) -> Owner {
    let parts = member.owner.map { TypeSyntax.Part(name: $0) }
    guard case .nominal(let nominal) = try resolver.resolve(.named(parts), in: []) else {
      throw Unresolved(message: "\(member.owner.joined(separator: ".")) is no class; @NSManaged is for classes")
    }
    guard nominal.parts.last?.letter == .class else {
      throw Unresolved(message: "\(nominal.name) is no class; @NSManaged is for classes")
    }
    let isForeign = nominal.module != sources.module
    let file = String(member.place.path.split(separator: "/").last ?? "")
    return Owner(
      nominal: nominal, declaration: resolver.declaration(of: nominal),
      mangled: Mangler.Owner(
        type: nominal, extensionModule: isForeign ? sources.module : nil,
        discriminator: member.access <= .fileprivate
          ? Mangler.discriminator(module: sources.module, file: file) : nil),
      name: nominal.name)
  }

  /// The modifier for an accessor of a declaration: it must be found wherever the declaration or a subclass is.
  private func modifier(_ member: ManagedMember, _ owner: Owner, _ types: [ResolvedType]) -> String {
    guard let type = owner.declaration else { return "" }
    let isInherited = type.access == .open && !member.isInExtension && types.allSatisfy(isPublic)
    if type.access >= .public, member.access >= .public || isInherited { return "public " }
    return min(type.access, member.access) >= .package ? "package " : ""
  }

  private func isPublic(_ type: ResolvedType) -> Bool {
    switch type {
    case .nominal(let nominal): resolver.declaration(of: nominal).map { $0.access >= .public } ?? true
    case .bound(let nominal, let arguments): isPublic(.nominal(nominal)) && arguments.allSatisfy(isPublic)
    case .optional(let wrapped): isPublic(wrapped)
    case .any: true
    }
  }

  private mutating func property(_ member: ManagedMember, _ syntax: TypeSyntax, _ owner: Owner) throws(Unresolved)
    -> String
  {
    let type = try resolver.resolve(syntax, in: member.owner)
    let form = try AccessorForm(type, resolver)
    let key = key(member.key)
    let modifier = modifier(member, owner, [type])
    let (get, set) =
      Self.isPrimitive(member.key)
      ? (form.primitiveGetter(key, type), "_setPrimitive(\(key), newValue)")
      : (form.getter(key, isOptional: type.isOptional), form.setter(key, isOptional: type.isOptional))
    let getter = Mangler.accessor(.getter, of: member.name, type, in: owner.mangled)
    let setter = Mangler.accessor(.setter, of: member.name, type, in: owner.mangled)
    return """
        @_silgen_name("\(getter)")
        nonisolated \(modifier)final func _coreDataGet_\(member.name)() -> \(type.text) {
          \(get)
        }
        @_silgen_name("\(setter)")
        nonisolated \(modifier)final func _coreDataSet_\(member.name)(_ newValue: __owned \(type.text)) {
          \(set)
        }
      """
  }

  /// Whether the name is that of Core Data's accessor for a stored value: `primitiveTitle`.
  private static func isPrimitive(_ name: String) -> Bool {
    name.hasPrefix("primitive") && name.dropFirst("primitive".count).first?.isUppercase == true
  }

  private mutating func method(
    _ member: ManagedMember, _ parameters: [ManagedMember.Parameter], _ result: TypeSyntax?, _ owner: Owner
  ) throws(Unresolved) -> String {
    var types: [(label: String, type: ResolvedType)] = []
    for parameter in parameters {
      types.append((parameter.label, try resolver.resolve(parameter.type, in: member.owner)))
    }
    guard result == nil, let call = RelationshipMethod(member, types, resolver) else {
      throw Unresolved(
        message: """
          there is no accessor of this form. Core Data makes addTo…, removeFrom…, insertInto…(_:at:), removeFrom…(at:) \
          and replace…(at:with:)
          """)
    }
    let key = key(relationship(call.relationship, of: owner.nominal))
    methodCount += 1
    let declared = types.enumerated().map { position, parameter in
      "\(parameter.label.isEmpty ? "_" : parameter.label) value\(position): \(parameter.type.text)"
    }
    let symbol = Mangler.method(member.name, types, nil, in: owner.mangled)
    // Unoptimised, so that the compiler keeps no summary of the method's effects: the one it keeps for a method that its
    // module never calls contradicts the declaration, which is dynamic, and crashes the compiler in other modules.
    return """
        @_optimize(none) @_silgen_name("\(symbol)")
        nonisolated \(modifier(member, owner, types.map(\.type)))final func _coreDataCall\(methodCount)_\(member.name)\
      (\(declared.joined(separator: ", "))) {
          \(call.body(key))
        }
      """
  }

  /// The relationship that a method's name means: the declared one where only the first letter's case differs.
  private func relationship(_ name: String, of owner: Nominal) -> String {
    precondition(!name.isEmpty, "a method has the name of its relationship")
    let lowered = name.prefix(1).lowercased() + name.dropFirst()
    let declared = sources.members.filter { member in
      guard case .property = member.kind else { return false }
      return member.key == name || member.key == lowered
    }
    let owned = declared.filter { $0.owner.joined(separator: ".") == owner.name }
    return (owned.first ?? declared.first)?.key ?? lowered
  }

  private mutating func key(_ name: String) -> String {
    if let known = keyNames[name] { return known }
    precondition(keys.count == keyNames.count, "each key is declared once")
    let key = "_coreDataKey_\(name)"
    keyNames[name] = key
    keys.append("private nonisolated let \(key) = _PropertyKey(\"\(name)\")")
    return key
  }
}

/// Everything that keeps accessors from being written.
package struct SourceProblems: Error, CustomStringConvertible {
  package let all: [SourceProblem]

  package var description: String { all.map(\.description).joined(separator: "\n") }
}
