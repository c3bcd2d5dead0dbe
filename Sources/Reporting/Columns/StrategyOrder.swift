import Measuring

/// The order in which every table, page, picture and export shows the strategies of a scenario: the one whose rows main
/// shows first comes first. Those without a time are behind all others.
package enum StrategyOrder {
  /// Where the repetitions of a strategy come: the median time until main shows everything.
  package static func place(_ rows: [CellRow]) -> Double {
    Statistics.median(rows.compactMap(\.untilVisibleSeconds)) ?? .infinity
  }
}
