import Reporting
import Scheduling

/// The plan of one pair: in each repetition every strategy of base and head, one beside the other, a floor before every
/// few of them.
struct CalibrationPlan {
  /// Strategies that share a floor: a floor is as noisy as a cell, and takes less time than one.
  static let strategiesPerFloor = 3

  let plan: Plan
  /// Numbers of the cells that belong to the head.
  private(set) var head: Set<Int> = []

  /// Plans a pair.
  ///
  /// - Parameters:
  ///   - slowdown: what the head is slowed by; nil for the same thing.
  ///   - seed: of the first repetition's data and of the order.
  init(_ scenario: Scenario, slowdown: Slowdown?, share: Double, repetitions: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var blocks: [PlannedBlock] = []
    var number = 0
    for repetition in 0..<repetitions {
      var rest = scenario.variants.shuffled(using: &random)[...]
      while !rest.isEmpty {
        var cells: [PlannedCell] = []
        for variant in rest.prefix(Self.strategiesPerFloor) {
          for isHead in [false, true].shuffled(using: &random) {
            var variant = variant
            if isHead, let slowdown { variant.options[slowdown.key] = String(share) }
            cells.append(
              PlannedCell(
                number: number, scenario: scenario, variant: variant, seed: seed + UInt64(repetition),
                repetition: repetition))
            if isHead { head.insert(number) }
            number += 1
          }
        }
        blocks.append(PlannedBlock(number: blocks.count, floors: Plan.floors(of: cells), cells: cells))
        rest = rest.dropFirst(Self.strategiesPerFloor)
      }
    }
    plan = Plan(blocks: blocks)
  }

  /// The rows of base and head, under the same keys.
  func sides(_ records: [CellRecord], _ scenario: Scenario) -> (base: [CellRow], head: [CellRow]) {
    var sides: (base: [CellRow], head: [CellRow]) = ([], [])
    for record in records {
      guard head.contains(record.cell.number) else {
        sides.base.append(record.row)
        continue
      }
      var row = record.row
      // What it is slowed by is no option of the strategy.
      var cell = record.cell
      for slowdown in Slowdown.allCases { cell.variant.options[slowdown.key] = nil }
      row.key.options = cell.key(run: row.key.run).options
      sides.head.append(row)
    }
    return sides
  }
}
