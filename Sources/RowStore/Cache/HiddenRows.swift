/// The rows that a commit writes or deletes, from just before it is in the file until it is published.
package struct HiddenRows {
  private let replaced: ContiguousArray<RowIdentity>
  /// The save that has inserted rows to hide as well. They are looked at when a row is read: a list would be made for nothing.
  private let plan: SavePlan?
  /// The highest version of each row that was read meanwhile, 0 where none was; made when the first row is read, since as
  /// a rule none is.
  private var newest: [RowIdentity: Int64]?

  package init(_ replaced: ContiguousArray<RowIdentity>, inserted plan: SavePlan?) {
    (self.replaced, self.plan) = (replaced, plan)
  }

  /// Complexity: O(*n*).
  var identities: ContiguousArray<RowIdentity> {
    guard let plan else { return replaced }
    return replaced
      + plan.inserts.lazy.map { RowIdentity(key: plan.keys.permanent($0.key), rootNumber: $0.row.rootNumber) }
  }

  /// Notes a version that was read meanwhile; false for a row that is not hidden.
  ///
  /// Complexity: O(1), the first time O(*n*) for *n* hidden rows.
  package mutating func note(_ identity: RowIdentity, version: Int64) -> Bool {
    var newest = self.newest.take() ?? Dictionary(identities.lazy.map { ($0, 0) }) { first, _ in first }
    defer { self.newest = newest }
    guard let known = newest[identity] else { return false }
    newest[identity] = max(known, version)
    return true
  }

  /// Notes that a row was found missing meanwhile; false for a row that is not hidden.
  package mutating func recordMissing(_ identity: RowIdentity) -> Bool { note(identity, version: .max) }

  /// Whether the row that the commit wrote is the newest that was seen of it.
  package func isNewest(_ identity: RowIdentity, version: Int64) -> Bool { newest?[identity] ?? 0 <= version }
}
