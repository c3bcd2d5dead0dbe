/// The first relationship of a save that leads to an object of another store.
///
/// Noted where values are written, which cannot fail; the save looks here before it continues. Only used in the writer's turn.
final class StoreCrossing {
  /// Of the store that is written.
  let tag: StoreTag
  private var found: CrossingReference?

  init(_ tag: StoreTag) { self.tag = tag }

  func forget() { found = nil }

  /// - Parameter owner: the key of the object that has the relationship.
  @inline(never)
  func note(_ owner: Int64, _ property: PropertyLayout) {
    if found == nil { found = CrossingReference(owner: owner, property: property) }
  }

  /// - Throws: what was noted.
  func check() throws {
    guard let found else { return }
    self.found = nil
    throw found
  }
}

/// A relationship of a plan leads to an object of another store.
struct CrossingReference: Error {
  /// The key of the object that has the relationship, perhaps temporary.
  let owner: Int64
  let property: PropertyLayout
}
