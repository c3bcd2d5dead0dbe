import Foundation
import Measuring

extension Comparison {
  /// Every row with its probabilities, as CSV.
  package var csv: String { Self.table.header + planned().rows.map(Self.table.line).joined() }

  /// Writes the rows; `-` is standard output.
  ///
  /// - Throws: `ReportingError` when the file cannot be written.
  package func writeCSV(to file: String) throws(ReportingError) { try OutputFile.write(csv, to: file) }

  /// The columns; they are never read back.
  private static let table = Table<ComparisonRow>(
    fileName: "comparison.csv", grain: "one row per comparison",
    empty: { preconditionFailure("a comparison is made, not read") },
    columns: [
      .schemaVersion,
      .computed("scenario", "name of the scenario") { $0.subject.scenario },
      .computed("strategy", "name of the strategy; empty for all together") { $0.subject.variant?.strategy },
      .computed("options", "options of the strategy") { $0.subject.variant?.options },
      .computed("merge_policy", "merge policy of its contexts") { $0.subject.variant?.mergePolicy },
      .computed("column", "column of cells.csv that was compared") { $0.metric.column },
      .computed("role", "primary, threshold or secondary: the last decides nothing") { $0.metric.role },
      .computed("baseline_count", "values of the baseline") { $0.baseCount },
      .computed("candidate_count", "values of the candidate") { $0.headCount },
      .computed("baseline_median", "the median of its medians and those of its repeats; empty for all together") {
        $0.baseMedian
      },
      .computed("candidate_median", "its median; empty for all together") { $0.headMedian },
      .computed("ratio", "candidate / baseline") { $0.estimate.ratio },
      .computed("ratio_low", "lower end of the 95 % interval; empty below five values") { $0.estimate.interval?.low },
      .computed("ratio_high", "upper end of the 95 % interval") { $0.estimate.interval?.high },
      .computed("minimum_effect", "relative difference that counts") { $0.metric.effectMin },
      .computed("noise", "relative difference that 95 of 100 A/A comparisons stay within; empty where unknown") {
        $0.noise
      },
      .computed("p_worse", "one-sided probability that the ratio is no larger than 1 + minimum_effect; not corrected") {
        $0.pWorse
      },
      .computed("p_better", "one-sided probability that it is no smaller than 1 / (1 + minimum_effect)") { $0.pBetter },
      .computed("verdict", "worse, better, equivalent or inconclusive") { $0.verdict.rawValue },
      .computed("advisory_verdict", "the verdict if runs of one executable did not differ; empty where that is known") {
        $0.leaning?.rawValue
      },
      .computed("cells_needed", "cells on either side that would show twice the minimum effect in 4 of 5 cases") {
        if case .cells(let count) = $0.needed { count } else { nil }
      },
      .computed("runs_needed", "runs on either side that would") {
        if case .runs(let count) = $0.needed { count } else { nil }
      },
    ])
}

extension Column {
  /// A value that is made anew for every file.
  fileprivate static func computed<Value: ColumnScalar>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value?
  ) -> Self {
    Column(
      name: name, type: Value.columnType, unit: nil, meaning: meaning, value: { value($0)?.columnValue },
      reading: .derived)
  }
}
