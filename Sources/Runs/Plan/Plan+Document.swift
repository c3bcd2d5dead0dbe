import Reporting
import Scenarios

extension Plan {
  /// Plans scenarios again, with the repetitions that goals of samples added to an earlier plan of them.
  package init(_ scenarios: [Scenario], as earlier: PlanDocument) {
    self.init(scenarios)
    let planned = blocks.count
    var cell = cells.count
    for added in earlier.blocks where added.block >= planned && earlier.shard == nil {
      guard let scenario = scenarios.first(where: { $0.name == added.scenario }) else { continue }
      blocks.append(Self.block(blocks.count, scenario, repetition: added.repetition, cell: &cell))
    }
    precondition(cell == cells.count, "the cells of blocks that are added continue the numbers")
  }

  /// The plan as a document.
  ///
  /// - Parameters:
  ///   - shard: the part that is meant; nil = all of it.
  ///   - scenarios: the planned ones, in order.
  package func document(_ scenarios: [Scenario], shard: Shard?) -> PlanDocument {
    PlanDocument(
      shard: shard.map { "\($0.index)/\($0.count)" }, blockCount: blocks.count, cellCount: cells.count,
      scenarios: scenarios.map(\.planned), blocks: (shard.map(part) ?? self).blocks.map(\.planned))
  }
}

extension PlanDocument {
  /// Adds a repetition of a scenario that goals of samples ask for beyond the plan.
  mutating func append(_ scenario: Scenario, repetition: Int) -> PlannedBlock {
    precondition(shard == nil, "a part of a plan does not grow")
    precondition(repetition >= 0, "a goal of samples needs no warm-up")
    precondition(
      blockCount == blocks.count && cellCount == blocks.reduce(0) { $0 + $1.cells.count },
      "a whole plan has all its cells")
    precondition(
      blocks.allSatisfy { $0.scenario != scenario.name || $0.repetition < repetition }, "each repetition is added once")
    var cell = cellCount
    let block = Plan.block(blockCount, scenario, repetition: repetition, cell: &cell)
    blocks.append(block.planned)
    blockCount += 1
    cellCount = cell
    return block
  }
}

extension PlannedBlock {
  fileprivate var planned: PlanDocument.Block {
    let keys = cells.map { $0.key(run: "") }
    precondition(Set(keys.map(\.scenario)).count == 1, "a block is a repetition of one scenario")
    guard let first = keys.first else { preconditionFailure("a block has cells") }
    return PlanDocument.Block(
      block: number, scenario: first.scenario, seed: first.seed, repetition: first.repetition, floors: floors.count,
      cells: zip(keys, cells).map { key, cell in
        PlanDocument.Cell(
          cell: key.cell, strategy: key.strategy, options: key.options, mergePolicy: key.mergePolicy, arm: cell.arm)
      })
  }
}

extension Scenario {
  fileprivate var planned: PlanDocument.PlannedScenario {
    PlanDocument.PlannedScenario(
      name: name, path: path, settings: settings.values, checks: checks, expect: expectation.planned,
      expectByStrategy: expectationByStrategy.mapValues(\.planned))
  }
}

extension ScenarioExpectation {
  fileprivate var planned: PlanDocument.Expectation {
    PlanDocument.Expectation(
      must: must.map {
        PlanDocument.Expectation.Must(
          anyOf: $0.anyOf.map(\.rawValue), atLeast: $0.atLeast, containing: $0.containing)
      },
      may: may.map(\.rawValue).sorted(), notExercised: notExercised.sorted())
  }
}
