/// The rows of one entity in a closed store, by their logical keys.
package struct EntityRows: Sendable, Hashable {
  /// The logical keys in ascending order, a key as often as it has rows.
  package let keys: [Int64]
  /// The revisions of the rows, parallel to `keys`; empty for an entity without revisions.
  package let revisions: [Int64]
  /// How many rows have no logical key.
  package let keylessCount: Int
  /// The keys of the rows without an owner in the store, in ascending order; nil for an entity
  /// that needs no owners.
  package let orphans: [Int64]?
  /// The rows' values by their keys, those of one key together; nil for an entity without values.
  package var values: [Int64: Int64]?
  /// The lists of the rows by their keys, for an entity that has them; of several rows of a key, the longest.
  package var lists: [Int64: [Int64]] = [:]
  /// The values of the layout's property columns by the rows' keys, null as 0.
  package var properties: [Int64: [Int64]] = [:]
  /// The values of the layout's recorded columns by the rows' keys, as `RecordedValue` codes them; of several rows of a
  /// key, all.
  package var recorded: [Int64: [[Int64]]] = [:]
  /// The logical keys of the rows' owners by the rows' keys; nil where they were not read.
  package var owners: [Int64: Set<Int64>]?

  /// Sorts the rows by their keys.
  ///
  /// - Complexity: O(*n*) for rows that come in order, O(*n* log *n*) otherwise.
  package init(
    keys: [Int64], revisions: [Int64] = [], keylessCount: Int = 0, orphans: [Int64]? = nil
  ) {
    precondition(revisions.isEmpty || revisions.count == keys.count, "a row has one key and one revision")
    precondition(keylessCount >= 0, "rows without a key are counted")
    if zip(keys, keys.dropFirst()).allSatisfy({ $0 <= $1 }) {
      self.keys = keys
      self.revisions = revisions
    } else if revisions.isEmpty {
      self.keys = keys.sorted()
      self.revisions = []
    } else {
      let order = keys.indices.sorted { (keys[$0], revisions[$0]) < (keys[$1], revisions[$1]) }
      self.keys = order.map { keys[$0] }
      self.revisions = order.map { revisions[$0] }
    }
    self.keylessCount = keylessCount
    self.orphans = orphans?.sorted()
  }

  /// The highest revision among the rows of a key; nil when it has none, or the entity has no revisions.
  func revision(of key: Int64) -> Int64? {
    guard !revisions.isEmpty else { return nil }
    var position = keys.lowerBound(of: key)
    var highest: Int64?
    while position < keys.count, keys[position] == key {
      highest = max(highest ?? .min, revisions[position])
      position += 1
    }
    return highest
  }
}
