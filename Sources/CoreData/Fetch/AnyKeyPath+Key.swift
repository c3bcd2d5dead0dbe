// The standard library has a member of this name, which is always nil on Linux; a module's own is preferred to it.

extension AnyKeyPath {
  /// The keys of the path as key-value coding has them, `author.name`; nil where the path leads to no property of the model.
  ///
  /// Query builders make predicates of it. Of one property the plugin knows the name; of other paths a coordinator uses the
  /// model by then.
  public var _kvcKeyPathString: String? {
    guard let root = Self.rootType as? NSManagedObject.Type else { return nil }
    return DeclaredKeyPaths.names.values[self] ?? KeyPathProbe.knownName(of: self, from: root)
  }
}

/// The key paths to properties that the generated code of all modules lists.
private struct DeclaredKeyPaths: @unchecked Sendable {
  // Sendable: key paths do not change.
  let values: [AnyKeyPath: String]

  static let names = DeclaredKeyPaths(
    values: ClassLookup.modules.reduce(into: [:]) { $0.merge($1.keyPaths) { first, _ in first } })
}
