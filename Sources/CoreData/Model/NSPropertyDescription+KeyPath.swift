extension NSPropertyDescription {
  /// The name; of an element of a composite attribute the path to it, `address.city`.
  final var keyPath: String {
    guard let composite = (self as? NSAttributeDescription)?.composite else { return name }
    return "\(composite.keyPath).\(name)"
  }

  /// The path to a property that constraints or indexes name, by its text or description.
  static func keyPath(of element: Any) -> String { (element as? NSPropertyDescription)?.keyPath ?? "\(element)" }

  /// The property at the end of the keys: this one itself, or an element of a composite attribute; nil where there is none.
  final func element(at keys: some Sequence<String>) -> NSPropertyDescription? {
    var property = self
    for key in keys {
      let elements = (property as? NSCompositeAttributeDescription)?.elements ?? []
      guard let element = elements.first(where: { $0.name == key }) else { return nil }
      property = element
    }
    return property
  }
}
