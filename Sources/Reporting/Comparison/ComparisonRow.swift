import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The result of a comparison for one subject by one metric.
package struct ComparisonRow: Sendable, Hashable {
  /// The verdict on the difference.
  package enum Verdict: String, Sendable {
    /// Less than before, by more than the minimum effect.
    case better
    /// More than before, by more than the minimum effect.
    case worse
    /// The interval lies within the minimum effect.
    case equivalent
    /// None of these.
    case inconclusive
  }

  package var subject: ComparedSubject
  package var metric: ComparedMetric
  /// Cells of the baseline that have a value; for all strategies together, repetitions; pairs side by side.
  package var baseCount: Int
  /// The same of the candidate.
  package var headCount: Int
  /// Median of the baseline; nil for all strategies together, which have none in common.
  package var baseMedian: Double?
  /// Median of the candidate.
  package var headMedian: Double?
  /// Candidate / baseline with its interval.
  package var estimate: RatioEstimate
  /// Probability of so large a ratio if the true one exceeded 1 by no more than the minimum effect; not corrected.
  package var pWorse: Double
  /// Probability of so small a ratio if the true one fell below 1 by no more than the minimum effect; not corrected.
  package var pBetter: Double
  /// Relative difference that an A/A comparison of this size shows in 95 of 100 cases; nil where it is unknown.
  package var noise: Double?
  /// Whether it says something of these two runs only, since the variance between runs is unknown.
  package var isAdvisory = false
  /// Whether so few cells could show any difference, however large.
  package var canShow = false
  /// Probability at which it counts when it is the clearest of its family.
  var level = 0.0
  package var verdict = Verdict.inconclusive
  /// The verdict if runs of the same executable did not differ; nil unless it is advisory.
  package var leaning: Verdict?
  /// The samples that would show ``plannedEffect`` in at least 80 of 100 cases; nil when none would, when too little is known,
  /// and before ``Comparison/planned()``.
  package var needed: Needed?
  /// The relative difference that ``needed`` is for.
  package var plannedEffect = 0.0

  /// How much would decide.
  package enum Needed: Sendable, Hashable {
    /// So many cells on either side.
    case cells(Int)
    /// So many runs on either side.
    case runs(Int)
  }

  /// The logarithm of the smallest ratio that counts.
  var bound: Double { log(1 + metric.effectMin) }
}
