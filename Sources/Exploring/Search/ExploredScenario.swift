import Boundary
import Checking
import Foundation
import Runs
import Scenarios

/// A scenario as it is explored: small, through one strategy, without checks that depend on the machine's time.
package struct ExploredScenario: Sendable {
  /// The cell, as it is written into files.
  package let explored: ExploredCell
  /// The same as a run would have it.
  package let cell: PlannedCell
  private let vocabulary: ScenarioVocabulary

  /// Checks of durations, which mean nothing on a simulation's clock.
  package static let timedChecks: Set<String> = [
    "main-thread-stall", "staleness-bound", "memory-growth", "overlap", "log-growth",
  ]

  /// Sizes that are enough for most mistakes, each at most; `--set` wins.
  ///
  /// - SeeAlso: Lu, Park, Seo, Zhou, "Learning from Mistakes: A Comprehensive Study on Real World Concurrency Bug
  ///   Characteristics", ASPLOS 2008: two threads and four accesses are enough for most bugs that were seen.
  package static let sizes: [(key: String, value: Double)] = [
    ("clients", 2), ("operations_per_client", 2), ("keys", 1), ("rounds", 1), ("notes", 4), ("words_per_note", 2),
    ("importers", 2), ("deleters", 2), ("notes_per_save", 2), ("members_per_save", 2), ("importer_count", 2),
    ("requests", 4), ("update_rounds", 1), ("trees", 2), ("tree_depth", 2), ("tree_fan_out", 2),
    ("documents_per_folder", 1), ("duration_s", 0.1), ("objects_per_entity", 20), ("edits", 4), ("deletes", 4),
    ("steps", 8), ("kills", 2), ("processes", 2),
  ]

  /// Finds the cell that is meant, with the sizes of the file.
  ///
  /// - Throws: `ScenarioProblems` where the file or an assignment is wrong, or there is no such cell.
  package init(_ explored: ExploredCell, _ loader: ScenarioLoader) throws(ScenarioProblems) {
    var overrides: [ScenarioOverride] = []
    for assignment in explored.assignments {
      do {
        overrides.append(try ScenarioOverride(set: assignment))
      } catch {
        throw ScenarioProblems([
          ScenarioProblem(
            source: "--set", key: assignment, what: "is no assignment",
            advice: "Write --set key=value, for example --set clients=3")
        ])
      }
    }
    overrides.append(ScenarioOverride(source: "--strategy", key: "strategies", value: explored.strategy))
    let scenarios = try loader.load([explored.scenario], overrides: overrides, quick: explored.isQuick)
    guard var scenario = scenarios.first, scenario.variants.indices.contains(explored.variant) else {
      throw ScenarioProblems([
        ScenarioProblem(
          source: explored.scenario, what: "\(explored.strategy) has no set of options \(explored.variant)",
          advice: "Leave variant out, or count from 0")
      ])
    }
    if let problem = SimulationLimit.problem(of: scenario, explored: true) { throw ScenarioProblems([problem]) }
    guard explored.seed <= UInt64(Int64.max) else {
      throw ScenarioProblems([
        ScenarioProblem(
          source: explored.scenario, key: Keys.seed.key.name, what: "\(explored.seed) is too large",
          advice: "Choose one up to \(Int64.max)")
      ])
    }
    scenario.checks.removeAll { Self.timedChecks.contains($0) }
    self.explored = explored
    self.vocabulary = loader.vocabulary
    cell = PlannedCell(
      number: 0, scenario: scenario, variant: scenario.variants[explored.variant], seed: explored.seed, repetition: 0,
      arm: nil)
  }

  /// The assignments that make a scenario small, of those keys that its workload reads and that were not set.
  package static func smallAssignments(
    for scenario: Scenario, _ vocabulary: ScenarioVocabulary, besides given: [String]
  ) -> [String] {
    precondition(Set(sizes.map(\.key)).count == sizes.count, "each key has one size")
    let workload = vocabulary.workload(named: scenario.settings[Keys.workload])
    return sizes.compactMap { key, value in
      guard workload?.reads(key) == true || isOfNotebook(key, workload),
        let size = scenario.settings.values[key].flatMap({ Double($0) }), size > small(key, value),
        !given.contains(where: { $0.hasPrefix(key + "=") })
      else { return nil }
      return "\(key)=" + String(format: "%g", small(key, value))
    }
    /// A read that is torn needs more accounts than a transfer, and every fourth step of a client reads; two orders take two rounds,
    /// every fourth round of a storm deletes, each of two clients deletes at four moments of its requests, and notes that are
    /// not asked for have to stay.
    func small(_ key: String, _ value: Double) -> Double {
      switch (workload?.name, key) {
      case ("bank", "keys"): 3
      case ("crossed-nesting", "rounds"): 2
      case ("bank", "operations_per_client"), ("cascade-storm", "rounds"): 4
      case ("delete-during-request", "requests"): 8
      case ("delete-during-request", "notes"): 10
      default: value
      }
    }
  }

  /// Whether the key is one of those that the workload reads.
  func reads(_ key: String, _ vocabulary: ScenarioVocabulary) -> Bool {
    let workload = vocabulary.workload(named: cell.settings[Keys.workload])
    return workload?.reads(key) == true || Self.isOfNotebook(key, workload)
  }

  /// Whether it is a size of the notebook, which every workload has that has no rows of its own.
  private static func isOfNotebook(_ key: String, _ workload: WorkloadDescription?) -> Bool {
    everywhere.contains(key) && workload?.reads("keys") == false
  }

  /// Sizes that belong to no one workload.
  private static let everywhere: Set<String> = ["notes", "words_per_note"]

  /// Judges the records of one schedule, as the cell of a run is judged.
  ///
  /// - Parameters:
  ///   - folder: of the store, where the cell ended before it named the store.
  ///   - reopened: the store that the next process finds, where a fault ended the cell's.
  package func judge(
    _ records: RecordsInMemory, folder: String, measurement: CellMeasurement?, failure: String?,
    violations: [Violation], reopened: String? = nil
  ) throws -> CellOutcome {
    let broken = violations.first { $0.kind == .hang }
    let death: CellEnd? = reopened.map { _ in .killedFromOutside(.killedFromOutside(signal: SIGKILL)) }
    let end = failure.map { .failed($0) } ?? death ?? broken.map { .broken($0) } ?? .finished
    let store = reopened ?? measurement?.storePath ?? folder + "/" + CellFiles.store
    for violation in violations where violation.kind != .hang { records.append(violation) }
    return try CellJudge.judge(
      cell, vocabulary, .memory(records), storePath: store,
      measurement: measurement ?? CellMeasurement(), end: end, executable: nil)
  }

  /// The history of a schedule, as lines with their times; empty where it left no usable one.
  package func operations(of records: RecordsInMemory) -> [(nanoseconds: UInt64, process: UInt32, text: String)] {
    guard let history = try? records.history(),
      let layout = try? vocabulary.workload(named: cell.settings[Keys.workload])?.layout(cell.settings)
    else { return [] }
    return history.operations.map { operation in
      let entity = layout.entities.first { $0.number == operation.entity }?.name ?? ""
      var words = [operation.type.name, operation.function.name, entity]
      // Of a save it is its context's address, another one in each run.
      if operation.key != 0, ![.willSave, .didSave].contains(operation.function) {
        words.append(operation.count > 1 ? "\(operation.key)+\(operation.count)" : "\(operation.key)")
      }
      if operation.value != 0 { words.append("= \(operation.value)") }
      return (operation.time, operation.process, words.filter { !$0.isEmpty }.joined(separator: " "))
    }
  }
}
