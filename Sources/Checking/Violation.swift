/// One thing that went wrong: the expected state, the observed one, and the place.
///
/// Violations of one kind and subject within a cell are one value with a `count`.
public struct Violation: Codable, Sendable, Hashable {
  /// The kind of violation.
  public var kind: ViolationKind
  /// Whether it fails the run.
  public var severity: Severity
  /// The subject: entity, key, context, thread; stable over repetitions, so that violations can be grouped.
  public var subject: String
  /// The expected state.
  public var expected: String
  /// The observed state.
  public var seen: String
  /// How often it was seen in this cell; at least 1.
  public var count: Int
  /// Position in the cell's history of the first sight, from 0; nil where no history position applies.
  public var firstStep: Int?

  /// Makes a violation seen `count` times.
  public init(
    kind: ViolationKind, severity: Severity = .error, subject: String, expected: String, seen: String, count: Int = 1,
    firstStep: Int? = nil
  ) {
    precondition(count > 0, "a violation was seen once at least")
    precondition(firstStep.map { $0 >= 0 } ?? true, "steps of a history count from 0")
    self.kind = kind
    self.severity = severity
    self.subject = subject
    self.expected = expected
    self.seen = seen
    self.count = count
    self.firstStep = firstStep
  }
}
