/// The first relationship of a save that leads to an object of another store.
///
/// Noted where values are written, which cannot fail; the save looks here before it continues. Only used in the writer's turn.
package final class CrossStoreCheck {
  /// Of the store that is written.
  package let tag: StoreTag
  private var found: CrossStoreReference?

  package init(_ tag: StoreTag) { self.tag = tag }

  package func forget() { found = nil }

  /// - Parameter owner: the key of the object that has the relationship.
  @inline(never)
  package func note(_ owner: Int64, _ property: PropertyLayout) {
    if found == nil { found = CrossStoreReference(owner: owner, property: property) }
  }

  /// - Throws: the noted error.
  package func check() throws {
    guard let found else { return }
    self.found = nil
    throw found
  }
}

/// A relationship of a plan leads to an object of another store.
package struct CrossStoreReference: Error {
  /// The key of the object that has the relationship, perhaps temporary.
  package let owner: Int64
  package let property: PropertyLayout
}
