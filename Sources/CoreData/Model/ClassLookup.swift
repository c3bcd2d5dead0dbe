import CRuntime

/// Finds the class that an entity names.
enum ClassLookup {
  /// The result for a name.
  enum Answer {
    case found(NSManagedObject.Type)
    case missing
    /// Classes of several modules.
    case ambiguous([NSManagedObject.Type])
  }

  /// The class names in the generated code of each module.
  ///
  /// - Complexity: linear in the number of types in the process.
  static var modules: [_ManagedClassNames.Type] {
    types(called: "_CoreDataClassNames").compactMap { $0 as? _ManagedClassNames.Type }
  }

  /// The class of managed objects called `name`: with its module, without one as models made on Apple's systems have it, or
  /// by the name that `@objc(Name)` gave it there.
  ///
  /// - Complexity: linear in the number of types in the process for a name without module.
  static func find(_ name: String) -> Answer {
    if name == "NSManagedObject" { return .found(NSManagedObject.self) }
    let candidates = classes(called: name).compactMap { $0 as? NSManagedObject.Type }
    if candidates.count > 1 { return .ambiguous(candidates) }
    return candidates.first.map { .found($0) } ?? .missing
  }

  /// The classes of any kind called `name`, as ``find(_:)`` looks for them.
  static func classes(called name: String) -> [AnyClass] {
    // A model editor writes `.Note` for a class of the module that the model is compiled for.
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if let dot = plain.lastIndex(of: ".") {
      if let type = classOfModule(plain) { return [type] }
      // Foundation knows names of a module and a class, and complains of others.
      if plain.count(where: { $0 == "." }) == 1, let type = NSClassFromString(plain) { return [type] }
      // Inside another type, where Foundation does not look.
      let inner: AnyClass? = types(called: String(plain[plain.index(after: dot)...])).first {
        String(reflecting: $0) == plain
      }
      return inner.map { [$0] } ?? []
    }
    for names in modules { if let type = names.classes[plain] { return [type] } }
    return types(called: plain)
  }

  /// The class with this name and module, by the name that the compiler gives it. Foundation does the same, but first makes a
  /// table of its own classes, which takes a process longer than all else at its start.
  private static func classOfModule(_ name: String) -> AnyClass? {
    let parts = name.split(separator: ".")
    guard parts.count == 2, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return _typeByName(parts.map { "\($0.utf8.count)\($0)" }.joined() + "C") as? AnyClass
  }

  private static func types(called name: String) -> [AnyClass] {
    var count = 0
    var found: [UnsafeRawPointer?] = []
    repeat {
      found = Array(repeating: nil, count: max(count, 8))
      count = contextbench_classes_named(name, &found, found.count)
    } while count > found.count
    return found.prefix(count).compactMap { $0.map { unsafeBitCast($0, to: AnyClass.self) } }
  }
}
