/// Stored properties of classes and structures, which Swift tells a mirror.
enum StoredProperties {
  /// The value; nil where there is no stored property of that name.
  static func value(_ target: Any, _ key: String) -> (value: Any?, Void)? {
    var mirror: Mirror? = Mirror(reflecting: target)
    while let current = mirror {
      if current.displayStyle == .class || current.displayStyle == .struct,
        let child = current.children.first(where: { $0.label == key })
      {
        return (unwrapped(child.value), ())
      }
      mirror = current.superclassMirror
    }
    return nil
  }

  /// The value in an optional.
  static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }
}
