/// The explored cell: a scenario through one strategy with one set of options, with one seed.
package struct ExploredCell: Codable, Sendable, Hashable {
  /// The scenario's file, or the name of a shipped one.
  package var scenario: String
  /// Keys that win over the file, as `key=value`.
  package var assignments: [String]
  /// Whether the file's `quick` section counts.
  package var isQuick: Bool
  /// The strategy.
  package var strategy: String
  /// Index of the strategy's set of options, from 0.
  package var variant: Int
  /// Seed of the cell's data and draws.
  package var seed: UInt64

  /// Names a cell.
  package init(scenario: String, assignments: [String], isQuick: Bool, strategy: String, variant: Int = 0, seed: UInt64)
  {
    precondition(variant >= 0, "variants count from 0")
    precondition(!scenario.isEmpty && !strategy.isEmpty, "a cell is of a scenario and a strategy")
    self.scenario = scenario
    self.assignments = assignments
    self.isQuick = isQuick
    self.strategy = strategy
    self.variant = variant
    self.seed = seed
  }
}
