/// A row of a plan that is not in the store as it was read.
package struct StaleRow {
  package let place: SavePlan.Place
  /// The row as it is now; nil when it is gone.
  package let row: Row?
  /// Whether another coordinator wrote the row: the row cache did not know the change.
  package let isPersisted: Bool
}

/// Rows of a plan that a uniqueness constraint does not allow beside each other, or beside a row of the store.
package struct CollidingRows {
  package unowned(unsafe) let constraint: ConstraintLayout
  /// The row of the store that has the values; nil when only rows of the plan collide.
  package let row: Row?
  package let places: [SavePlan.Place]
}
