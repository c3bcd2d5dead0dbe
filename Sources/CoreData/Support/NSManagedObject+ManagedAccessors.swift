import RowStore

// More functions for generated accessors: values that others wrap, and properties by the class of their objects.

extension NSManagedObject {
  // MARK: Attributes

  /// The value of a URI attribute.
  public final func _url(_ key: _PropertyKey) -> URL? { boxed(key) }

  /// Sets a URI attribute.
  public final func _setURL(_ key: _PropertyKey, _ value: URL?) { setBoxed(key, value) }

  /// The value of a decimal attribute, or of another attribute of numbers.
  public final func _decimal(_ key: _PropertyKey) -> Decimal? { boxed(key) ?? _number(key)?.decimalValue }

  /// Sets a decimal attribute, or another attribute of numbers.
  public final func _setDecimal(_ key: _PropertyKey, _ value: Decimal?) {
    if case .attribute(.decimal) = layout.properties[key.index(self)].kind { return setBoxed(key, value) }
    _setNumber(key, value.map { NSDecimalNumber(decimal: $0) })
  }

  /// The value of a decimal attribute as the class that wraps it.
  public final func _decimalNumber(_ key: _PropertyKey) -> NSDecimalNumber? {
    _decimal(key).map { NSDecimalNumber(decimal: $0) }
  }

  private final func boxed<Value>(_ key: _PropertyKey) -> Value? {
    if case .boxed(let box) = attribute(key.index(self)) { box.value as? Value } else { nil }
  }

  private final func setBoxed(_ key: _PropertyKey, _ value: (some Hashable & Sendable)?) {
    setAttribute(key.index(self), value.map { .boxed(SlotBox($0)) } ?? .null)
  }

  /// The value of a number or boolean attribute as the class that wraps it.
  public final func _number(_ key: _PropertyKey) -> NSNumber? {
    let index = key.index(self)
    switch attribute(index) {
    case .integer(let value):
      if case .attribute(.boolean) = layout.properties[index].kind { return NSNumber(value: value != 0) }
      return NSNumber(value: value)
    case .real(let value): return NSNumber(value: value)
    case .boxed(let box): return (box.value as? Decimal).map { NSDecimalNumber(decimal: $0) }
    default: return nil
    }
  }

  /// Sets a number or boolean attribute, which has the kind of number that it keeps.
  public final func _setNumber(_ key: _PropertyKey, _ value: NSNumber?) { setPropertyValue(value, key.name) }

  /// The value of an attribute of any other type; nil for null.
  ///
  /// - Precondition: the attribute's value is of that type.
  public final func _value<Value>(_ key: _PropertyKey, as type: Value.Type) -> Value? {
    guard let value = propertyValue(key.name) else { return nil }
    guard let value = value as? Value else { wrongType(key, "\(Swift.type(of: value))", "\(type)") }
    return value
  }

  /// Sets an attribute of any other type.
  public final func _setValue(_ key: _PropertyKey, _ value: Any?) { setPropertyValue(value, key.name) }

  /// A value that its property says is never nil.
  @inlinable
  public final func _required<Value>(_ value: Value?, _ key: _PropertyKey) -> Value {
    guard let value else { _missingValue(key) }
    return value
  }

  /// Ends the process: the property's type leaves no place for a missing or unknown value.
  public final func _missingValue(_ key: _PropertyKey) -> Never {
    preconditionFailure(
      "\(layout.name).\(key.name) has no value that its type can express; give it one first, or make the type optional")
  }

  @inline(never)
  private final func wrongType(_ key: _PropertyKey, _ found: String, _ declared: String) -> Never {
    preconditionFailure(
      "\(layout.name).\(key.name) holds \(found), but is declared as \(declared); make declaration and model agree")
  }

  // MARK: Relationships

  /// The object of a to-one relationship, of the class that the property names.
  ///
  /// - Precondition: the object is of that class.
  public final func _toOne<Object: NSManagedObject>(_ key: _PropertyKey, as type: Object.Type) -> Object? {
    guard let object = _toOne(key) else { return nil }
    return cast(object, key)
  }

  private final func cast<Object: NSManagedObject>(_ object: NSManagedObject, _ key: _PropertyKey) -> Object {
    guard let object = object as? Object else { wrongType(key, "\(type(of: object))", "\(Object.self)") }
    return object
  }

  /// The objects of a to-many relationship, of the class that the property names.
  ///
  /// - Precondition: the objects are of that class.
  /// - Complexity: O(*n*) for *n* members.
  public final func _toMany<Object: NSManagedObject>(_ key: _PropertyKey, of type: Object.Type) -> Set<Object> {
    let objects = _toMany(key)
    var result = Set<Object>(minimumCapacity: objects.count)
    for object in objects { result.insert(cast(object, key)) }
    return result
  }

  /// Replaces the objects of a to-many relationship.
  public final func _setToMany<Object: NSManagedObject>(_ key: _PropertyKey, of objects: Set<Object>) {
    _setToMany(key, Set<NSManagedObject>(objects))
  }

  /// The objects of a to-many relationship as Foundation's set. Complexity: O(*n*) for *n* members.
  public final func _set(_ key: _PropertyKey) -> NSSet { NSSet(array: Array(_toMany(key))) }

  /// Replaces the objects of a to-many relationship; nil takes all out.
  public final func _setSet(_ key: _PropertyKey, _ objects: NSSet?) {
    _setToMany(key, objects.map { Set(members(of: $0, key)) } ?? [])
  }

  /// Adds objects to a to-many relationship.
  public final func _add(all objects: some Sequence, to key: _PropertyKey) {
    for object in members(of: objects, key) { _add(object, to: key) }
  }

  /// Takes objects out of a to-many relationship.
  public final func _remove(all objects: some Sequence, from key: _PropertyKey) {
    for object in members(of: objects, key) { _remove(object, from: key) }
  }

  private final func members(of objects: some Sequence, _ key: _PropertyKey) -> [NSManagedObject] {
    objects.map { element in
      guard let object = element as? NSManagedObject else {
        wrongType(key, "\(type(of: element as Any))", "a relationship to managed objects")
      }
      return object
    }
  }
}
