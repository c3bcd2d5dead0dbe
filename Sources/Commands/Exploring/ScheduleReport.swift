import Boundary
import Foundation
import Reporting
import Runs

/// Runs a schedule and shows what it does.
struct ScheduleReport {
  private let simulations: Simulations

  init(_ simulations: Simulations) { self.simulations = simulations }

  /// Columns where no terminal says how many there are.
  private static let documentWidth = 128

  /// An interleaving of more steps is too long to read, and searching it for its critical pair takes long.
  private static let shownStepsMax = 400

  /// Runs it once; nil where the process broke or was interrupted.
  func run(_ schedule: Schedule) async throws -> SimulationFinding? {
    let request = SimulationRequest(
      cell: schedule.cell, choosing: .script(schedule.segments), wantsSteps: true, directory: "")
    guard case .reported(let report) = try await simulations.run(request) else { return nil }
    return report.findings.first
  }

  /// Runs it, and prints the interleaving with its critical pair.
  @discardableResult
  func show(_ schedule: Schedule, indent: String = "") async throws -> SimulationFinding? {
    guard let finding = try await run(schedule) else { return nil }
    guard finding.steps.count <= Self.shownStepsMax else {
      print(
        "\(indent)\(finding.steps.count) steps are too many to be shown; \(Program.current.name) shrink makes them fewer"
      )
      return finding
    }
    let pair = try await CriticalPairSearch(simulations).find(in: schedule, finding.steps)
    let table = InterleavingTable(finding.steps, critical: pair.map { ($0.places[0], $0.places[1]) })
    let width = Terminal.isInteractive(STDOUT_FILENO) ? Terminal.width(STDOUT_FILENO) : Self.documentWidth
    for line in table.text(width: width - indent.count).split(separator: "\n") { print(indent + line) }
    if let pair {
      print(
        "\(indent)critical pair: ① \(pair.first.task): \(pair.first.point) before ② \(pair.second.task): "
          + "\(pair.second.point); in the other order it does not happen")
    }
    return finding
  }
}
