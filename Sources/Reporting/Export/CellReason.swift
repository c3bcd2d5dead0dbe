import Foundation

/// Why cells of a scenario and strategy did not pass, besides the violations that they showed: an expected one that did not happen,
/// a check that had nothing to check or is unknown, a harness that failed.
struct CellReason: Sendable, Hashable {
  let scenario: String
  let strategy: String
  /// One sentence.
  let text: String
  let ending: RunEnding
  /// Cells that give it.
  private(set) var cells = 1

  /// Its subject, in a few words: `stale-read: did not happen`.
  var title: String {
    if let match = text.firstMatch(
      of: /^expected (.+?)(?: with \u{201C}.*\u{201D})?(?: at least .*)?, and it did not happen$/)
    {
      return "\(match.1): expected, and not seen"
    }
    if let match = text.firstMatch(of: /^(\S+) is unknown/) { return "\(match.1): unknown" }
    if let match = text.firstMatch(of: /^(\S+) was not exercised/) { return "\(match.1): not exercised" }
    return ending == .harnessFailed ? "harness failed" : ending.rawValue
  }

  /// Which cells, and why.
  var sentence: String { "\(scenario), \(strategy)\(cells > 1 ? ", \(cells) cells" : ""): \(text)" }

  /// The reasons of a run, in the order of its cells.
  static func all(_ cells: [CellRow], _ violations: [ViolationRow]) -> [CellReason] {
    let shown = Dictionary(grouping: violations.filter { $0.violation.severity == .error }) { $0.key.cell }
    var reasons: [CellReason] = []
    for row in cells.sorted(by: { $0.key.cell < $1.key.cell }) where row.ending != .passed {
      for text in texts(row, shown[row.key.cell] ?? []) {
        if let known = reasons.firstIndex(where: {
          $0.scenario == row.key.scenario && $0.strategy == row.key.strategy && $0.text == text
        }) {
          reasons[known].cells += 1
        } else {
          reasons.append(
            CellReason(scenario: row.key.scenario, strategy: row.key.strategy, text: text, ending: row.ending))
        }
      }
    }
    return reasons
  }

  /// A row has all its reasons in one text; those that are violations have rows of their own.
  private static func texts(_ row: CellRow, _ violations: [ViolationRow]) -> [String] {
    guard var rest = row.reason else { return violations.isEmpty ? [row.ending.rawValue] : [] }
    for violation in violations.map(\.violation) {
      rest = rest.replacing("\(violation.kind.rawValue): \(violation.subject): \(violation.seen)", with: "")
    }
    return rest.components(separatedBy: "; ").filter { $0.contains { $0.isLetter || $0.isNumber } }
  }
}
