import Foundation
import HarnessKit
import Reporting

/// What a run is held against when it has ended.
struct BaselineGate: Sendable {
  private let base: Results
  private let options: ComparisonOptions
  private let failsOnImprovement: Bool

  /// Reads the baseline, and finds everything that would make a comparison impossible before anything is run.
  ///
  /// - Throws: `ReportingError`, `ScenarioProblems` or `ComparisonProblem`.
  init(_ path: String, _ comparing: ComparingOptions, scenarios: [Scenario]) throws {
    base = try Results(readingFrom: path)
    options = try comparing.options(scenarios: scenarios)
    failsOnImprovement = comparing.improvements
    _ = try Comparison(base: base, head: base, options: options)
  }

  /// The comparison's text and status.
  func judge(_ report: RunReport) -> (text: String, status: ExitStatus) {
    do {
      let comparison = try Comparison(base: base, head: Results(readingFrom: report.folder), options: options)
      let text = "compared with \(base.path)\n\n" + comparison.text(colour: Terminal.hasColour(STDOUT_FILENO))
      return (text, ExitStatus(comparison, failsOnImprovement: failsOnImprovement))
    } catch {
      return ("not compared with \(base.path): \(error)\n", .usage)
    }
  }
}
