/// One repetition of a scenario: its floors, then every strategy once in random order.
///
/// The floor is first, so that a cell's row is complete and written as soon as the cell has ended.
package struct PlannedBlock: Sendable {
  /// Number in the whole plan, from 0; the same in every shard.
  package var number: Int
  /// The floors; none where the scenario has none.
  package var floors: [PlannedFloor]
  /// The cells in the order they run.
  package var cells: [PlannedCell]

  /// Whether its cells only warm up, and give no rows.
  var isWarmup: Bool { cells.first?.isWarmup ?? false }
}
