import ArgumentParser
import HarnessKit

/// The exit codes; `contextbench --help` says what they mean.
enum ExitStatus: Int32 {
  case passed = 0
  case violation = 1
  case inconclusive = 2
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

  /// As the error that ends a command.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
