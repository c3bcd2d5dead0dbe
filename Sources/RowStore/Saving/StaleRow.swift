/// A row of a plan that is not in the store as it was read.
package struct StaleRow {
  package let place: SavePlan.Place
  /// The row as it is now; nil when it is gone.
  package let row: Row?
  /// Whether the row cache knew nothing of it: then it was another coordinator that wrote.
  package let isPersisted: Bool
}
