extension Table where Row == ViolationRow {
  /// `violations.csv`.
  package static let violations = Table(
    fileName: "violations.csv", grain: "a row a cell, kind of violation and subject", key: \.key,
    columns: [
      .text("kind", "kind of the violation") { $0.violation.kind.rawValue },
      .text("subject", "what it happened to: entity, key, context, thread") { $0.violation.subject },
      .flag("expected", "whether the scenario says that it must or may happen") { $0.isExpected },
      .text("severity", "error, or warning, which does not change the exit code") { $0.violation.severity.rawValue },
      .integer("count", "how often it was seen in the cell") { $0.violation.count },
      .integer("first_step", "position in the cell's history of the first sight, from 0") { $0.violation.firstStep },
      .text("wanted", "what should have been") { $0.violation.expected },
      .text("seen", "what was") { $0.violation.seen },
      .text("replay", "command that brings it back") { $0.replay },
    ])
}
