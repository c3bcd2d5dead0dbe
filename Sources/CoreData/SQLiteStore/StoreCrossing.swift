/// The first relationship of a save that leads to an object of another store.
///
/// Noted where values are written, which cannot fail; the save looks here before it goes on. Only used in the writer's turn.
final class StoreCrossing {
  /// Of the store that is written.
  let tag: StoreTag
  private var found: (object: NSManagedObject, property: PropertyLayout)?

  init(_ tag: StoreTag) { self.tag = tag }

  func forget() { found = nil }

  @inline(never)
  func note(_ object: NSManagedObject, _ property: PropertyLayout) {
    if found == nil { found = (object, property) }
  }

  /// - Throws: 133000 with the object and the name of its relationship, once one was noted.
  func check() throws {
    guard let (object, property) = found else { return }
    found = nil
    throw NSError.coreData(
      NSManagedObjectReferentialIntegrityError,
      """
      The relationship '\(property.name)' of \(object.objectID) leads to an object of another store; a relationship stays \
      within one store: give a new object the store of the other with assign(_:to:), or keep the other's URI.
      """,
      userInfo: [NSAffectedObjectsErrorKey: [object], NSValidationKeyErrorKey: property.name])
  }
}
