extension NSManagedObject {
  private final func property(_ key: String) -> PropertyLayout {
    guard let property = layout.propertiesByName[key] else {
      preconditionFailure(
        "\(layout.name) is not key value coding-compliant for \"\(key)\"; it has \(layout.propertiesByName.keys.sorted())"
      )
    }
    return property
  }

  /// The value of the property: an attribute's Swift value, an object, a `Set<NSManagedObject>`, or
  /// for an ordered relationship an `NSOrderedSet`; nil for null.
  ///
  /// - Precondition: the entity has a property of that name.
  public final func value(forKey key: String) -> Any? {
    let property = property(key)
    switch property.kind {
    case .attribute(let type): return attribute(property.index).value(as: type)
    case .toOne: return toOne(property)
    case .toMany: return toManyValue(property)
    }
  }

  /// A set, or an ordered one.
  private final func toManyValue(_ property: PropertyLayout) -> Any {
    property.relation.isOrdered ? orderedSet(property) : Set(members(property).objects)
  }

  /// The value at the end of a path of to-one relationships, `note.title`; nil as soon as one of them is nil.
  public final func value(forKeyPath keyPath: String) -> Any? {
    guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) }
    let rest = String(keyPath[keyPath.index(after: dot)...])
    guard let next = value(forKey: String(keyPath[..<dot])) else { return nil }
    guard let object = next as? NSManagedObject else {
      preconditionFailure("\(layout.name).\(keyPath): only to-one relationships can be followed")
    }
    return object.value(forKeyPath: rest)
  }

  /// Sets the property; numbers are converted where nothing is lost.
  ///
  /// - Precondition: the entity has a property of that name, and the value is of its type.
  public final func setValue(_ value: Any?, forKey key: String) {
    let property = property(key)
    switch property.kind {
    case .attribute(let type):
      switch Slot.converting(value, to: type) {
      case .success(let slot): setAttribute(property.index, slot)
      case .failure(let mismatch):
        preconditionFailure("Unacceptable type of value for \(layout.name).\(key): \(mismatch.message)")
      }
    case .toOne:
      guard value == nil || value is NSManagedObject else {
        preconditionFailure(
          "Unacceptable type of value for \(layout.name).\(key): an object of the other entity wanted")
      }
      setToOne(property, value as? NSManagedObject)
    case .toMany where property.relation.isOrdered:
      guard let objects = (value as? NSOrderedSet ?? NSOrderedSet()).array as? [NSManagedObject],
        value == nil || value is NSOrderedSet
      else {
        preconditionFailure(
          "Unacceptable type of value for \(layout.name).\(key): an NSOrderedSet of objects wanted")
      }
      setOrderedMembers(property, objects)
    case .toMany:
      let objects: [NSManagedObject]? =
        switch value {
        case nil: []
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSSet: set.allObjects as? [NSManagedObject]
        case let array as [NSManagedObject]: array
        default: nil
        }
      guard let objects else {
        preconditionFailure("Unacceptable type of value for \(layout.name).\(key): a set of objects wanted")
      }
      setMembers(property, objects)
    }
  }

  /// The properties set since the last save, with their values now.
  public final func changedValues() -> [String: Any] {
    touch("changedValues")
    return values(of: layout.properties.filter { changed.contains($0.index) }, in: values)
  }

  /// The values of these properties as last read or saved; all of them with nil. To-many relationships are left out.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    touch("committedValues")
    if values == nil { _ = realisedValues(nil) }
    let wanted = keys.map { $0.map(property) } ?? layout.properties
    return values(of: wanted.filter { if case .toMany = $0.kind { false } else { true } }, in: snapshot)
  }

  private func values(of properties: [PropertyLayout], in row: Row?) -> [String: Any] {
    var result: [String: Any] = [:]
    for property in properties {
      switch property.kind {
      case .attribute(let type): result[property.name] = row?[property.index].value(as: type) ?? NSNull()
      case .toMany: result[property.name] = toManyValue(property)
      case .toOne:
        if case .reference(let reference)? = row?[property.index] {
          result[property.name] = liveContext.object(for: reference, in: property.relation.destination)
        } else {
          result[property.name] = NSNull()
        }
      }
    }
    return result
  }
}
