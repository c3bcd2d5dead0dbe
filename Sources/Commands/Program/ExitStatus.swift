import ArgumentParser
import Reporting
import Runs

/// The exit codes; `contextbench --help` says what they mean.
enum ExitStatus: Int32 {
  case passed = 0
  case violation = 1
  case inconclusive = 2
  case regression = 3
  case improvement = 4
  case baselineMissing = 5
  case harnessFailure = 6
  case usage = 64
  case interrupted = 130

  /// The status of a run that came to its end, or was ended by Ctrl-C.
  init(_ report: RunReport) { self.init(report.ending, isInterrupted: report.isInterrupted) }

  /// The status of what ended so, or was ended by Ctrl-C.
  init(_ ending: RunEnding, isInterrupted: Bool = false) {
    self =
      if isInterrupted {
        .interrupted
      } else {
        switch ending {
        case .passed: .passed
        case .inconclusive: .inconclusive
        case .violated: .violation
        case .harnessFailed: .harnessFailure
        }
      }
  }

  /// The status of a comparison; a row that was not measured again outweighs a regression, that what is inconclusive, and
  /// that an improvement.
  init(_ comparison: Comparison, failsOnImprovement: Bool) {
    self =
      if !comparison.missing.isEmpty {
        .baselineMissing
      } else if !comparison.regressions.isEmpty {
        .regression
      } else if comparison.isInconclusive {
        .inconclusive
      } else if failsOnImprovement, !comparison.improvements.isEmpty {
        .improvement
      } else {
        .passed
      }
  }

  /// The one to end with, of several: what cannot be trusted comes before what is wrong, and that before what is slow.
  func combined(with other: ExitStatus) -> ExitStatus {
    let order: [ExitStatus] = [
      .interrupted, .usage, .harnessFailure, .violation, .inconclusive, .baselineMissing, .regression, .improvement,
    ]
    return order.first { $0 == self || $0 == other } ?? .passed
  }

  /// As the error that ends a command.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
