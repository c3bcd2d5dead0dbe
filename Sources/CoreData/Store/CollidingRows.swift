/// Rows of a plan that a uniqueness constraint does not allow beside each other, or beside a row of the store.
struct CollidingRows {
  unowned(unsafe) let constraint: ConstraintLayout
  /// The row of the store that has the values; nil when only rows of the plan collide.
  let row: Row?
  let places: [SavePlan.Place]
}
