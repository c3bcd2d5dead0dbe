/// The references of one relationship in a closed store.
package struct ReferenceRows: Sendable, Hashable {
  /// The entity's and the relationship's name: `Word.note`.
  package let name: String
  /// How many references were checked: rows that have one, or pairs of a join table.
  package let count: Int
  /// How many of them have a stored other side to compare with.
  package let comparedCount: Int
  /// The keys of the rows that must have one, and have none that leads to a row, in ascending order.
  package let orphans: [Int64]
  /// The keys of the rows that need none, and have one that leads to no row, in ascending order.
  package let dangling: [Int64]
  /// The keys of the rows to which the other side does not lead back, in ascending order.
  package let asymmetric: [Int64]

  package init(
    name: String, count: Int, comparedCount: Int = 0, orphans: [Int64] = [], dangling: [Int64] = [],
    asymmetric: [Int64] = []
  ) {
    precondition(0...count ~= comparedCount, "the references that are compared are some of all")
    self.name = name
    self.count = count
    self.comparedCount = comparedCount
    self.orphans = orphans.sorted()
    self.dangling = dangling.sorted()
    self.asymmetric = asymmetric.sorted()
  }
}
