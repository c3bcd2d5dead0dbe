import RowStore

// Functions for generated accessors of ordered to-many relationships; on the object's queue.

extension NSManagedObject {
  private final func property(_ key: _PropertyKey) -> PropertyLayout {
    let property = layout.properties[key.index(self)]
    precondition(
      property.relation?.isOrdered ?? false, "\(layout.name).\(property.name) is no ordered to-many relationship")
    return property
  }

  /// The objects of an ordered relationship. Complexity: O(*n*) for *n* members, to build the set.
  public final func _orderedSet(_ key: _PropertyKey) -> NSOrderedSet { orderedSet(property(key)) }

  /// Replaces the objects of an ordered relationship and their order, and sets or clears their inverse; nil is empty.
  public final func _setOrderedSet(_ key: _PropertyKey, _ objects: NSOrderedSet?) {
    let property = property(key)
    setOrderedMembers(property, Self.objects(objects ?? NSOrderedSet(), property))
  }

  /// Inserts an object at a position, as `insertIntoX(_:at:)`; one that is a member already stays where it is.
  public final func _insert(_ object: NSManagedObject, into key: _PropertyKey, at index: Int) {
    insert(property(key), object, at: index)
  }

  /// Inserts objects so that they have these positions afterwards, as `insertIntoX(_:at:)`.
  public final func _insert(all objects: some Sequence, into key: _PropertyKey, at indexes: NSIndexSet) {
    let property = property(key)
    insert(property, Self.objects(objects, property), at: indexes as IndexSet)
  }

  /// Takes the object at a position out, as `removeFromX(at:)`.
  public final func _remove(from key: _PropertyKey, at index: Int) {
    removeMembers(property(key), at: IndexSet(integer: index))
  }

  /// Takes the objects at these positions out, as `removeFromX(at:)`.
  public final func _remove(from key: _PropertyKey, at indexes: NSIndexSet) {
    removeMembers(property(key), at: indexes as IndexSet)
  }

  /// Puts an object in the place of another, as `replaceX(at:with:)`.
  public final func _replace(in key: _PropertyKey, at index: Int, with object: NSManagedObject) {
    replaceMembers(property(key), at: IndexSet(integer: index), with: [object])
  }

  /// Puts objects in the places of others, as `replaceX(at:with:)`.
  public final func _replace(in key: _PropertyKey, at indexes: NSIndexSet, with objects: some Sequence) {
    let property = property(key)
    replaceMembers(property, at: indexes as IndexSet, with: Self.objects(objects, property))
  }

  private static func objects(_ objects: some Sequence, _ property: PropertyLayout) -> [NSManagedObject] {
    objects.map { object in
      guard let object = object as? NSManagedObject else {
        preconditionFailure(
          "Unacceptable type of value for \(property.owner.name).\(property.name): expected "
            + "an instance of the destination entity, found \(type(of: object))")
      }
      return object
    }
  }
}
