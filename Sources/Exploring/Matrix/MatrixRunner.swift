import Boundary
import Checking
import Foundation
import Reporting
import Runs
import Scenarios

/// Explores scenarios with every merge policy and gathers the results of each strategy.
package struct MatrixRunner: Sendable {
  private let options: MatrixOptions
  private let loader: ScenarioLoader
  private let interruption: Interruption

  /// Makes a runner; nothing is written yet.
  package init(_ options: MatrixOptions, _ loader: ScenarioLoader, interruption: Interruption) {
    self.options = options
    self.loader = loader
    self.interruption = interruption
  }

  /// Explores everything, as many cells at once as there are processors: nothing is timed.
  ///
  /// - Throws: `HarnessFailure` when results cannot be written or children cannot be started.
  package func run() async throws -> MatrixReport {
    let run = RunName.make()
    let folder = options.run.out ?? "contextbench-results/" + run
    var whole = options.run
    whole.scenarios = options.parts.map(\.cell.cell.scenario)
    let (owner, table) = try whole.makeFolder(folder, of: .matrix, run: run, command: "matrix")
    defer { owner.release() }
    let simulations = try Simulations(executable: options.run.executable, interruption: interruption)
    defer { simulations.cleanUp() }
    let explorations = try await exploreAll(simulations)
    let witnesses = try await saveAll(firstFindings(explorations), in: folder, simulations)
    var report = MatrixReport(
      folder: folder, matrix: Matrix(strategies: options.strategies, mergePolicies: MatrixOptions.mergePolicies))
    precondition(explorations.count == options.parts.count, "each part was explored, or interrupted")
    for (part, exploration) in zip(options.parts, explorations) {
      guard let exploration else {
        report.isInterrupted = true
        continue
      }
      report.matrix.add(observation(part, exploration, witnesses))
      if let failure = exploration.failure {
        report.harnessFailures.append("\(Self.name(part)): gave up in \(exploration.failures) schedules: \(failure)")
      }
    }
    do {
      try table.append(report.matrix.entries.map(MatrixRow.init))
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
    return report
  }

  private static func name(_ part: MatrixOptions.Part) -> String {
    "\(part.cell.cell.scenario.name), \(part.cell.explored.strategy), \(part.mergePolicy)"
  }

  // MARK: Exploring

  /// The exploration of each part; nil of those that Ctrl-C left out.
  private func exploreAll(_ simulations: Simulations) async throws -> [Exploration?] {
    try await inParallel(options.parts, named: Self.name) { part in
      guard !interruption.isRequested else { return nil }
      let (exploration, isInterrupted) = try await Explorer(simulations, options.exploring)
        .explore(part.cell, seconds: nil) { _ in }
      return isInterrupted ? nil : exploration
    }
  }

  /// `body` of all items, as many at once as there are processors; the results, in the items' order.
  private func inParallel<Item: Sendable, Made: Sendable>(
    _ items: [Item], named name: (Item) -> String, _ body: @escaping @Sendable (Item) async throws -> Made
  ) async throws -> [Made] {
    var progress = ProgressBar(total: items.count)
    defer { progress.clear() }
    var made: [Int: Made] = [:]
    try await withThrowingTaskGroup(of: (Int, Made).self) { group in
      var waiting = items.indices.makeIterator()
      func addNext() {
        guard let number = waiting.next() else { return }
        group.addTask { (number, try await body(items[number])) }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { addNext() }
      while let (number, value) = try await group.next() {
        made[number] = value
        progress.update(done: made.count, label: name(items[number]))
        addNext()
      }
    }
    precondition(made.count == items.count, "each item has one result, at its place")
    return items.indices.compactMap { made[$0] }
  }

  // MARK: Witnesses

  /// The entry that a saved schedule is the witness of.
  private struct Subject: Hashable {
    let kind: ViolationKind
    let strategy: String
  }

  /// A finding that a witness is made of.
  private struct Found: Sendable {
    let subject: Subject
    let part: Int
    let finding: SimulationFinding
  }

  /// The first finding of each kind and strategy that comes back.
  private func firstFindings(_ explorations: [Exploration?]) -> [Found] {
    var seen: Set<Subject> = []
    var found: [Found] = []
    for (number, exploration) in explorations.enumerated() {
      for finding in exploration?.findings ?? [] where finding.isVerified {
        for kind in Self.kinds(finding) {
          let subject = Subject(kind: kind, strategy: options.parts[number].cell.explored.strategy)
          if seen.insert(subject).inserted { found.append(Found(subject: subject, part: number, finding: finding)) }
        }
      }
    }
    return found
  }

  private static func kinds(_ finding: SimulationFinding) -> [ViolationKind] {
    finding.kinds.compactMap(ViolationKind.init(rawValue:)).filter(Matrix.kinds.contains)
  }

  /// Makes each schedule smaller and saves it; the files.
  private func saveAll(
    _ found: [Found], in folder: String, _ simulations: Simulations
  ) async throws -> [Subject: (part: Int, file: String)] {
    guard !found.isEmpty else { return [:] }
    let schedules = try ScheduleFolder(in: folder)
    let smaller = try await inParallel(found, named: { Self.name(options.parts[$0.part]) }) { found in
      let schedule = Schedule(
        cell: options.parts[found.part].cell.explored, policy: found.finding.policy, seed: found.finding.seed,
        kinds: [found.subject.kind.rawValue], revision: nil, segments: found.finding.segments)
      return try await Shrinker(simulations, loader, seconds: options.shrinkSeconds).shrink(schedule)
    }
    var files: [Subject: (part: Int, file: String)] = [:]
    for (found, schedule) in zip(found, smaller) {
      let name = "\(found.subject.kind.rawValue)-\(found.subject.strategy)"
      files[found.subject] = (found.part, try schedules.save(schedule, named: name))
    }
    precondition(files.count == found.count, "each entry has a witness of its own")
    return files
  }

  private func observation(
    _ part: MatrixOptions.Part, _ exploration: Exploration, _ witnesses: [Subject: (part: Int, file: String)]
  ) -> MatrixObservation {
    let cell = part.cell
    let program = options.run.replay.program
    let search = cell.explored.searchCommand(by: program, options.exploring, schedules: options.schedules)
    var seen: [ViolationKind: MatrixEntry.Witness] = [:]
    for kind in exploration.findings.flatMap(Self.kinds) + exploration.broken.map(\.violation.kind) {
      let saved = witnesses[Subject(kind: kind, strategy: cell.explored.strategy)]
      let isItself = saved.map { options.parts[$0.part].cell.explored == cell.explored } ?? false
      let schedule = isItself ? saved?.file : nil
      seen[kind] = MatrixEntry.Witness(
        scenario: cell.cell.scenario.name, seed: cell.explored.seed,
        replay: schedule.map { ShellWord.line([program, "replay", $0]) } ?? search, schedule: schedule)
    }
    return MatrixObservation(
      strategy: cell.explored.strategy, mergePolicy: part.mergePolicy, schedules: exploration.schedules,
      exercised: exploration.exercised, seen: seen)
  }
}

/// A matrix, and how the search that it is made of ended.
package struct MatrixReport: Sendable {
  /// The results folder as it is shown.
  package let folder: String
  package internal(set) var matrix: Matrix
  /// Failures of the harness, in words.
  package internal(set) var harnessFailures: [String] = []
  /// Whether Ctrl-C ended it.
  package internal(set) var isInterrupted = false

  init(folder: String, matrix: Matrix) {
    self.folder = folder
    self.matrix = matrix
  }

  /// How it ended: violations of strategies are results, and no failure.
  package var ending: RunEnding { harnessFailures.isEmpty ? .passed : .harnessFailed }
}
