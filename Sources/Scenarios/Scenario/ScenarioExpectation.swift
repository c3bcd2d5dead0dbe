import Checking

/// The expectations for a passing run of a scenario: `expect:` of its file.
public struct ScenarioExpectation: Sendable, Hashable {
  /// One entry of `must`: one of these kinds, so often in every cell.
  public struct Must: Sendable, Hashable {
    /// One of these is enough.
    public var anyOf: [ViolationKind]
    /// How often it is seen in a cell at least.
    public var atLeast: Int
    /// A text of the violations that count; nil for any of the kinds.
    public var containing: String?

    /// Makes an entry.
    public init(anyOf: [ViolationKind], atLeast: Int = 1, containing: String? = nil) {
      precondition(atLeast > 0, "what has to be seen is seen at least once")
      self.anyOf = anyOf
      self.atLeast = atLeast
      self.containing = containing
    }

    /// Whether a violation counts: it is of one of the kinds, and its text, `subject: expected: seen`, has ``containing``.
    public func counts(_ violation: Violation) -> Bool {
      guard anyOf.contains(violation.kind) else { return false }
      guard let containing else { return true }
      return [violation.subject, violation.expected, violation.seen].joined(separator: ": ").contains(containing)
    }
  }

  /// Seen in every cell, or the file fails.
  public var must: [Must]
  /// May be seen.
  public var may: Set<ViolationKind>
  /// Names of checks that may have had nothing to check.
  public var notExercised: Set<String>

  /// Makes an expectation; the default allows nothing.
  public init(must: [Must] = [], may: Set<ViolationKind> = [], notExercised: Set<String> = []) {
    self.must = must
    self.may = may
    self.notExercised = notExercised
  }

  /// Whether a violation of this kind was expected.
  public func allows(_ kind: ViolationKind) -> Bool {
    may.contains(kind) || must.contains { $0.anyOf.contains(kind) }
  }

  /// This one with the additions of another one.
  package func adding(_ other: ScenarioExpectation) -> ScenarioExpectation {
    ScenarioExpectation(
      must: must + other.must, may: may.union(other.may), notExercised: notExercised.union(other.notExercised))
  }
}
