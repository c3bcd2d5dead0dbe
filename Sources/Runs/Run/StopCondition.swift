import Checking
import Reporting

/// A reason to end a run before its plan is through.
package enum StopCondition: Sendable, Hashable {
  /// A cell has a violation that its scenario does not expect; an allowed one ends nothing.
  case violation
  /// A cell shows this kind, expected or not.
  case kind(ViolationKind)

  func isMet(by outcome: CellOutcome) -> Bool {
    switch self {
    case .violation: outcome.ending == .violated
    case .kind(let kind): outcome.findings.contains { $0.violation.kind == kind }
    }
  }
}
