/// Bencher Metric Format: benchmark → measure → value with its range.
///
/// - SeeAlso: Bencher, "Bencher Metric Format (BMF)".
package enum BencherExport: ExportFormat {
  package static let name = "bencher"
  package static let summary = "Bencher Metric Format, for bencher run --adapter json"
  package static let showsComparison = false

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var benchmarks: [String: JSONValue] = [:]
    for group in CellGroup.groups(of: results) {
      var measures: [String: JSONValue] = [:]
      for measure in Measure.tracked {
        guard let spread = measure.spread(group.cells) else { continue }
        measures[measure.name] = metric(spread)
      }
      if !measures.isEmpty { benchmarks[group.name] = .object(measures) }
      for (operation, rows) in LatencyMeasure.operations(of: group) {
        var latencies: [String: JSONValue] = [:]
        for percentile in LatencyMeasure.percentiles {
          guard let spread = Spread(rows.compactMap(percentile.nanoseconds)) else { continue }
          latencies[percentile.column] = metric(spread)
        }
        if !latencies.isEmpty { benchmarks["\(group.name)/\(operation.name)"] = .object(latencies) }
      }
    }
    return try JSONValue.document(JSONValue.object(benchmarks), path: results.results.path)
  }

  private static func metric(_ spread: Spread) -> JSONValue {
    [
      "value": .number(spread.median), "lower_value": .number(spread.least), "upper_value": .number(spread.greatest),
    ]
  }
}
