/// Collects the findings of one checker into one violation for each subject.
struct ViolationTally {
  private let kind: ViolationKind
  private let severity: Severity
  private let expected: String
  private var found: [String: Violation] = [:]

  init(kind: ViolationKind, severity: Severity = .error, expected: String) {
    self.kind = kind
    self.severity = severity
    self.expected = expected
  }

  /// Adds one; only the first of each subject keeps its observed state.
  mutating func add(subject: String, step: Int, count: Int = 1, seen: @autoclosure () -> String) {
    precondition(step >= 0 && count > 0, "a finding has a step, and is one at least")
    if found[subject] != nil {
      found[subject]?.count += count
    } else {
      found[subject] = Violation(
        kind: kind, severity: severity, subject: subject, expected: expected, seen: seen(), count: count,
        firstStep: step)
    }
  }

  /// The violations in the order of their first steps.
  var violations: [Violation] {
    found.values.sorted { ($0.firstStep ?? 0, $0.subject) < ($1.firstStep ?? 0, $1.subject) }
  }
}
