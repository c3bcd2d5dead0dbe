import Boundary
import Checking
import Measuring
import Reporting
import Scenarios

/// How many steps slow a strategy's cells down by a share of their whole cost: from cells with and without some steps.
struct SlowdownScale: Sendable {
  /// Steps for each row, in the cells from which the scale is taken: about the cost of the row itself.
  static let probeSteps = 5_000
  /// Cells of each strategy on either side, where times are measured; counts need few.
  static let timedRepetitions = 12
  static let countedRepetitions = 2

  /// Costs of the cells by strategy: without steps, and for one step for each row.
  private let costs: [String: (plain: Double, step: Double)]

  /// Takes the scale from pairs of cells of which each head took `probeSteps`.
  ///
  /// - Parameter cost: the cost of a cell; nil where it was not measured.
  /// - Throws: `HarnessFailure` when steps made the cells of a strategy no slower.
  init(_ rows: [CellRow], cost: (CellRow) -> Double?) throws(HarnessFailure) {
    var costs: [String: (plain: Double, step: Double)] = [:]
    for (strategy, rows) in Dictionary(grouping: rows, by: \.key.strategy) {
      func median(_ arm: Arm) -> Double? { Statistics.median(rows.filter { $0.arm == arm }.compactMap(cost)) }
      guard let plain = median(.base), let slowed = median(.head), slowed > plain * 1.02 else {
        throw HarnessFailure(
          "\(strategy): \(Self.probeSteps) steps for each row that is written made its cells no slower, so that no share can be planted. Choose a scenario that writes, or run on a quieter machine"
        )
      }
      costs[strategy] = (plain, (slowed - plain) / Double(Self.probeSteps))
    }
    precondition(costs.values.allSatisfy { $0.step > 0 }, "a step costs something")
    self.costs = costs
  }

  /// The steps for each row that make a strategy's cells cost that share more; nil for a strategy that was not measured.
  func steps(_ strategy: String, share: Double) -> Int? {
    precondition(share > 0, "a slowdown makes cells slower")
    return costs[strategy].map { Int((share * $0.plain / $0.step).rounded()) }
  }
}
