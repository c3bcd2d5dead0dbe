/// The key columns that every row of every file shares.
public struct CellKey: Codable, Sendable, Hashable {
  /// Version of the files' columns; raised when a column changes its meaning.
  public static let schemaVersion = 2

  /// Identifier of the run: its start as `yyyyMMdd-HHmmss-xxxx`.
  public var run: String
  /// Number of the cell in the plan, from 0.
  public var cell: Int
  /// Scenario name: the file's stem.
  public var scenario: String
  /// Strategy name, kebab-case.
  public var strategy: String
  /// The strategy's options as `key=value` pairs joined by `;`, sorted by key.
  public var options: String
  /// Merge policy name: error, store-trump, object-trump, overwrite, rollback.
  public var mergePolicy: String
  /// Seed of the cell's draws; within 63 bits.
  public var seed: UInt64
  /// Repetition, from 0.
  public var repetition: Int

  /// Makes a key.
  public init(
    run: String, cell: Int, scenario: String, strategy: String, options: String, mergePolicy: String, seed: UInt64,
    repetition: Int
  ) {
    precondition(cell >= 0 && seed <= UInt64(Int64.max), "cells count from 0, and a seed has 63 bits")
    self.run = run
    self.cell = cell
    self.scenario = scenario
    self.strategy = strategy
    self.options = options
    self.mergePolicy = mergePolicy
    self.seed = seed
    self.repetition = repetition
  }
}

extension CellKey {
  /// A key into which the fields of a line are read.
  package static let empty = CellKey(
    run: "", cell: 0, scenario: "", strategy: "", options: "", mergePolicy: "", seed: 0, repetition: 0)
}

/// Which of two cells of a pair it is, that ran one beside the other.
package enum Arm: String, Codable, Sendable, CaseIterable {
  /// The first cell of an A/A pair.
  case a
  /// The second cell of an A/A pair.
  case b
  /// The baseline: a cell of another executable.
  case base
  /// The candidate.
  case head

  /// Whether the other of its pair is compared with it.
  package var isBase: Bool { self == .a || self == .base }
}
