import Exploring
import Foundation
import Reporting
import Runs

/// One line on standard error that shows how far a search is; nothing when it is not a terminal.
struct ExplorationProgress: Sendable {
  private let name: String
  private let isWatched: Bool

  init(_ cell: ExploredScenario) {
    name = "\(cell.cell.scenario.name), \(cell.cell.variant.strategy)"
    isWatched = Terminal.isInteractive(STDERR_FILENO) && Terminal.isInteractive(STDOUT_FILENO)
  }

  func show(_ exploration: Exploration) {
    guard isWatched else { return }
    let rate = exploration.seconds > 0 ? Int(Double(exploration.schedules) / exploration.seconds) : 0
    let text =
      "\(name): \(exploration.schedules) schedules, \(rate)/s a job, \(exploration.fingerprints.count) distinct, "
      + "\(exploration.decisions) decisions, \(exploration.pairs.count) pairs of steps"
    Self.write("\r\u{1B}[K" + text.prefix(max(20, Terminal.width(STDERR_FILENO) - 1)))
  }

  func clear() {
    if isWatched { Self.write("\r\u{1B}[K") }
  }

  private static func write(_ text: String) { StandardError.write(text, terminator: "") }
}
