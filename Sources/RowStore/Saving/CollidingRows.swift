/// Rows of a plan that a uniqueness constraint does not allow beside each other, or beside a row of the store.
package struct CollidingRows {
  package unowned(unsafe) let constraint: ConstraintLayout
  /// The row of the store that has the values; nil when only rows of the plan collide.
  package let row: Row?
  package let places: [SavePlan.Place]
}
