/// Resolves the names in declarations.
struct TypeResolver {
  /// Something that was declared under a name.
  enum Meaning {
    case type(DeclaredType, module: String)
    case alias(DeclaredAlias, module: String)
    case known(Nominal)
  }

  let own: ModuleSources
  private let modules: [String: [String: Meaning]]
  private let dependencies: [String]

  init(own: ModuleSources, dependencies: [ModuleSources]) {
    self.own = own
    self.dependencies = dependencies.map(\.module)
    var modules: [String: [String: Meaning]] = [:]
    for module in dependencies + [own] {
      var names: [String: Meaning] = [:]
      for alias in module.aliases { names[alias.path.joined(separator: ".")] = .alias(alias, module: module.module) }
      // The first wins: under `#if` there may be several, of the same kind.
      for type in module.types.reversed() {
        names[type.path.joined(separator: ".")] = .type(type, module: module.module)
      }
      modules[module.module] = names
    }
    self.modules = modules
  }

  /// The meaning of `names` inside the types of `scope`.
  func meaning(of names: [String], in scope: [String], module: String) -> Meaning? {
    for count in stride(from: scope.count, through: 0, by: -1) {
      let path = (scope.prefix(count) + names).joined(separator: ".")
      if let meaning = modules[module]?[path] { return meaning }
      // `Alias.Inner`
      if names.count > 1, let first = modules[module]?[(scope.prefix(count) + names.prefix(1)).joined(separator: ".")],
        case .alias(let alias, _) = first, case .named(let parts) = alias.type
      {
        return meaning(of: parts.map(\.name) + names.dropFirst(), in: Array(alias.path.dropLast()), module: module)
      }
    }
    if let first = names.first, names.count > 1 {
      let rest = Array(names.dropFirst())
      if let found = modules[first]?[rest.joined(separator: ".")] { return found }
      if TypeTable.modules.contains(first), rest.count == 1 { return TypeTable.nominal(rest[0]).map { .known($0) } }
    }
    for dependency in dependencies where dependency != module {
      if let found = modules[dependency]?[names.joined(separator: ".")] { return found }
    }
    guard names.count == 1 else { return nil }
    return TypeTable.nominal(TypeTable.aliases[names[0]] ?? names[0]).map { .known($0) }
  }

  /// The type, or an error with the reason why there is none.
  func resolve(_ type: TypeSyntax, in scope: [String], module: String? = nil) throws(Unresolved) -> ResolvedType {
    switch type {
    case .optional(let wrapped), .unwrapped(let wrapped):
      return .optional(try resolve(wrapped, in: scope, module: module))
    case .array(let element): return .bound(try known("Array"), [try resolve(element, in: scope, module: module)])
    case .dictionary(let key, let value):
      return .bound(
        try known("Dictionary"),
        [try resolve(key, in: scope, module: module), try resolve(value, in: scope, module: module)])
    case .named(let parts): return try resolve(parts, in: scope, module: module ?? own.module)
    case .other(let text):
      throw Unresolved(message: "\(text) is no type of an @NSManaged property; name a class or a value type")
    }
  }

  private func known(_ name: String) throws(Unresolved) -> Nominal {
    guard let nominal = TypeTable.nominal(name) else { throw Unresolved(message: "\(name) is unknown") }
    return nominal
  }

  private func resolve(
    _ parts: [TypeSyntax.Part], in scope: [String], module: String
  ) throws(Unresolved) -> ResolvedType {
    let names = parts.map(\.name)
    var arguments: [ResolvedType] = []
    for argument in parts.flatMap(\.arguments) {
      arguments.append(try resolve(argument, in: scope, module: module))
    }
    guard let meaning = meaning(of: names, in: scope, module: module) else {
      if names.last == "Optional", arguments.count == 1 { return .optional(arguments[0]) }
      if names == ["Any"] { return .any }
      throw Unresolved(
        message: "the type \(names.joined(separator: ".")) is declared neither in this module nor in one it depends on")
    }
    switch meaning {
    case .alias(let alias, let module):
      guard !alias.isGeneric, arguments.isEmpty else {
        throw Unresolved(message: "\(names.joined(separator: ".")) is a generic alias; write the type that it names")
      }
      return try resolve(alias.type, in: Array(alias.path.dropLast()), module: module)
    case .known(let nominal):
      let parameters = ["Array": 1, "Set": 1, "Dictionary": 2][nominal.name] ?? 0
      guard nominal.module != "Swift" || arguments.count == parameters else {
        throw Unresolved(message: "\(nominal.name) takes \(parameters) types in angle brackets")
      }
      return arguments.isEmpty ? .nominal(nominal) : .bound(nominal, arguments)
    case .type(let type, let module):
      return .nominal(try nominal(type, module: module))
    }
  }

  /// The name of a declared type, with the kinds of the types around it.
  func nominal(_ type: DeclaredType, module: String) throws(Unresolved) -> Nominal {
    var parts: [Nominal.Part] = []
    for count in 1...type.path.count {
      let path = type.path.prefix(count).joined(separator: ".")
      var step = type
      if count < type.path.count {
        // An extension may have named the outer type by an alias, or belong to another module's type.
        guard case .type(let outer, _)? = modules[module]?[path] else {
          throw Unresolved(message: "\(type.path.joined(separator: ".")): the type \(path) around it was not found")
        }
        step = outer
      }
      guard !step.isGeneric else { throw Unresolved(message: "\(path) is generic, which managed types cannot be") }
      guard step.access > .fileprivate else {
        throw Unresolved(
          message: "\(path) is private to its file, and its accessors are in another one; make it internal")
      }
      let letter: Nominal.Letter =
        switch step.kind {
        case .class: .class
        case .struct: .struct
        case .enum: .enum
        case .protocol: throw Unresolved(message: "\(path) is a protocol; name a class")
        }
      parts.append(.init(name: step.path[count - 1], letter: letter))
    }
    precondition(parts.map(\.name) == type.path, "each type around a type has its part of the name")
    return Nominal(module: module, parts: parts)
  }

  /// The declaration of a nominal type of this module or one it depends on.
  func declaration(of nominal: Nominal) -> DeclaredType? {
    guard case .type(let type, _)? = modules[nominal.module]?[nominal.name] else { return nil }
    return type
  }

  /// Whether the class inherits from `NSManagedObject`, as far as its sources are known.
  func isManagedObject(_ nominal: Nominal) -> Bool {
    if nominal.module == "CoreData", nominal.name == "NSManagedObject" { return true }
    guard let type = declaration(of: nominal), type.kind == .class, let first = type.inherited.first,
      let superclass = try? resolve(first, in: Array(type.path.dropLast()), module: nominal.module),
      case .nominal(let parent) = superclass, parent != nominal
    else { return false }
    return isManagedObject(parent)
  }
}

/// Why a type could not be found.
struct Unresolved: Error {
  let message: String
}
