import Checking
import Foundation

/// The plan of a run: `plan.json` of the results folder, and the output of `contextbench plan --json`.
///
/// A shard's document has the shard's blocks, and how many blocks and cells there are in the whole plan.
package struct PlanDocument: RunDocument, Sendable, Hashable {
  /// The expectations for the cells of a scenario, or of one of its strategies.
  package struct Expectation: Codable, Sendable, Hashable {
    /// Kinds of which one is seen in every cell, at least so often, in violations with this text.
    package struct Must: Codable, Sendable, Hashable {
      package var anyOf: [String]
      package var atLeast: Int
      package var containing: String?

      package init(anyOf: [String], atLeast: Int, containing: String? = nil) {
        precondition(!anyOf.isEmpty && atLeast > 0, "what must be seen is of some kind, and seen once at least")
        self.anyOf = anyOf
        self.atLeast = atLeast
        self.containing = containing
      }
    }

    package var must: [Must]
    package var may: [String]
    package var notExercised: [String]

    package init(must: [Must], may: [String], notExercised: [String]) {
      self.must = must
      self.may = may
      self.notExercised = notExercised
    }
  }

  /// A scenario with everything that decides the work of its cells.
  package struct PlannedScenario: Codable, Sendable, Hashable {
    package var name: String
    /// The file, as it was given.
    package var path: String
    /// Every scalar key with its value.
    package var settings: [String: String]
    package var checks: [String]
    package var expect: Expectation
    /// Further expectations for single strategies.
    package var expectByStrategy: [String: Expectation]

    package init(
      name: String, path: String, settings: [String: String], checks: [String], expect: Expectation,
      expectByStrategy: [String: Expectation]
    ) {
      self.name = name
      self.path = path
      self.settings = settings
      self.checks = checks
      self.expect = expect
      self.expectByStrategy = expectByStrategy
    }
  }

  /// A cell.
  package struct Cell: Codable, Sendable, Hashable {
    package var cell: Int
    package var strategy: String
    package var options: String
    package var mergePolicy: String
    /// Which of a pair; nil where there are no pairs.
    package var arm: Arm?

    package init(cell: Int, strategy: String, options: String, mergePolicy: String, arm: Arm? = nil) {
      precondition(cell >= 0, "cells are counted from 0")
      self.cell = cell
      self.strategy = strategy
      self.options = options
      self.mergePolicy = mergePolicy
      self.arm = arm
    }
  }

  /// One repetition of a scenario: its cells run on one machine, one after the other; shards consist of blocks.
  package struct Block: Codable, Sendable, Hashable {
    /// Number in the whole plan, from 0: that of shard `block + 1` of as many shards as there are blocks.
    package var block: Int
    package var scenario: String
    package var seed: UInt64
    /// Negative for a warm-up, without rows in cells.csv.
    package var repetition: Int
    /// Runs of the floor before the cells.
    package var floors: Int
    package var cells: [Cell]

    package init(block: Int, scenario: String, seed: UInt64, repetition: Int, floors: Int, cells: [Cell]) {
      precondition(block >= 0 && floors >= 0, "blocks and floors are counted from 0")
      self.block = block
      self.scenario = scenario
      self.seed = seed
      self.repetition = repetition
      self.floors = floors
      self.cells = cells
    }
  }

  /// Version of the CSV columns and of this file.
  package var schemaVersion = CellKey.schemaVersion
  /// The part of the plan that this is, as `i/n`; nil = all of it.
  package var shard: String?
  /// Blocks of the whole plan.
  package var blockCount: Int
  /// Cells of the whole plan, warm-up cells among them.
  package var cellCount: Int
  package var scenarios: [PlannedScenario]
  /// The blocks in the order they run.
  package var blocks: [Block]

  package init(shard: String?, blockCount: Int, cellCount: Int, scenarios: [PlannedScenario], blocks: [Block]) {
    precondition(blocks.count <= blockCount, "a part has no more blocks than the whole plan")
    precondition(shard != nil || blocks.count == blockCount, "what is no part is the whole plan")
    precondition(Set(blocks.map(\.block)).count == blocks.count, "a block has a number of its own")
    precondition(blocks.allSatisfy { 0..<blockCount ~= $0.block }, "blocks are numbered in the whole plan")
    precondition(blocks.reduce(0) { $0 + $1.cells.count } <= cellCount, "the whole plan has the cells of its blocks")
    self.shard = shard
    self.blockCount = blockCount
    self.cellCount = cellCount
    self.scenarios = scenarios
    self.blocks = blocks
  }

  /// The name of its file in the results folder.
  package static let fileName = "plan.json"

  /// Numbers of the cells that get a row in cells.csv, in the order they run.
  package var rowCells: [Int] { blocks.filter { $0.repetition >= 0 }.flatMap { $0.cells.map(\.cell) } }

  /// How two plans differ, apart from the folders of their files and the part of the plan that each runs: a sentence each.
  package func differences(from other: PlanDocument) -> [String] {
    var differences: [String] = []
    let (names, otherNames) = (scenarios.map(\.name), other.scenarios.map(\.name))
    if names != otherNames {
      return ["scenarios \(names.joined(separator: ", ")), not \(otherNames.joined(separator: ", "))"]
    }
    for (scenario, otherScenario) in zip(scenarios, other.scenarios) {
      let keys = Set(scenario.settings.keys).union(otherScenario.settings.keys).sorted()
      for key in keys where scenario.settings[key] != otherScenario.settings[key] {
        let (value, otherValue) = (scenario.settings[key] ?? "nothing", otherScenario.settings[key] ?? "nothing")
        differences.append("\(scenario.name): \(key) is \(value), not \(otherValue)")
      }
      if scenario.checks != otherScenario.checks { differences.append("\(scenario.name): other checks") }
      if scenario.expect != otherScenario.expect || scenario.expectByStrategy != otherScenario.expectByStrategy {
        differences.append("\(scenario.name): another expectation")
      }
    }
    if differences.isEmpty, (blockCount, cellCount) != (other.blockCount, other.cellCount) {
      differences.append("\(cellCount) cells in \(blockCount) blocks, not \(other.cellCount) in \(other.blockCount)")
    }
    let theirs = Dictionary(other.blocks.map { ($0.block, $0) }) { first, _ in first }
    for block in blocks where differences.isEmpty {
      if let same = theirs[block.block], same != block {
        differences.append("block \(block.block) has other cells, or another order or seed")
      }
    }
    return differences
  }
}
