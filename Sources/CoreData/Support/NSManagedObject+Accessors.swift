import RowStore

// Functions for generated accessors. Apple makes these at run time; here a typed accessor names its property once, in a static
// `_PropertyKey`, and calls the function of its type. On the object's queue; firing a fault where need be.

extension NSManagedObject {
  private final func property(_ key: _PropertyKey) -> PropertyLayout {
    layoutReference._withUnsafeGuaranteedRef { $0.properties[key.index(self)] }
  }

  /// The value of an integer attribute of any width; 0 for null.
  public final func _integer(_ key: _PropertyKey) -> Int64 {
    let index = key.index(self)
    return withValues(index) { $0.integer(index) ?? 0 }
  }

  /// Sets an integer attribute; a save refuses a number that the attribute is too narrow for.
  public final func _setInteger(_ key: _PropertyKey, _ value: Int64) {
    setAttribute(key.index(self), .integer(value))
  }

  /// The value of a boolean attribute; false for null.
  public final func _bool(_ key: _PropertyKey) -> Bool { _integer(key) != 0 }

  /// Sets a boolean attribute.
  public final func _setBool(_ key: _PropertyKey, _ value: Bool) { _setInteger(key, value ? 1 : 0) }

  /// The value of a double or float attribute; 0 for null.
  public final func _double(_ key: _PropertyKey) -> Double {
    let index = key.index(self)
    return withValues(index) { $0.real(index) ?? 0 }
  }

  /// Sets a double or float attribute.
  public final func _setDouble(_ key: _PropertyKey, _ value: Double) {
    setAttribute(key.index(self), .real(value))
  }

  /// The value of a string attribute.
  public final func _string(_ key: _PropertyKey) -> String? {
    let index = key.index(self)
    return withValues(index) { $0.string(index) }
  }

  /// Sets a string attribute.
  public final func _setString(_ key: _PropertyKey, _ value: consuming String?) {
    // The row takes the text over, without a reference counted.
    if let text = consume value {
      setAttribute(key.index(self), .string(text))
    } else {
      setAttribute(key.index(self), .null)
    }
  }

  /// The value of a date attribute.
  public final func _date(_ key: _PropertyKey) -> Date? {
    let index = key.index(self)
    return withValues(index) { $0.date(index).map { Date(timeIntervalSinceReferenceDate: $0) } }
  }

  /// Sets a date attribute.
  public final func _setDate(_ key: _PropertyKey, _ value: Date?) {
    setAttribute(key.index(self), value.map { .date($0.timeIntervalSinceReferenceDate) } ?? .null)
  }

  /// The value of a UUID attribute.
  public final func _uuid(_ key: _PropertyKey) -> UUID? {
    let index = key.index(self)
    return withValues(index) { $0.uuid(index) }
  }

  /// Sets a UUID attribute.
  public final func _setUUID(_ key: _PropertyKey, _ value: UUID?) {
    setAttribute(key.index(self), value.map { .uuid($0) } ?? .null)
  }

  /// The value of a binary attribute.
  public final func _data(_ key: _PropertyKey) -> Data? {
    let index = key.index(self)
    return withValues(index) { values -> Data? in
      switch values[index] {
      case .data(let value): value
      case .boxed(let box): (box.value as? ExternalData)?.data
      default: nil
      }
    }
  }

  /// Sets a binary attribute.
  public final func _setData(_ key: _PropertyKey, _ value: consuming Data?) {
    if let data = consume value {
      setAttribute(key.index(self), .data(data))
    } else {
      setAttribute(key.index(self), .null)
    }
  }

  /// The object of a to-one relationship; a fault where it was not read yet.
  public final func _toOne(_ key: _PropertyKey) -> NSManagedObject? { toOne(property(key)) }

  /// Sets a to-one relationship, and its inverse.
  ///
  /// - Precondition: the object belongs to the same context and to the relationship's destination.
  public final func _setToOne(_ key: _PropertyKey, _ object: __owned NSManagedObject?) {
    // Without counting a reference to the model's property.
    let property = layoutReference._withUnsafeGuaranteedRef { $0.propertyList[key.index(self)] }
    property._withUnsafeGuaranteedRef { setToOne($0, object) }
  }

  /// The objects of a to-many relationship. Complexity: O(*n*) for *n* members, to build the set.
  public final func _toMany(_ key: _PropertyKey) -> Set<NSManagedObject> {
    Set(members(property(key)).objects)
  }

  /// How many objects a to-many relationship has, without building a set.
  public final func _toManyCount(_ key: _PropertyKey) -> Int { members(property(key)).count }

  /// Replaces the objects of a to-many relationship, and sets or clears their inverse.
  public final func _setToMany(_ key: _PropertyKey, _ objects: Set<NSManagedObject>) {
    setMembers(property(key), Array(objects))
  }

  /// Adds an object to a to-many relationship, and sets its inverse.
  public final func _add(_ object: NSManagedObject, to key: _PropertyKey) { add(property(key), object) }

  /// Takes an object out of a to-many relationship, and clears its inverse.
  public final func _remove(_ object: NSManagedObject, from key: _PropertyKey) {
    remove(property(key), object)
  }
}
