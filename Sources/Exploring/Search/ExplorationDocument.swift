import Boundary
import Foundation
import Reporting
import Runs

/// The findings of an exploration, as values: `exploration.json`.
package struct ExplorationDocument: Codable, Sendable {
  /// Version of the document.
  package var version = 2
  package var policy: String
  package var seed: UInt64
  /// `i/n`; nil = all.
  package var shard: String?
  package var revision: String?
  package var cells: [Cell] = []

  /// A document without cells.
  package init(_ options: ExploreOptions, revision: String?) {
    policy =
      options.isReduced ? "reduced" : options.preemptions.map { "exhaustive, \($0) preemptions" } ?? options.policy
    seed = options.seed
    shard = options.shard.map { "\($0.index)/\($0.count)" }
    self.revision = revision
  }

  /// The document of a results folder; nil where there is none.
  package init?(in folder: String) {
    guard let data = FileManager.default.contents(atPath: folder + "/exploration.json"),
      let document = try? JSONDecoder().decode(ExplorationDocument.self, from: data)
    else { return nil }
    self = document
  }

  /// One cell.
  package struct Cell: Codable, Sendable {
    package var scenario: String
    package var cell: ExploredCell
    /// The options of its strategy, as a run's rows have them.
    package var options: String
    /// Whether it is one schedule of the file's own size.
    package var isWhole: Bool
    package var schedules: Int
    /// Names of the orders, as hexadecimal numbers; sorted.
    package var traces: [String]
    package var steps: Int
    package var decisions: Int
    package var seconds: Double
    package var isExhausted: Bool
    /// Whether it had more steps than it may have.
    package var isCut: Bool
    /// Schedules in which the cell gave up, and no check saw why.
    package var failures: Int
    /// The first of them, and why.
    package var failure: String?
    /// Kinds of violations that the scenario asks for or allows: in how many schedules each was seen.
    package var expected: [String: Int]
    /// Violations that the scenario asks for and no schedule showed.
    package var missing: [String]
    /// Checks that no schedule exercised.
    package var neverExercised: [String]
    /// Kinds that were found and that the scenario does not expect; sorted.
    package var unexpectedKinds: [String]
    /// The saved findings.
    package var findings: [Finding] = []
    /// Steps of two tasks on one resource that came one directly after the other.
    package var pairs: [[String]]

    /// Queues that were entered inside each other, the outer one first.
    package var lockOrders: [[String]]

    /// The findings of an exploration, before any of them is saved.
    package init(_ exploration: Exploration) {
      scenario = exploration.scenario.cell.scenario.name
      cell = exploration.scenario.explored
      options = exploration.scenario.cell.key(run: "").options
      isWhole = exploration.isWhole
      schedules = exploration.schedules
      traces = exploration.fingerprints.map { String($0, radix: 16) }.sorted()
      steps = exploration.steps
      decisions = exploration.decisions
      seconds = exploration.seconds
      isExhausted = exploration.isExhausted
      isCut = exploration.isCut
      failures = exploration.failures
      failure = exploration.failure
      expected = exploration.expected
      missing = exploration.missing
      neverExercised = exploration.neverExercised
      unexpectedKinds = exploration.unexpectedKinds.sorted()
      pairs = exploration.pairs.sorted { $0.lexicographicallyPrecedes($1) }
      lockOrders = exploration.lockOrders.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// One schedule that was saved.
  package struct Finding: Codable, Sendable {
    package var kinds: [String]
    package var unexpectedKinds: [String]
    package var number: Int
    package var policy: String
    package var seed: UInt64
    package var isVerified: Bool
    package var preemptions: Int
    /// Its file, in the folder; nil where the process broke.
    package var schedule: String?
    package var seen: String

    /// Whether it is the one to keep of two that show the same.
    func isBetter(than other: Finding) -> Bool {
      (isVerified ? 0 : 1, preemptions) < (other.isVerified ? 0 : 1, other.preemptions)
    }

    /// A schedule in which the process broke.
    package init(broken: FoundViolation) {
      kinds = [broken.violation.kind.rawValue]
      unexpectedKinds = broken.isExpected ? [] : kinds
      number = 0
      policy = ""
      seed = 0
      isVerified = false
      preemptions = 0
      seen = broken.violation.seen
    }

    /// A schedule that was saved in a file of the folder.
    package init(_ finding: SimulationFinding, _ schedule: Schedule, file: String, seen: String) {
      precondition(!file.isEmpty && !file.hasPrefix("/"), "a schedule has its place in the folder")
      kinds = finding.kinds
      unexpectedKinds = finding.unexpectedKinds
      number = finding.number
      policy = finding.policy
      seed = finding.seed
      isVerified = finding.isVerified
      preemptions = schedule.preemptions
      self.schedule = file
      self.seen = seen
    }
  }

  private static let columns = [
    "scenario", "strategy", "seed", "schedules", "distinct_traces", "steps", "decisions", "schedules_per_s",
    "exhausted",
    "expected_kinds", "unexpected_kinds", "missing", "never_exercised", "pairs", "lock_orders",
  ]

  /// A row for each cell, after that of the names.
  package var rows: [[String]] {
    let rows = cells.map { cell -> [String] in
      let rate = cell.seconds > 0 ? String((Double(cell.schedules) / cell.seconds).rounded()) : ""
      let sizes = [cell.schedules, cell.traces.count, cell.steps, cell.decisions].map { String($0) }
      let lists = [cell.expected.keys.sorted(), cell.unexpectedKinds, cell.missing, cell.neverExercised]
      return [cell.scenario, cell.cell.strategy, String(cell.cell.seed)] + sizes + [rate, String(cell.isExhausted)]
        + lists.map { $0.joined(separator: ";") } + [String(cell.pairs.count), String(cell.lockOrders.count)]
    }
    precondition(rows.allSatisfy { $0.count == Self.columns.count }, "a row has a value for each column")
    return [Self.columns] + rows
  }

  /// The same as CSV.
  package var csv: String { Self.text(rows) }

  /// A row for each pair of steps of each cell, and whether it came in the other order too.
  package var pairsCSV: String {
    let rows = cells.flatMap { cell -> [[String]] in
      let known = Set(cell.pairs)
      return cell.pairs.map { pair -> [String] in
        [cell.scenario, cell.cell.strategy] + pair + [known.contains(pair.reversed()) ? "both" : "one"]
      }
    }
    return Self.text([["scenario", "strategy", "first", "second", "orders"]] + rows)
  }

  private static func text(_ rows: [[String]]) -> String {
    rows.map { CSV.line($0) }.joined()
  }
}
