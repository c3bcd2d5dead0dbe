/// A row of a plan that is not in the store as it was read.
struct StaleRow {
  let place: SavePlan.Place
  /// The row as it is now; nil when it is gone.
  let row: Row?
  /// Whether the row cache knew nothing of it: then it was another coordinator that wrote.
  let isPersisted: Bool
}
