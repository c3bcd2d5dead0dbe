/// Rows with neighbouring keys, which are often written together: a group shares one count, or one time of its last commit.
enum KeyGroup {
  private static let keysOfGroup: UInt = 128
  /// How many there are; a group so many further on is the same one.
  static let count = 256
  /// Apart enough that the first keys of a few entities are of different groups.
  private static let groupsOfRoot = 37

  /// Below ``count``.
  @inline(__always)
  static func of(_ identity: RowIdentity) -> Int {
    let block = UInt(bitPattern: Int(truncatingIfNeeded: identity.key)) / keysOfGroup
    return Int((block &+ UInt(bitPattern: identity.root &* groupsOfRoot)) % UInt(count))
  }
}
