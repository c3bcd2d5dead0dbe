import Checking

/// A row of `violations.csv`: one kind of violation of one subject in a cell.
package struct ViolationRow: Sendable, Hashable {
  package var key: CellKey
  package var violation: Violation
  /// Whether the scenario says that it must or may happen.
  package var isExpected: Bool
  /// Command that brings it back.
  package var replay: String

  /// Makes a row.
  package init(key: CellKey, violation: Violation, isExpected: Bool, replay: String) {
    self.key = key
    self.violation = violation
    self.isExpected = isExpected
    self.replay = replay
  }
}

extension Table where Row == ViolationRow {
  /// `violations.csv`.
  package static let violations = Table(
    fileName: "violations.csv", grain: "one row per cell, kind of violation and subject",
    empty: {
      ViolationRow(
        key: .empty, violation: Violation(kind: .crash, subject: "", expected: "", seen: ""), isExpected: false,
        replay: "")
    }, key: \.key,
    columns: [
      .text("kind", "kind of the violation", \.violation.kind),
      .text("subject", "what it happened to: entity, key, context, thread", \.violation.subject),
      .flag("expected", "whether the scenario says that it must or may happen", \.isExpected),
      .text("severity", "error, or warning, which does not change the exit code", \.violation.severity),
      .integer("count", "how often it was seen in the cell", \.violation.count),
      .integer("first_step", "position in the cell's history of the first occurrence, from 0", \.violation.firstStep),
      .text("wanted", "the expected state", \.violation.expected),
      .text("seen", "the observed state", \.violation.seen),
      .text("replay", "command that reproduces it", \.replay),
    ])
}
