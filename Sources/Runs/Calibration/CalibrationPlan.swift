import Reporting
import Scenarios

/// The plan of one pair of runs: every cell of the baseline beside one of the candidate, as `run --against` plans them.
struct CalibrationPlan {
  let plan: Plan

  /// Plans a pair.
  ///
  /// - Parameters:
  ///   - slowdown: what the candidate is slowed by; nil for an A/A pair.
  ///   - seed: of the first repetition's data and of the order.
  init(_ scenario: Scenario, slowdown: Slowdown?, share: Double, repetitions: Int, seed: UInt64) {
    var scenario = scenario
    scenario.isBeside = true
    let numbers = ["seed": String(seed), "seed_step": "1", "repetitions": String(repetitions), "warmup": "0"]
    scenario.settings.values.merge(numbers) { $1 }
    var plan = Plan([scenario])
    if let slowdown {
      for block in plan.blocks.indices {
        for cell in plan.blocks[block].cells.indices where plan.blocks[block].cells[cell].arm == .head {
          plan.blocks[block].cells[cell].variant.options[slowdown.key] = String(share)
        }
      }
    }
    self.plan = plan
  }

  /// The rows of base and head, under the same keys.
  static func rows(_ records: [CellRecord]) -> [CellRow] {
    records.map { record in
      var row = record.row
      // What it is slowed by is no option of the strategy.
      var cell = record.cell
      for slowdown in Slowdown.allCases { cell.variant.options[slowdown.key] = nil }
      row.key.options = cell.key(run: row.key.run).options
      return row
    }
  }

  /// The rows of the baseline, as those of a run of its own.
  static func base(_ rows: [CellRow]) -> [CellRow] {
    rows.filter { $0.arm == .base }.map { row in
      var row = row
      row.arm = nil
      return row
    }
  }
}
