/// The exit codes of commands.
package enum ExitStatus: Int32, Codable, Sendable, CaseIterable {
  case passed = 0
  case violation = 1
  case inconclusive = 2
  case regression = 3
  case improvement = 4
  case baselineMissing = 5
  case harnessFailure = 6
  case usage = 64
  case interrupted = 130

  /// The status of this ending, or of an end by Ctrl-C.
  package init(_ ending: RunEnding, isInterrupted: Bool = false) {
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

  /// The more important of two: untrusted results before violations, and these before slowness.
  package func combined(with other: ExitStatus) -> ExitStatus {
    let order: [ExitStatus] = [
      .interrupted, .usage, .harnessFailure, .violation, .inconclusive, .baselineMissing, .regression, .improvement,
    ]
    precondition(order.count == Self.allCases.count - 1, "every status but passed has its place in the order")
    return order.first { $0 == self || $0 == other } ?? .passed
  }

  /// In a word or two.
  package var name: String {
    switch self {
    case .passed: "passed"
    case .violation: "violated"
    case .inconclusive: "inconclusive"
    case .regression: "regression"
    case .improvement: "improvement"
    case .baselineMissing: "baseline row missing"
    case .harnessFailure: "harness failed"
    case .usage: "wrong usage"
    case .interrupted: "interrupted"
    }
  }

  /// The meaning for a run or a comparison.
  package var meaning: String {
    switch self {
    case .passed: "all checks held and were exercised, or ended as the scenario expects"
    case .violation: "a violation that is not expected, or an expected one that did not happen"
    case .inconclusive: "a check checked nothing or was not made; a comparison is inconclusive"
    case .regression: "a comparison: something is worse than the base"
    case .improvement: "a comparison with --improvements: something is better, nothing worse"
    case .baselineMissing: "a comparison: a row of the base was not measured again"
    case .harnessFailure: "the harness failed: results not writable, a child cannot be started"
    case .usage: "wrong usage or a wrong scenario file; nothing was run"
    case .interrupted: "Ctrl-C; what had finished is in the results folder"
    }
  }
}
