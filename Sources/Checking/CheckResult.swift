/// The result of one check of one cell.
package struct CheckResult: Sendable, Hashable {
  /// The check's name in scenario files.
  package var name: String
  /// Held, violated, not exercised, unknown.
  package var verdict: Verdict
  /// How many things there were to check.
  package var exercised: Int
  /// The violations, one value for each kind and subject.
  package var violations: [Violation]
  /// The reason for unknown, the missing evidence, or the counts behind `exercised`; may be empty.
  package var note: String

  /// A check that was made: violated with an error among its violations, else not exercised without anything to
  /// check, else held, warnings or none.
  package init(name: String, exercised: Int, violations: [Violation] = [], note: String = "") {
    precondition(exercised >= 0, "a check is exercised by a number of things")
    self.name = name
    verdict = Self.hasError(violations) ? .violated : exercised > 0 ? .held : .notExercised
    self.exercised = exercised
    self.violations = violations
    self.note = note
  }

  /// A check that could not be made, or not to its end; violations that were found nevertheless stay violations.
  package init(name: String, unknown reason: String, violations: [Violation] = []) {
    self.name = name
    precondition(!reason.isEmpty, "what is unknown has a reason")
    verdict = Self.hasError(violations) ? .violated : .unknown
    exercised = 0
    self.violations = violations
    note = reason
  }

  private static func hasError(_ violations: [Violation]) -> Bool { violations.contains { $0.severity == .error } }
}
