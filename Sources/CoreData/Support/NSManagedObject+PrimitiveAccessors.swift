import RowStore

// Functions for generated accessors of properties like `primitiveTitle`: the stored `title`, without notification.

extension NSManagedObject {
  /// The stored value of the property that `primitiveTitle` means, `title`; of a property that is really called so, its
  /// value. Nil for null, and for a fault.
  ///
  /// - Precondition: the entity has the property, and its value is of that type.
  public final func _primitive<Value>(_ key: _PropertyKey, as type: Value.Type) -> Value? {
    let name = primitiveName(key)
    let found = name == key.name ? propertyValue(name) : primitiveValue(forKey: name)
    guard let found else { return nil }
    guard let value = found as? Value ?? truncated(found, to: type) else {
      preconditionFailure(
        "\(layout.name).\(name) holds \(Swift.type(of: found)), but \(key.name) is declared as \(type); make declaration "
          + "and model agree")
    }
    return value
  }

  /// A number that the declared integer is too narrow for, without its upper bits; nil for anything else.
  private final func truncated<Value>(_ found: Any, to type: Value.Type) -> Value? {
    guard let type = type as? any FixedWidthInteger.Type, let number = found as? NSNumber else { return nil }
    return type.init(truncatingIfNeeded: number.int64Value) as? Value
  }

  /// Stores the value of the property that `primitiveTitle` means, `title`; that is no change of the object.
  ///
  /// - Precondition: the entity has the property, and the value is of its type.
  public final func _setPrimitive(_ key: _PropertyKey, _ value: Any?) {
    let name = primitiveName(key)
    if name == key.name { setPropertyValue(value, name) } else { setPrimitiveValue(value, forKey: name) }
  }

  private final func primitiveName(_ key: _PropertyKey) -> String {
    if layout.propertiesByName[key.name] != nil { return key.name }
    let rest = key.name.dropFirst("primitive".count)
    let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
    return layout.propertiesByName[lowered] != nil || layout.propertiesByName[String(rest)] == nil
      ? lowered : String(rest)
  }
}
