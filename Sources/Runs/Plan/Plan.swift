import Boundary
import Checking
import Reporting
import Scenarios

/// The cells of a run, in order: scenario after scenario, block after block.
package struct Plan: Sendable {
  /// The blocks in order.
  package var blocks: [PlannedBlock]

  /// Plans scenarios: strategies × options × repetitions, the strategies of a repetition in an order drawn from its
  /// seed, and so the two cells of each pair.
  package init(_ scenarios: [Scenario]) {
    blocks = []
    var number = 0
    for scenario in scenarios {
      let warmup = scenario.settings[Keys.warmup]
      for repetition in -warmup..<scenario.settings[Keys.repetitions] {
        blocks.append(Self.block(blocks.count, scenario, repetition: repetition, cell: &number))
      }
    }
    precondition(number == cells.count, "cells are numbered in a row")
  }

  /// All cells in order.
  package var cells: [PlannedCell] { blocks.flatMap(\.cells) }

  /// Children that the run starts: cells and floors.
  package var stepCount: Int { blocks.reduce(0) { $0 + $1.cells.count + $1.floors.count } }

  /// The part of the plan that belongs to a shard, with all of the warm-up of each scenario that it repeats, since a
  /// machine warms up for itself; cells keep their numbers.
  package func part(_ shard: Shard) -> Plan {
    precondition(shard.count > 0 && (1...shard.count).contains(shard.index), "parts are numbered from 1")
    let own = blocks.filter { !$0.isWarmup && $0.number % shard.count == shard.index - 1 }
    let repeated = Set(own.compactMap { $0.cells.first?.scenario.name })
    let numbers = Set(own.map(\.number))
    var part = self
    part.blocks = blocks.filter { block in
      block.isWarmup
        ? block.cells.first.map { repeated.contains($0.scenario.name) } ?? false : numbers.contains(block.number)
    }
    return part
  }

  /// The plan as a table, for `--dry-run`.
  ///
  /// - Parameter width: columns of the terminal, which it fits; nil = as many as it takes.
  package func text(width: Int?) -> String {
    var table = TextTable(columns: [
      .right("cell"), .left("scenario"), .left("strategy"), .left("options", dropped: 2),
      .left("merge policy", dropped: 1), .right("seed"), .right("repetition"), .left("arm", dropped: 3),
    ])
    for block in blocks {
      for floor in block.floors {
        let scenario = block.cells.first?.scenario.name ?? ""
        table.append(["–", scenario, "floor", "", "", String(floor.seed), "", ""])
      }
      for cell in block.cells {
        let key = cell.key(run: "")
        table.append([
          String(key.cell), key.scenario, key.strategy, key.options, key.mergePolicy, String(key.seed),
          cell.isWarmup ? "warm-up" : String(key.repetition), cell.arm?.rawValue ?? "",
        ])
      }
    }
    return table.rendered(width: width)
  }

  /// Repetition of a scenario, the block of a number; its cells are numbered from `cell` on.
  static func block(_ number: Int, _ scenario: Scenario, repetition: Int, cell: inout Int) -> PlannedBlock {
    precondition(number >= 0 && cell >= 0, "blocks and cells are numbered from 0")
    let first = UInt64(scenario.settings[Keys.seed])
    let step = UInt64(scenario.settings[Keys.seedStep])
    // Within 63 bits, so that every tool that reads the CSV can hold it.
    let seed = (first &+ step &* UInt64(bitPattern: Int64(repetition))) & UInt64(Int64.max)
    var random = SeededRandom(seed: seed).split(UInt64(bitPattern: Int64(repetition)))
    // The cells of a pair one after the other, so that other load on the machine hits both; in two repetitions
    // in either order, so that it makes no difference to be first.
    var orders = SeededRandom(seed: first).split(UInt64(bitPattern: Int64(repetition >> 1)))
    let variants = scenario.variants.map { variant in
      let arms = scenario.arms.shuffled(using: &orders)
      return (variant, arms: repetition & 1 == 0 ? arms : arms.reversed())
    }
    var cells = variants.shuffled(using: &random).flatMap { variant, arms in
      arms.map { arm in
        PlannedCell(number: 0, scenario: scenario, variant: variant, seed: seed, repetition: repetition, arm: arm)
      }
    }
    precondition(cells.count == scenario.variants.count * scenario.arms.count, "each variant has a cell in each arm")
    for index in cells.indices {
      cells[index].number = cell
      cell += 1
    }
    return PlannedBlock(
      number: number, floors: scenario.settings[Keys.floor] ? floors(of: cells) : [], cells: cells)
  }

  /// One floor for each way in which the cells divide their rows into commits.
  static func floors(of cells: [PlannedCell]) -> [PlannedFloor] {
    precondition(Set(cells.map(\.seed)).count <= 1, "the cells of a block have the same data")
    var floors: [PlannedFloor] = []
    for cell in cells {
      let floor = PlannedFloor(settings: cell.settings, seed: cell.seed)
      if !floors.contains(where: { $0.identity == floor.identity }) { floors.append(floor) }
    }
    return floors
  }
}

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

/// One cell of a plan: a scenario through one strategy with one set of options, once.
package struct PlannedCell: Sendable {
  /// Number in the whole plan, from 0; the same in every shard.
  package var number: Int
  /// The cell's scenario.
  package var scenario: Scenario
  /// The strategy and its options.
  package var variant: Scenario.Variant
  /// Seed of data and draws.
  package var seed: UInt64
  /// Repetition from 0; warm-up cells have negative ones.
  package var repetition: Int
  /// Which of a pair that runs one beside the other; nil where there are no pairs.
  package var arm: Arm?

  package init(number: Int, scenario: Scenario, variant: Scenario.Variant, seed: UInt64, repetition: Int, arm: Arm?) {
    precondition(number >= 0, "cells are numbered from 0")
    precondition(seed <= UInt64(Int64.max), "a seed is a key of the scenario, of 63 bits")
    self.number = number
    self.scenario = scenario
    self.variant = variant
    self.seed = seed
    self.repetition = repetition
    self.arm = arm
  }

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

/// One run of the floor, for the cells of its block that write the same rows in the same commits.
package struct PlannedFloor: Sendable {
  /// The keys that decide the work of the floor.
  package static let keys = ["notes", "words_per_note", "importers", "save_every"]

  /// Every scalar key with its value.
  package var settings: ScenarioSettings
  /// Seed of the data.
  package var seed: UInt64

  /// The identity of this floor in its block.
  package var identity: [String?] { Self.identity(settings) }

  /// The identity of the floor that belongs to these settings.
  package static func identity(_ settings: ScenarioSettings) -> [String?] { keys.map { settings.values[$0] } }
}

/// A part of a plan: every `count`-th block, beginning with the `index`-th.
package struct Shard: Sendable, Hashable {
  /// Which part, from 1.
  package var index: Int
  /// Number of parts.
  package var count: Int

  private static let countMax = 1_000_000

  /// Reads `i/n`; nil when it is not that, i is not in 1…n, or there are too many parts.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], 1...Self.countMax ~= count,
      1...count ~= index
    else { return nil }
    self.index = index
    self.count = count
  }
}
