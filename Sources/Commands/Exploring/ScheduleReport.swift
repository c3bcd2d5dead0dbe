import Boundary
import Exploring
import Foundation
import Reporting
import Runs

/// Runs a schedule and shows its steps.
struct ScheduleReport {
  private let simulations: Simulations

  init(_ simulations: Simulations) { self.simulations = simulations }

  /// Columns where no terminal says how many there are.
  private static let documentWidth = 128
  /// On a narrower terminal, lines are wrapped by it.
  private static let widthMin = 20

  /// An interleaving of more steps is too long to read, and searching it for its critical pair takes long.
  private static let shownStepsMax = 400

  /// Runs it once; nil where the process broke or was interrupted.
  func run(_ schedule: Schedule) async throws -> SimulationFinding? {
    let request = SimulationRequest(
      cell: schedule.cell, choosing: .script(schedule.segments), wantsSteps: true, directory: "")
    guard case .reported(let report) = try await simulations.run(request) else { return nil }
    return report.findings.first
  }

  /// A schedule's interleaving, with the deciding steps.
  struct Shown {
    let finding: SimulationFinding
    /// Nil where there are too many steps to be shown.
    let table: InterleavingTable?
    let note: String?
  }

  /// Runs it, and looks for its critical pair; nil where the process broke or was interrupted.
  func look(at schedule: Schedule) async throws -> Shown? {
    guard let finding = try await run(schedule) else { return nil }
    guard finding.steps.count <= Self.shownStepsMax else {
      let note =
        "\(finding.steps.count) steps are too many to be shown; \(Program.current.name) shrink makes them fewer"
      return Shown(finding: finding, table: nil, note: note)
    }
    let pair = try await CriticalPairSearch(simulations).find(in: schedule, finding.steps)
    precondition((pair?.places.count ?? 2) == 2, "a pair has two places")
    let table = InterleavingTable(
      finding.steps, critical: pair.map { ($0.places[0], $0.places[1]) },
      seen: finding.violations.compactMap(\.violation.firstStep).max())
    let note = pair.map {
      "critical pair: ① \($0.first.task): \($0.first.point) before ② \($0.second.task): \($0.second.point); "
        + "in the other order it does not happen"
    }
    return Shown(finding: finding, table: table, note: note)
  }

  /// Runs it, and prints the interleaving with its critical pair.
  ///
  /// - Parameter linesMax: of the interleaving.
  @discardableResult
  func show(
    _ schedule: Schedule, indent: String = "", linesMax: Int = .max
  ) async throws -> SimulationFinding? {
    guard let shown = try await look(at: schedule) else { return nil }
    precondition(linesMax > 0, "a table has a line")
    let columns = Terminal.isInteractive(STDOUT_FILENO) ? Terminal.width(STDOUT_FILENO) : Self.documentWidth
    let width = max(Self.widthMin, columns - indent.count)
    let lines = shown.table?.text(width: width, linesMax: linesMax).split(separator: "\n") ?? []
    for line in lines { print(indent + line) }
    if let note = shown.note { print(indent + note) }
    return shown.finding
  }
}
