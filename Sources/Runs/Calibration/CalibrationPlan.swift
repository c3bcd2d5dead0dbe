import Reporting
import Scenarios

/// The plan of one pair of runs: every cell of the baseline beside one of the candidate, as `run --against` plans them.
struct CalibrationPlan {
  let plan: Plan

  /// Plans a pair.
  ///
  /// - Parameters:
  ///   - seed: of the first repetition's data and of the order.
  ///   - steps: of the candidate's slowdown, by strategy; nil for none.
  init(_ scenario: Scenario, repetitions: Int, seed: UInt64, steps: (_ strategy: String) -> Int?) {
    precondition(repetitions > 0, "a pair has cells")
    precondition(seed <= UInt64(Int64.max), "a seed is a key of the scenario, of 63 bits")
    var scenario = scenario
    scenario.isBeside = true
    let numbers = ["seed": String(seed), "seed_step": "1", "repetitions": String(repetitions), "warmup": "0"]
    scenario.settings.values.merge(numbers) { $1 }
    var plan = Plan([scenario])
    precondition(
      plan.cells.count { $0.arm == .base } == plan.cells.count { $0.arm == .head },
      "each cell of the candidate has one of the baseline beside it")
    for block in plan.blocks.indices {
      for cell in plan.blocks[block].cells.indices where plan.blocks[block].cells[cell].arm == .head {
        guard let steps = steps(plan.blocks[block].cells[cell].variant.strategy) else { continue }
        plan.blocks[block].cells[cell].variant.options[Slowdown.key] = String(steps)
      }
    }
    self.plan = plan
  }

  /// The rows of base and head, under the same keys.
  static func rows(_ records: [CellRecord]) -> [CellRow] {
    records.map { record in
      var row = record.row
      // The slowdown is no option of the strategy.
      var cell = record.cell
      cell.variant.options[Slowdown.key] = nil
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
