import Boundary
import Exploring
import Foundation
import Reporting
import Runs

/// Follows the noted orders of a live run's violations in a simulation: an order that shows one again becomes a schedule.
struct LiveSchedules: Sendable {
  /// Cells of one strategy with orders that are tried for one kind of violation.
  private static let triedMax = 3
  /// For making a schedule smaller.
  private static let shrinkSeconds = 20.0

  /// The assignments that override the scenarios' files.
  let assignments: [String]
  let isQuick: Bool
  let interruption: Interruption

  /// The cells and the kind of violation behind an order.
  private struct Subject: Hashable {
    let scenario: String
    let strategy: String
    let options: String
    let kind: String

    var text: String { "\(scenario), \(strategy)\(options.isEmpty ? "" : " (\(options))"): \(kind)" }
    var fileName: String { "\(scenario.replacing("/", with: "-"))-\(strategy)-\(kind)" }
  }

  /// The result of following an order.
  private enum End {
    case shown(Schedule)
    case insufficient(String)
  }

  /// Says of each kind of violation of each strategy whether an order shows it again, a line for each, and saves the schedules of
  /// those that do.
  func text(of report: RunReport) async throws -> String {
    guard !report.isInterrupted else { return "" }
    let simulations = try Simulations(executable: Executable.path, interruption: interruption)
    defer { simulations.cleanUp() }
    var lines: [String] = []
    var shown: Set<Subject> = []
    var failed: [(subject: Subject, reasons: [String], command: String)] = []
    for record in report.records {
      for kind in Self.kinds(record) {
        let key = record.row.key
        let subject = Subject(scenario: key.scenario, strategy: key.strategy, options: key.options, kind: kind)
        let place = failed.firstIndex { $0.subject == subject }
        let tried = place.map { failed[$0].reasons.count } ?? 0
        guard !shown.contains(subject), tried < Self.triedMax else { continue }
        switch try await follow(record, kind, in: report.folder, simulations) {
        case .shown(let schedule):
          let file = try ScheduleFolder(in: report.folder).save(schedule, named: subject.fileName)
          shown.insert(subject)
          failed.removeAll { $0.subject == subject }
          lines.append(
            "\(subject.text): the order of cell \(key.cell) shows it in a simulation, \(schedule.preemptions) preemptions in "
              + "\(schedule.segments.count) segments; to reproduce: \(Program.current.name) replay \(file)")
        case .insufficient(let reason):
          let text = "cell \(key.cell): \(reason)"
          if let place { failed[place].reasons.append(text) } else { failed.append((subject, [text], explore(record))) }
        }
      }
    }
    lines += failed.map { subject, reasons, command in
      "\(subject.text): the order alone does not show it in a simulation (\(reasons.joined(separator: "; "))); to search for one "
        + "that does: \(command)"
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func kinds(_ record: CellRecord) -> [String] {
    Set(record.outcome.findings.map(\.violation).filter { $0.severity == .error }.map(\.kind.rawValue)).sorted()
  }

  private func cell(_ record: CellRecord) -> ExploredCell {
    let planned = record.cell
    let variants = planned.scenario.variants.filter { $0.strategy == planned.variant.strategy }
    guard let variant = variants.firstIndex(of: planned.variant) else {
      preconditionFailure("a cell has a set of options of its scenario")
    }
    return ExploredCell(
      scenario: planned.scenario.path, assignments: assignments, isQuick: isQuick, strategy: planned.variant.strategy,
      variant: variant, seed: planned.seed)
  }

  private func explore(_ record: CellRecord) -> String {
    let cell = cell(record)
    return ShellWord.line(
      [Program.current.name, "explore", cell.scenario, "--strategy", cell.strategy]
        + assignments.flatMap { ["--set", $0] })
  }

  private func follow(
    _ record: CellRecord, _ kind: String, in folder: String, _ simulations: Simulations
  ) async throws -> End {
    if ExploredScenario.timedChecks.contains(kind) {
      return .insufficient("it is about how long things take, which a simulation does not know")
    }
    guard let order = NotedOrder(in: "\(folder)/histories/\(record.cell.number)") else {
      return .insufficient("its process ended before its order was written")
    }
    if order.isCut { return .insufficient("it has too many steps to be noted; choose smaller sizes") }
    let request = SimulationRequest(cell: cell(record), choosing: .noted(order.segments), directory: "")
    let finding: SimulationFinding?
    do {
      guard case .reported(let report) = try await simulations.run(request) else {
        return .insufficient("the process that followed its order broke")
      }
      finding = report.findings.first
    } catch let failure as HarnessFailure {
      return .insufficient(failure.description)
    }
    guard let finding, finding.kinds.contains(kind) else {
      return .insufficient(
        finding?.divergence.map { "step \($0.segment + 1) of \(order.segments.count) does not fit: \($0.reason)" }
          ?? "its order fits, and it does not happen: it depends on more than the order of these steps")
    }
    guard finding.isVerified else {
      return .insufficient("it happens in its order, but not in the schedule made of that")
    }
    let schedule = Schedule(
      cell: cell(record), policy: finding.policy, seed: record.cell.seed, kinds: [kind],
      revision: SourceRevision.find(from: Executable.path), segments: finding.segments)
    return .shown(
      try await Shrinker(simulations, Executable.loader, seconds: Self.shrinkSeconds).shrink(schedule))
  }
}
