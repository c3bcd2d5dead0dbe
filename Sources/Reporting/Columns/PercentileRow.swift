import Foundation
import Measuring

/// A row of `percentiles.csv`: the latencies of one operation in all cells of one scenario and strategy together.
///
/// A percentile of the whole needs the whole: percentiles of cells cannot be averaged. These are of the histograms of all
/// cells, added up.
package struct PercentileRow: Sendable, Hashable {
  /// Identifier of the run, where all cells are of one; empty of merged runs.
  package var run: String
  package var scenario: String
  package var strategy: String
  package var options: String
  package var mergePolicy: String
  package var phase: String
  package var operation: String
  package var role: String
  /// Cells with histograms that were added up.
  package var cells: Int
  package var summary: LatencySummary
  /// The start of the latencies: `begin` or `intended`.
  package var latencyFrom: String

  /// A row into which the fields of a line are read.
  static let empty = PercentileRow(
    run: "", scenario: "", strategy: "", options: "", mergePolicy: "", phase: "", operation: "", role: "", cells: 0,
    summary: LatencySummary(count: 0), latencyFrom: "begin")
}

extension Table where Row == PercentileRow {
  /// `percentiles.csv`.
  package static let percentiles = Table(
    fileName: "percentiles.csv",
    grain: "one row per scenario, strategy, options, operation and kind of thread: latencies of all cells together",
    empty: { .empty },
    columns: counts + Column<LatencySummary>.latencies.map { $0.inside(\.summary) } + [latencyFrom])

  private static let counts: [Column<PercentileRow>] = [
    .schemaVersion,
    .text("run", "identifier of the run; empty of several that were merged", \.run),
    .text("scenario", "name of the scenario: its file's stem", \.scenario),
    .text("strategy", "name of the strategy", \.strategy),
    .text("options", "the strategy's options: key=value, joined by ;", \.options),
    .text("merge_policy", "merge policy of the strategy's contexts", \.mergePolicy),
    .text("phase", "phase of the workload", \.phase),
    .text("operation", "what was done; stall = how late main was for a tick of the heartbeat", \.operation),
    .text("role", "kind of thread that did it: main or worker", \.role),
    .integer("cells", "cells whose histograms were added up", \.cells),
    .unsigned("count", "operations that succeeded in these cells; the latencies are theirs", \.summary.count),
    .unsigned("failed", "operations that failed", \.summary.failed),
  ]

  private static let latencyFrom: Column<PercentileRow> = .text(
    "latency_from", "what latencies are counted from: begin of the operation, or intended, the instant it was due",
    \.latencyFrom)
}
