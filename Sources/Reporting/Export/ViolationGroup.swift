import Checking

/// Violations of one kind in the cells of one scenario and strategy, as reports show them.
package struct ViolationGroup: Sendable {
  /// Its violations, in the order in which they were given; at least one.
  package private(set) var rows: [ViolationRow]
  /// Cells of that scenario and strategy. Cells that only warmed up may be violated, and have no row of their own.
  package let ofCells: Int

  /// The first one.
  package var first: ViolationRow { rows[0] }

  /// Cells that show it.
  package var cells: Int { Set(rows.map(\.key.cell)).count }

  private struct Place: Hashable {
    let scenario: String
    let strategy: String

    init(_ key: CellKey) { (scenario, strategy) = (key.scenario, key.strategy) }
  }

  private struct Identity: Hashable {
    let place: Place
    let kind: ViolationKind
    let severity: Severity
    let isExpected: Bool
  }

  /// The groups, in the order of their first violations.
  ///
  /// - Complexity: O(*n* + *m*) for *n* cells and *m* violations.
  package static func groups(_ violations: [ViolationRow], of cells: [CellKey]) -> [ViolationGroup] {
    var numbers: [Place: Set<Int>] = [:]
    for key in cells + violations.map(\.key) { numbers[Place(key), default: []].insert(key.cell) }
    var groups: [ViolationGroup] = []
    var positions: [Identity: Int] = [:]
    for row in violations {
      let place = Place(row.key)
      let identity = Identity(
        place: place, kind: row.violation.kind, severity: row.violation.severity, isExpected: row.isExpected)
      if let position = positions[identity] {
        groups[position].rows.append(row)
      } else {
        positions[identity] = groups.count
        groups.append(ViolationGroup(rows: [row], ofCells: numbers[place]?.count ?? 0))
      }
    }
    precondition(groups.reduce(0) { $0 + $1.rows.count } == violations.count, "each violation is in one group")
    return groups
  }

  /// The groups by urgency: unexpected errors, then warnings, then expected violations.
  static func groups(of results: ExportedResults) -> [ViolationGroup] {
    groups(results.results.violations.sorted { $0.key.cell < $1.key.cell }, of: results.cells.map(\.key))
      .sorted { ($0.rank, $0.first.key.cell, $0.kind) < ($1.rank, $1.first.key.cell, $1.kind) }
  }

  /// violation, warning or expected.
  package var state: String {
    if first.violation.severity == .warning { return "warning" }
    return first.isExpected ? "expected" : "violation"
  }

  var kind: String { first.violation.kind.rawValue }

  private var rank: Int { ["violation", "warning", "expected"].firstIndex(of: state) ?? 0 }

  /// The violation and its place, in one sentence.
  var sentence: String {
    let violation = first.violation
    precondition(cells <= ofCells, "no more cells show a violation than there are")
    return "\(kind) in \(cells) of \(ofCells) cells of \(first.key.scenario), \(first.key.strategy): "
      + (cells > 1 ? "in the first, " : "")
      + "\(violation.subject): expected \(violation.expected); \(violation.seen)"
  }
}
