extension OpenMetricsExport {
  /// The exit code, and each row of the comparison with its ratio, interval and verdict.
  static func outcomeFamilies(_ outcome: RunOutcome) -> [MetricFamily] {
    var code = MetricFamily("contextbench_exit_code", help: "what the run ended with: 0 when everything passed")
    code.add([], Double(outcome.exitCode.rawValue))
    guard let comparison = outcome.comparison else { return [code] }
    var ratio = MetricFamily("contextbench_comparison_ratio", help: "candidate / baseline")
    var low = MetricFamily("contextbench_comparison_ratio_low", help: "lower end of the ratio's 95 % interval")
    var high = MetricFamily("contextbench_comparison_ratio_high", help: "upper end of the ratio's 95 % interval")
    var verdicts = MetricFamily(
      "contextbench_comparison_verdict", help: "1 for the verdict of the row, 0 for the others")
    for row in comparison.rows {
      let labels = labels(row)
      ratio.add(labels, row.ratio)
      if let end = row.ratioLow { low.add(labels, end) }
      if let end = row.ratioHigh { high.add(labels, end) }
      for verdict in ["worse", "better", "equivalent", "inconclusive"] {
        verdicts.add(labels + [("verdict", verdict)], row.verdict == verdict ? 1 : 0)
      }
    }
    var missing = MetricFamily(
      "contextbench_comparison_missing", help: "rows of the baseline that were not measured again")
    missing.add([], Double(comparison.missing.count))
    return [code, ratio, low, high, verdicts, missing]
  }

  /// All strategies together have no strategy.
  private static func labels(_ row: ComparisonDocument.Row) -> [(String, String)] {
    [
      ("scenario", row.scenario), ("strategy", row.strategy ?? ""), ("options", row.options ?? ""),
      ("merge_policy", row.mergePolicy ?? ""), ("measure", row.column), ("role", row.role),
    ]
  }
}
