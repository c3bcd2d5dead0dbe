import Checking

/// A table of results as they were read: one row per strategy and set of options, medians over the repetitions.
package struct GroupTable {
  private let results: ExportedResults

  package init(_ results: ExportedResults) { self.results = results }

  /// The table, then why cells did not pass.
  ///
  /// - Parameter width: columns of the terminal, which the table fits; nil = as many as it takes.
  package func text(colour: Bool, width: Int? = nil) -> String {
    var table = TextTable(
      columns: [.left("scenario/strategy"), .right("cells", dropped: 4)] + SummaryColumn.brief.map(\.column)
        + [.left("verdict")])
    for group in CellGroup.groups(of: results) where !group.cells.isEmpty { table.append(line(group)) }
    var reasons: [String] = []
    for row in results.cells {
      guard row.ending != .passed, let reason = row.reason else { continue }
      let text = "not passed: \(row.key.scenario), \(row.key.strategy): \(reason)\n"
      if !reasons.contains(text) { reasons.append(text) }
    }
    let shown = reasons.prefix(Self.reasonsMax)
    let rest = reasons.count > shown.count ? ["and \(reasons.count - shown.count) more: see cells.csv\n"] : []
    return table.rendered(colour: colour, width: width) + (reasons.isEmpty ? "" : "\n") + shown.joined() + rest.joined()
  }

  private static let reasonsMax = 20

  private func line(_ group: CellGroup) -> [TextTable.Cell] {
    [TextTable.Cell(group.name), TextTable.Cell(String(group.cells.count))]
      + SummaryColumn.brief.map { TextTable.Cell($0.text(group.cells)) } + [verdict(group)]
  }

  private func verdict(_ group: CellGroup) -> TextTable.Cell {
    guard let verdict = JudgedVerdict(group.cells.map { ($0.verdict, $0.ending) }) else {
      return TextTable.Cell(HumanReadable.notMeasured)
    }
    return TextTable.Cell(verdict.text, verdict.emphasis)
  }
}
