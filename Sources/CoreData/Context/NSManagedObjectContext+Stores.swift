import RowStore

extension NSManagedObjectContext {
  /// Says which store a new object is saved to; without it, the first of the coordinator that can be written and has the
  /// object's entity in its configuration.
  ///
  /// Needed only where several stores have the entity. An object that was saved, or has a permanent ID, stays in its
  /// store: make another one there, copy the values and delete the old one.
  /// - Precondition: `object` is a managed object of this context, and `store` one of its coordinator's that has the
  ///   object's entity.
  public final func assign(_ object: Any, to store: NSPersistentStore) {
    touch("assign(_:to:)")
    guard let object = object as? NSManagedObject, object.registry != nil, object.registry === registry else {
      preconditionFailure("\(object) is no object of \(label); insert it first")
    }
    guard let sqlite = persistentStoreCoordinator?.stores.sqlite(of: store) else {
      preconditionFailure("the store \(store.sqlite.place.label) is not open in the coordinator of \(label)")
    }
    precondition(
      sqlite.takes(object.layout),
      "Can't assign an object to a store that does not contain the object's entity: \(object.layout.name)")
    guard object.key < 0 else {
      return precondition(
        sqlite.tag.owns(object.key),
        "Can't reassign an object to a different store once it has been saved: \(object.objectID)")
    }
    assignments.assign(object.key, to: sqlite.tag)
  }
}
