import Measuring

/// One tidy CSV file: one row per group of cells and measure, with median and range over the repetitions.
package enum CSVExport: ExportFormat {
  package static let name = "csv"
  package static let summary = "one row per strategy and measure: median, least and greatest"

  private struct Row {
    let group: CellGroup
    let operation: String
    let measure: String
    let unit: String
    let spread: Spread
  }

  private static let columns: [(name: String, value: @Sendable (Row) -> String)] = [
    ("scenario", { $0.group.scenario }), ("strategy", { $0.group.strategy }), ("options", { $0.group.options }),
    ("merge_policy", { $0.group.mergePolicy }), ("operation", { $0.operation }), ("measure", { $0.measure }),
    ("unit", { $0.unit }), ("cells", { String($0.spread.count) }), ("median", { String($0.spread.median) }),
    ("least", { String($0.spread.least) }), ("greatest", { String($0.spread.greatest) }),
  ]

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var text = CSV.line(columns.map(\.name))
    for group in CellGroup.groups(of: results) {
      for row in rows(of: group) { text += CSV.line(columns.map { $0.value(row) }) }
    }
    return text
  }

  private static func rows(of group: CellGroup) -> [Row] {
    var rows: [Row] = []
    for measure in Measure.all {
      guard let spread = measure.spread(group.cells) else { continue }
      rows.append(
        Row(group: group, operation: "", measure: measure.name, unit: measure.unit ?? "", spread: spread))
    }
    precondition(Column<LatencySummary>.latencies[0].name.hasSuffix("_mean"), "percentiles come behind the mean")
    for (operation, timings) in operations(of: group) {
      for percentile in Column<LatencySummary>.latencies.dropFirst() {
        guard let spread = Spread(timings.compactMap { percentile.value($0.summary)?.number }) else { continue }
        rows.append(
          Row(group: group, operation: operation, measure: percentile.name, unit: "ns", spread: spread))
      }
    }
    return rows
  }

  /// The timings of a group by `phase operation (role)`, sorted by these.
  private static func operations(of group: CellGroup) -> [(operation: String, rows: [TimingRow])] {
    let rows = Dictionary(grouping: group.timings) { [$0.phase, $0.operation, $0.role] }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { key, rows in ("\(key[0]) \(key[1]) (\(key[2]))", rows) }
  }
}
