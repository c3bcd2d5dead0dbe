import Measuring

/// What a comparison says of one subject by one metric.
package struct ComparisonRow: Sendable, Hashable {
  /// What was shown.
  package enum Verdict: String, Sendable {
    /// Less than before: the difference is real and counts.
    case better
    /// More than before: the difference is real and counts.
    case worse
    /// Neither.
    case noDifference = "no difference shown"
    /// The samples are too small to show any difference, however large.
    case tooFewCells = "too few cells"
  }

  package var subject: ComparedSubject
  package var metric: ComparedMetric
  /// Cells of the base that have a value; for all strategies together, repetitions, and pairs side by side.
  package var baseCount: Int
  /// The same of the head.
  package var headCount: Int
  /// Median of the base; nil for all strategies together, which have none in common.
  package var baseMedian: Double?
  /// Median of the head.
  package var headMedian: Double?
  /// Head / base with its bootstrap interval; nil when a value is not above zero.
  package var interval: RatioInterval?
  /// Probability of so clear a difference between the same thing and itself, by Mann–Whitney's test, or of pairs by
  /// Wilcoxon's; not corrected.
  package var p: Double
  /// The smallest probability that so few cells can show.
  package var smallestP: Double
  /// Largest relative difference that two runs of the same thing show here: the A/A bound.
  package var noise: Double
  /// Whether the probability holds among all rows that were looked at.
  package var isSignificant = false
  package var verdict = Verdict.noDifference
  /// Repetitions from which on a difference can be shown among so many rows.
  package var countNeeded = 0

  /// Relative difference that must be exceeded: what counts, or what the same thing shows, whichever is larger.
  package var limit: Double { max(metric.effectMin, noise) }

  /// Whether the ratio lies beyond ``limit`` on either side, by as much in both directions: 1.05 and 1 / 1.05.
  package var exceedsLimit: Bool {
    guard let ratio = interval?.ratio else { return false }
    return max(ratio, 1 / ratio) > 1 + limit
  }
}
