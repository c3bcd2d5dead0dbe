/// A statement that gives rows by their keys, one after the other, and stays in mid-run between two of them: half of SQLite's
/// time for the read of one row is to begin and to end a statement.
///
/// The keys come from a ``RowFeed``, which only ends when no key is next. It needs a snapshot that is kept, and ends with it:
/// ``SnapshotHold``.
package final class KeyedSelect {
  private final class Keys: RowSource {
    @exclusivity(unchecked)
    var asked: Int64?
    @exclusivity(unchecked)
    private var current: Int64 = 0

    func next() -> Bool {
      guard let key = asked else { return false }
      asked = nil
      current = key
      return true
    }

    func write(column: Int, to value: FeedValue) { value.set(current) }
  }

  private let keys = Keys()
  /// At the row that was found, until the next is looked for.
  package let statement: Statement

  /// - Parameter sql: selects from a table of the name `feed`, with the key in its column `c0`.
  init(_ connection: Connection, feed: String, _ sql: String) throws {
    try connection.addFeed(feed, columnCount: 1, from: keys)
    statement = try connection.prepare(sql)
  }

  /// Goes to the row with that key; false where there is none.
  package func find(_ key: Int64) throws -> Bool {
    keys.asked = key
    var isFound = false
    defer { if !isFound { end() } }
    isFound = try statement.step()
    return isFound
  }

  /// Begins anew with the next key.
  func end() {
    keys.asked = nil
    statement.reset()
  }
}
