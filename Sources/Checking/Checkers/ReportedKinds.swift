/// Judges the live reports of some kinds, and a counter that says whether there was anything to report.
struct ReportedKinds {
  let name: String
  let kinds: Set<ViolationKind>
  let counter: @Sendable (CheckCounters) -> Int
  /// What the counter counts, in the plural.
  let counted: String

  func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let reports = try evidence.reports.get().filter { kinds.contains($0.kind) }
    var order: [Key] = []
    var grouped: [Key: Violation] = [:]
    for report in reports {
      let key = Key(kind: report.kind, severity: report.severity, subject: report.subject)
      if grouped[key] == nil {
        order.append(key)
        grouped[key] = report
      } else {
        grouped[key]?.count += report.count
      }
    }
    let violations = order.compactMap { grouped[$0] }
    guard let counters = evidence.parameters.counters else {
      return CheckResult(name: name, unknown: "the cell left no counters", violations: violations)
    }
    let exercised = counter(counters)
    return CheckResult(name: name, exercised: exercised, violations: violations, note: "\(exercised) \(counted)")
  }

  private struct Key: Hashable {
    var kind: ViolationKind
    var severity: Severity
    var subject: String
  }
}
