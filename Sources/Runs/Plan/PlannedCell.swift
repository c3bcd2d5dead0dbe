import Reporting
import Scenarios

/// One cell of a plan: a scenario through one strategy with one set of options, once.
package struct PlannedCell: Sendable {
  /// Number in the whole plan, from 0; the same in every shard.
  package var number: Int
  /// What it runs.
  package var scenario: Scenario
  /// The strategy and its options.
  package var variant: Scenario.Variant
  /// Seed of data and draws.
  package var seed: UInt64
  /// Repetition from 0; warm-up cells have negative ones.
  package var repetition: Int
  /// Which of a pair that runs one beside the other; nil where there are no pairs.
  package var arm: Arm?

  /// Whether it only warms up: it is checked, but has no row in cells.csv and timings.csv.
  package var isWarmup: Bool { repetition < 0 }

  /// Every scalar key with its value for this cell; `seed` is the cell's.
  package var settings: ScenarioSettings {
    var settings = scenario.settings(for: variant)
    settings.values[Keys.seed.key.name] = String(seed)
    return settings
  }

  /// The key columns of its rows.
  package func key(run: String) -> CellKey {
    let options = variant.options.filter { $0.key != "merge_policy" }.sorted { $0.key < $1.key }
    return CellKey(
      run: run, cell: number, scenario: scenario.name, strategy: variant.strategy,
      options: options.map { "\($0.key)=\($0.value)" }.joined(separator: ";"),
      mergePolicy: settings[Keys.mergePolicy].rawValue, seed: seed, repetition: repetition)
  }
}
