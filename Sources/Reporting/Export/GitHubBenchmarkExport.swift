/// The custom input of github-action-benchmark, for `tool: customSmallerIsBetter`.
///
/// - SeeAlso: benchmark-action/github-action-benchmark, README, "Custom benchmarks".
package enum GitHubBenchmarkExport: ExportFormat {
  package static let name = "github-benchmark"
  package static let summary = "github-action-benchmark, tool customSmallerIsBetter"
  package static let showsComparison = false

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var entries: [JSONValue] = []
    for group in CellGroup.groups(of: results) {
      for measure in Measure.tracked {
        guard let spread = measure.spread(group.cells) else { continue }
        entries.append(
          entry("\(group.name): \(measure.name)", measure.unit ?? "×", spread, extra: measure.meaning))
      }
      for (operation, rows) in LatencyMeasure.operations(of: group) {
        for percentile in LatencyMeasure.percentiles where percentile.percent == "50" || percentile.percent == "99" {
          guard let spread = Spread(rows.compactMap(percentile.nanoseconds)) else { continue }
          entries.append(
            entry("\(group.name)/\(operation.name): \(percentile.column)", "ns", spread, extra: "of each cell"))
        }
      }
    }
    return try JSONValue.document(entries, path: results.results.path)
  }

  private static func entry(_ name: String, _ unit: String, _ spread: Spread, extra: String) -> JSONValue {
    var entry: [String: JSONValue] = [
      "name": .text(name), "unit": .text(unit), "value": .number(spread.median),
      "extra": .text("median of \(spread.count) cells; \(extra)"),
    ]
    if spread.count > 1 { entry["range"] = .text("\(spread.least) to \(spread.greatest)") }
    return .object(entry)
  }
}
