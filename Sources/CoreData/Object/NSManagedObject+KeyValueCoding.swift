import RowStore

extension NSManagedObject {
  /// The property of that name; ends the process where the entity has none.
  final func requireProperty(_ key: String) -> PropertyLayout {
    guard let property = layout.propertiesByName[key] else { refuseUndefinedKey(key) }
    return property
  }

  final func refuseUndefinedKey(_ key: String) -> Never {
    preconditionFailure(
      "the entity \(layout.name) is not key value coding-compliant for the key \"\(key)\"; it has "
        + layout.propertiesByName.keys.sorted().joined(separator: ", "))
  }

  /// The value of the class's own property of that name, or else of the model's property.
  final func keyedValue(_ key: String) -> Any? {
    guard let keyed = layoutReference._withUnsafeGuaranteedRef({ $0.objects.keyed }), let own = keyed.properties[key]
    else {
      return propertyValue(key)
    }
    return own.get(self)
  }

  final func setKeyedValue(_ value: Any?, _ key: String) {
    guard let keyed = layoutReference._withUnsafeGuaranteedRef({ $0.objects.keyed }),
      let set = keyed.properties[key]?.set
    else { return setPropertyValue(value, key) }
    set(self, value)
  }

  final func propertyValue(_ key: String) -> Any? {
    guard let property = layout.propertiesByName[key] else {
      if let fetched = layout.objects.fetchedProperties[key] { return fetchedValue(fetched) }
      if let value = ownValue(key) { return value }
      return value(forUndefinedKey: key)
    }
    switch property.kind {
    case .attribute(let type): return attribute(property.index).value(as: type)
    case .toOne: return toOne(property)
    case .toMany: return toManyValue(property)
    }
  }

  /// Properties that every object has, whatever its entity.
  private final func ownValue(_ key: String) -> Any? {
    switch key {
    case "self", "SELF": self
    case "objectID": objectID
    case "entity": entity
    case "managedObjectContext": managedObjectContext
    case "description": description
    case "isFault", "fault": NSNumber(value: isFault)
    case "isInserted", "inserted": NSNumber(value: isInserted)
    case "isUpdated", "updated": NSNumber(value: isUpdated)
    case "isDeleted", "deleted": NSNumber(value: isDeleted)
    case "hasChanges": NSNumber(value: hasChanges)
    case "hasPersistentChangedValues": NSNumber(value: hasPersistentChangedValues)
    default: nil
    }
  }

  /// A set, or an ordered one.
  final func toManyValue(_ property: PropertyLayout) -> Any {
    property.relation.isOrdered ? orderedSet(property) : Set(members(property).objects)
  }

  final func setPropertyValue(_ value: Any?, _ key: String) {
    guard let property = layout.propertiesByName[key] else { return setValue(value, forUndefinedKey: key) }
    switch property.kind {
    case .attribute: setAttribute(property.index, slot(value, property))
    case .toOne: setToOne(property, target(value, property))
    case .toMany where property.relation.isOrdered: setOrderedMembers(property, targets(value, property))
    case .toMany: setMembers(property, targets(value, property))
    }
  }

  // MARK: Conversion

  /// `value` as the slot of the attribute; ends the process where it is of another type.
  final func slot(_ value: Any?, _ property: PropertyLayout) -> Slot {
    if property.isUntyped, let value = value as? any Hashable, !(value is NSNull) { return .boxed(SlotBox(value)) }
    guard case .attribute(let type) = property.kind else { return .null }
    switch Slot.converting(value, to: type, property.encoding) {
    case .success(let slot): return slot
    case .failure(let mismatch):
      // A number that the attribute is too narrow for stays as it is until a save refuses it.
      if let excess = mismatch.excess { return property.slot(keeping: excess) }
      refuse(property, mismatch.message)
    }
  }

  /// `value` as the object of the to-one relationship.
  final func target(_ value: Any?, _ property: PropertyLayout) -> NSManagedObject? {
    guard let value, !(value is NSNull) else { return nil }
    guard let object = value as? NSManagedObject else {
      refuse(property, "expected an instance of the destination entity, found \(type(of: value))")
    }
    return object
  }

  /// `value` as the objects of the to-many relationship.
  final func targets(_ value: Any?, _ property: PropertyLayout) -> [NSManagedObject] {
    guard let value, !(value is NSNull) else { return [] }
    guard let collection = KeyedCollection(value), let objects = collection.elements as? [NSManagedObject] else {
      refuse(property, "expected a collection of managed objects, found \(type(of: value))")
    }
    if property.relation.isOrdered, case .set = collection.kind {
      refuse(property, "expected an NSOrderedSet of managed objects, found \(type(of: value))")
    }
    return objects
  }

  private final func refuse(_ property: PropertyLayout, _ reason: String) -> Never {
    preconditionFailure("Unacceptable type of value for \(layout.name).\(property.name): \(reason)")
  }

  // MARK: Relationships

  private final func requireToMany(_ key: String) -> PropertyLayout {
    let property = requireProperty(key)
    guard case .toMany = property.kind, !property.relation.isOrdered else {
      preconditionFailure("\(layout.name).\(key) is no unordered to-many relationship; it has no set of objects")
    }
    return property
  }

  final func relationshipSet(_ key: String, isTracked: Bool) -> NSMutableSet {
    RelationshipSet(self, requireToMany(key), isTracked: isTracked)
  }

  final func relationshipSet(atPath keyPath: String) -> NSMutableSet {
    guard let dot = keyPath.lastIndex(of: ".") else { return mutableSetValue(forKey: keyPath) }
    guard let owner = KeyValuePath.value(self, keyPath[..<dot]) as? NSManagedObject else {
      preconditionFailure("\(layout.name).\(keyPath): the path before the last key leads to no object")
    }
    return owner.mutableSetValue(forKey: String(keyPath[keyPath.index(after: dot)...]))
  }

  final func relatedObjectIDs(_ key: String) -> [NSManagedObjectID] {
    let property = requireProperty(key)
    switch property.kind {
    case .attribute: preconditionFailure("\(layout.name).\(key) is an attribute; only relationships have objects")
    case .toOne: return toOne(property).map { [$0.objectID] } ?? []
    case .toMany: return members(property).objects.map(\.objectID)
    }
  }
}
