/// Numbers for members of ordered one-to-many relationships, to be written with their rows or, where the row itself does
/// not change, behind them.
package struct OrderPlan {
  private struct Place: Hashable {
    package let member: RowIdentity
    /// Index of the member's to-one relationship.
    package let toOne: Int
  }

  /// One number that no row took with it.
  package struct Entry {
    /// Permanent keys.
    package let member: Int64
    package let owner: Int64
    package let toOne: PropertyLayout
    package let number: Int64
  }

  private var entries: [Place: Entry] = [:]
  /// Entries that were left, and were written by themselves.
  private var moved: [Entry] = []

  /// Entries that no row has taken with it.
  package var remaining: some Collection<Entry> { entries.values }

  /// Notes that the other entries are written.
  mutating func finish() {
    moved = Array(entries.values)
    entries = [:]
  }

  /// The members of which this save has written the place alone.
  mutating func removeMoved() -> [Entry] {
    defer { moved = [] }
    return moved
  }

  package mutating func add(_ entry: Entry) {
    let member = RowIdentity(key: entry.member, layout: entry.toOne.owner)
    entries[Place(member: member, toOne: entry.toOne.index)] = entry
  }

  /// Whether the owner has a position for the member, and its row has not taken that with it.
  func has(_ member: RowIdentity, _ toOne: PropertyLayout) -> Bool {
    entries[Place(member: member, toOne: toOne.index)] != nil
  }

  /// Removes and returns the number of a member as its row is being written.
  package mutating func take(_ member: RowIdentity, _ toOne: PropertyLayout) -> Int64? {
    entries.removeValue(forKey: Place(member: member, toOne: toOne.index))?.number
  }
}
