import Checking

/// Violations of one kind in the cells of one scenario and strategy, as reports show them.
struct ViolationGroup {
  /// The first one seen.
  let first: ViolationRow
  /// Cells that show it.
  let cells: Int
  /// Cells of that scenario and strategy.
  let ofCells: Int

  private struct Identity: Hashable {
    let scenario: String
    let strategy: String
    let kind: ViolationKind
    let severity: Severity
    let isExpected: Bool
  }

  /// What needs attention first: unexpected errors, then warnings, then what was expected.
  static func groups(of results: ExportedResults) -> [ViolationGroup] {
    let rows = results.results.violations.sorted { $0.key.cell < $1.key.cell }
    let groups = Dictionary(grouping: rows) { row in
      Identity(
        scenario: row.key.scenario, strategy: row.key.strategy, kind: row.violation.kind,
        severity: row.violation.severity, isExpected: row.isExpected)
    }
    return groups.map { identity, rows in
      let all = Set(rows.map(\.key.cell)).union(
        results.cells.map(\.key).filter { $0.scenario == identity.scenario && $0.strategy == identity.strategy }
          .map(\.cell))
      return ViolationGroup(first: rows[0], cells: Set(rows.map(\.key.cell)).count, ofCells: all.count)
    }.sorted { ($0.rank, $0.first.key.cell, $0.kind) < ($1.rank, $1.first.key.cell, $1.kind) }
  }

  /// violation, warning or expected.
  var state: String {
    if first.violation.severity == .warning { return "warning" }
    return first.isExpected ? "expected" : "violation"
  }

  var kind: String { first.violation.kind.rawValue }

  private var rank: Int { ["violation", "warning", "expected"].firstIndex(of: state) ?? 0 }

  /// What was seen where, in one sentence.
  var sentence: String {
    let violation = first.violation
    return "\(kind) in \(cells) of \(ofCells) cells of \(first.key.scenario), \(first.key.strategy): "
      + (cells > 1 ? "in the first, " : "")
      + "\(violation.subject): expected \(violation.expected); \(violation.seen)"
  }
}
