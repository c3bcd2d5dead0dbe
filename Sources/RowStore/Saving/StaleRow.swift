/// A row of a plan that is not in the store as it was read.
package struct StaleRow {
  package let place: SavePlan.Place
  /// The row as it is now; nil when it is gone.
  package let row: Row?
  /// Whether another coordinator wrote the row: the row cache did not know the change.
  package let isPersisted: Bool
}
