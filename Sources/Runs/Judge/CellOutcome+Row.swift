import Checking
import Reporting

extension CellOutcome {
  /// What the rows of a cell that was judged earlier say of it; its checks are not known any more.
  init(row: CellRow, violations: [ViolationRow]) {
    verdict = row.verdict
    ending = row.ending
    findings = violations.map { Finding(violation: $0.violation, isExpected: $0.isExpected) }
    results = []
    reasons = row.reason.map { [$0] } ?? []
  }
}
