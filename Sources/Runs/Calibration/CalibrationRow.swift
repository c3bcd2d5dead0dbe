import Reporting

/// A row of `calibration.csv`: one comparison of an A/A pair, or of a slowed pair.
package struct CalibrationRow: Sendable, Hashable {
  /// How two things are compared.
  package enum Method: String, Sendable {
    /// Side by side, as `run --against` does.
    case beside
    /// As runs, as `compare` does: the baseline of a pair, and those of the pairs before it.
    case apart
  }

  package var run: String
  /// Number of the pair, from 0.
  package var pair: Int
  /// How it was compared.
  package var method: Method
  /// Share of the whole cost by which the candidate was slowed; nil for A/A pairs.
  package var share: Double?
  /// Seed of the pair's first repetition.
  package var seed: UInt64
  package var scenario: String
  /// Empty for all strategies together.
  package var strategy: String
  package var column: String
  /// The column's role in the verdict: primary, threshold or secondary.
  package var role: String
  /// Whether so few cells could show any difference.
  package var canShow: Bool
  package var cells: Int
  package var ratio: Double?
  package var low: Double?
  package var high: Double?
  package var p: Double?
  package var noise: Double?
  package var verdict: ComparisonRow.Verdict

  /// Makes the row of a comparison.
  init(
    run: String, pair: Int, method: Method, share: Double?, seed: UInt64, _ row: ComparisonRow
  ) {
    self.run = run
    self.pair = pair
    self.method = method
    precondition(share == nil || method == .beside, "only what ran side by side was slowed")
    precondition(pair >= 0 && !run.isEmpty, "a comparison is that of a pair, counted from 0, of a run")
    self.share = share
    self.seed = seed
    scenario = row.subject.scenario
    strategy = row.subject.variant?.strategy ?? ""
    column = row.metric.column
    role = row.metric.role
    canShow = row.canShow
    cells = row.headCount
    ratio = row.estimate.ratio
    low = row.estimate.interval?.low
    high = row.estimate.interval?.high
    p = row.pWorse
    noise = row.noise
    verdict = row.verdict
  }

  private init() {
    run = ""
    pair = 0
    method = .beside
    seed = 0
    scenario = ""
    strategy = ""
    column = ""
    role = ""
    canShow = false
    cells = 0
    verdict = .inconclusive
  }

  /// A row into which the fields of a line are read.
  static let empty = CalibrationRow()

  /// Whether it could end a run with exit code 3.
  var couldAlarm: Bool { canShow && role != "secondary" }

  /// Whether it does.
  var alarms: Bool { verdict == .worse && role != "secondary" }

  /// Whether it says that something is better or worse.
  var showsDifference: Bool { verdict == .worse || verdict == .better }
}

extension Table where Row == CalibrationRow {
  /// `calibration.csv`.
  package static let calibration = Table(
    fileName: "calibration.csv", grain: "one row per comparison of a pair of runs, of a calibration",
    empty: { .empty },
    columns: [
      .schemaVersion,
      .text("run", "identifier of the run: its start and four random digits", \.run),
      .integer("pair", "number of the pair, from 0", \.pair),
      .text(
        "method", "beside: side by side; apart: the baseline of this pair and those of pairs before, as runs", \.method),
      .number("share", "how much slower the candidate was made, as a share of the whole; empty for A/A pairs", \.share),
      .unsigned("seed", "seed of the pair's first repetition", \.seed),
      .text("scenario", "name of the scenario", \.scenario),
      .text("strategy", "name of the strategy; empty for all together", \.strategy),
      .text("column", "column of cells.csv that was compared", \.column),
      .text("role", "what it decides: primary, threshold or secondary", \.role),
      .flag("can_show", "whether this many cells can show any difference at all", \.canShow),
      .integer(
        "cells", "cells on either side; for all strategies together, pairs (beside) or repetitions (apart)", \.cells),
      .number("ratio", "head / base, of the pairs (beside) or of the medians (apart)", \.ratio),
      .number("ratio_low", "lower end of the 95 % interval", \.low),
      .number("ratio_high", "upper end of the 95 % interval", \.high),
      .number("p", "one-sided probability that the ratio is no larger than 1 + the minimum effect", \.p),
      .number("noise", "relative difference that two runs of the same executable show", \.noise),
      .text("verdict", "worse, better, equivalent or inconclusive", \.verdict),
    ])
}
