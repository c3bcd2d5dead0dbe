/// Rows with neighbouring keys, which are often read and written together: what is known of one of them is known of all.
enum KeyGroup {
  private static let keysOfGroup: UInt = 128
  /// Groups further apart than so many are one.
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
