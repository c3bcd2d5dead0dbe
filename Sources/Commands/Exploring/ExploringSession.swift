import Boundary
import Exploring
import Foundation
import Measuring
import Reporting
import Runs

/// A session of `explore`: cell after cell, with progress, findings and the summary.
struct ExploringSession: Sendable {
  /// A cell as it is searched, and as its file has it.
  struct Cell: Sendable {
    /// With the sizes of a search.
    let small: ExploredScenario
    /// With the file's own, in its quick section; nil where it is not run.
    let whole: ExploredScenario?
  }

  let cells: [Cell]
  let options: ExploreOptions
  let folder: String

  private var program: String { Program.current.name }

  func run() async throws -> ExitStatus {
    let interruption = try Interruption()
    let folder = try ExplorationFolder(self.folder)
    defer { folder.release() }
    let simulations = try Simulations(executable: Executable.path, interruption: interruption)
    defer { simulations.cleanUp() }
    let begin = MonotonicClock.now()
    var document = ExplorationDocument(options, revision: SourceRevision.find(from: Executable.path))
    var status = ExitStatus.passed
    // The strategy that showed a kind first: one interleaving is enough to read.
    var shown: [String: String] = [:]
    /// Shows, saves and counts the findings of a cell.
    func settle(_ exploration: Exploration, _ isInterrupted: Bool) async throws {
      var cell = ExplorationDocument.Cell(exploration)
      print(cell.sentence)
      cell.findings = try await report(exploration, in: folder, simulations, &shown)
      document.cells.append(cell)
      status = status.combined(with: isInterrupted ? .interrupted : cell.ending)
    }
    for (number, cell) in cells.enumerated() {
      let spent = Double(MonotonicClock.now() - begin) / 1e9
      let seconds = options.seconds.map { max(0, $0 - spent) / Double(cells.count - number) }
      let progress = ExplorationProgress(cell.small)
      let explorer = Explorer(simulations, options)
      var (exploration, isInterrupted) = try await explorer.explore(cell.small, seconds: seconds) { progress.show($0) }
      progress.clear()
      try await settle(exploration, isInterrupted)
      // Shards have the same cells, whichever of them finds something.
      let isRun = options.findsAll || options.shard != nil || exploration.unexpectedKinds.isEmpty
      if let whole = cell.whole, !isInterrupted, isRun {
        (exploration, isInterrupted) = try await explorer.runOnce(whole)
        try await settle(exploration, isInterrupted)
      }
      if isInterrupted { break }
    }
    try folder.write(document)
    print(folder.path)
    return status
  }

  // MARK: Findings

  /// Lines of an interleaving, so that all that is printed of one strategy are at most 40; replay shows all.
  private static let linesMax = 28

  /// Saves and shows the schedules that were found.
  private func report(
    _ exploration: Exploration, in folder: ExplorationFolder, _ simulations: Simulations,
    _ shown: inout [String: String]
  ) async throws -> [ExplorationDocument.Finding] {
    var result: [ExplorationDocument.Finding] = []
    for broken in exploration.broken {
      print("  \(broken.violation.kind.rawValue): \(broken.violation.subject): \(broken.violation.seen)")
      result.append(ExplorationDocument.Finding(broken: broken))
    }
    for finding in exploration.findings {
      result.append(try await report(finding, exploration, in: folder, simulations, &shown))
    }
    return result
  }

  private func report(
    _ finding: SimulationFinding, _ exploration: Exploration, in folder: ExplorationFolder, _ simulations: Simulations,
    _ shown: inout [String: String]
  ) async throws -> ExplorationDocument.Finding {
    // One kind, so that the smaller schedule need not show all kinds: the first that was reported.
    let candidates = finding.unexpectedKinds.isEmpty ? finding.kinds : finding.unexpectedKinds
    let wanted = finding.violations.map(\.violation.kind.rawValue).first(where: candidates.contains).map { [$0] } ?? []
    var schedule = Schedule(
      cell: exploration.scenario.explored, policy: finding.policy, seed: finding.seed, kinds: wanted,
      revision: SourceRevision.find(from: Executable.path), segments: finding.segments)
    let found = schedule
    if finding.isVerified, options.shrinkSeconds > 0 {
      schedule = try await Shrinker(simulations, Executable.loader, seconds: options.shrinkSeconds).shrink(schedule)
    }
    precondition(schedule.kinds == wanted, "a smaller schedule shows the same kind")
    let name =
      exploration.scenario.cell.scenario.name + "-" + schedule.cell.strategy + "-" + wanted.joined(separator: "-")
    let file = try folder.schedules.save(schedule, named: name)
    precondition(file.hasPrefix(folder.path + "/"), "a schedule is saved in the folder that names it")
    let violations = finding.violations.filter { wanted.contains($0.violation.kind.rawValue) }
    for violation in violations.prefix(3) {
      print("  \(violation.violation.kind.rawValue): \(violation.violation.subject): \(violation.violation.seen)")
    }
    let kinds = wanted.joined(separator: ", ")
    let order = "  schedule \(finding.number), \(finding.policy): \(Self.sizes(found, schedule))"
    if finding.isVerified, let first = shown[kinds] {
      print("  as in \(first); to reproduce: \(program) replay \(file)")
    } else if finding.isVerified {
      print(order)
      try await ScheduleReport(simulations).show(schedule, indent: "  ", linesMax: Self.linesMax)
      shown[kinds] = schedule.cell.strategy
      print("  to reproduce: \(program) replay \(file)")
      for kind in wanted { print("  what it means and what to do: \(program) explain \(kind)") }
    } else {
      print(order)
      let search = exploration.scenario.explored.searchCommand(by: program, options, schedules: finding.number + 1)
      print("  " + Self.doubt(finding))
      print("  to reproduce, by repetition: \(search)")
    }
    return ExplorationDocument.Finding(
      finding, schedule, file: String(file.dropFirst(folder.path.count + 1)),
      seen: violations.first?.violation.seen ?? "")
  }

  /// Why a finding may not come back.
  private static func doubt(_ finding: SimulationFinding) -> String {
    finding.isSameOrder
      ? "the same order did not show it again: it depends on more than the order, such as what earlier schedules left"
      : "the same seed gave another order the second time: this schedule may not come back"
  }

  private static func sizes(_ found: Schedule, _ shrunk: Schedule) -> String {
    let size = "\(found.preemptions) preemptions in \(found.segments.count) segments"
    guard (shrunk.preemptions, shrunk.segments.count) != (found.preemptions, found.segments.count) else { return size }
    return "\(size), shrunk to \(shrunk.preemptions) in \(shrunk.segments.count)"
  }
}
