#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The ratio of a candidate to a baseline, estimated from several runs of each, when runs of one executable differ too.
///
/// A value is a mean of its executable, an effect that all values of its run share, and an error of its own. Only the
/// centres of runs are independent, so that their spread decides, however many values each run has.
///
/// - SeeAlso: Kalibera, Jones, "Rigorous Benchmarking in Reasonable Time", 2013.
package struct RunEffect: Sendable, Hashable {
  /// Fewest degrees of freedom with which the spread of runs counts as known: three runs of the baseline and one candidate.
  package static let degreesMin = 2

  /// Logarithm of candidate / baseline.
  package var logarithm: Double
  /// Standard deviation of the centres of runs, as logarithms.
  package var deviation: Double
  /// The part of it that the values within a run alone would cause.
  package var deviationWithin: Double
  /// Degrees of freedom of the deviation.
  package var degrees: Int
  /// Standard error of the logarithm.
  package var standardError: Double

  /// Takes the logarithms of each run's values; nil when a run has none, or there are too few runs.
  package init?(base: [[Double]], head: [[Double]]) {
    let (old, new) = (base.compactMap { Statistics.centre($0) }, head.compactMap { Statistics.centre($0) })
    guard old.count == base.count, new.count == head.count else { return nil }
    self.init(centresOfBase: old, head: new)
    let runs = base + head
    let within = runs.reduce(0) { $0 + Self.squares($1) } / Double(max(1, runs.reduce(0) { $0 + $1.count - 1 }))
    func share(_ runs: [[Double]]) -> Double { Self.mean(runs.map { 1 / Double($0.count) }) }
    deviationWithin = (within * share(base)).squareRoot()
    // Runs of fewer values than the baseline's are less sure than those.
    let extra = within * max(0, share(head) - share(base)) / Double(new.count)
    standardError = (standardError * standardError + extra).squareRoot()
  }

  /// Takes the centre of each run, of as many values on either side; nil when there are too few runs.
  init?(centresOfBase base: [Double], head: [Double]) {
    degrees = base.count + head.count - 2
    guard !base.isEmpty, !head.isEmpty, degrees >= Self.degreesMin else { return nil }
    let variance = (Self.squares(base) + Self.squares(head)) / Double(degrees)
    precondition(variance >= 0, "a variance is a number, and not negative")
    logarithm = Self.mean(head) - Self.mean(base)
    deviation = variance.squareRoot()
    deviationWithin = 0
    standardError = (variance * (1 / Double(base.count) + 1 / Double(head.count))).squareRoot()
  }

  private static func mean(_ values: [Double]) -> Double {
    precondition(!values.isEmpty, "a mean is of some values")
    return values.reduce(0, +) / Double(values.count)
  }

  /// The sum of the squared distances from the mean.
  private static func squares(_ values: [Double]) -> Double {
    let mean = mean(values)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  private var shifted: LogRatioTest {
    LogRatioTest(logarithm: logarithm, variance: standardError * standardError, degrees: degrees)
  }

  /// Probability of so large a ratio if the true logarithm were `bound`.
  package func pAbove(_ bound: Double) -> Double { shifted.pAbove(bound) }

  /// Probability of so small a ratio if the true logarithm were `bound`.
  package func pBelow(_ bound: Double) -> Double { shifted.pBelow(bound) }

  /// The ratio with its interval.
  package func estimate(confidence: Double = 0.95) -> RatioEstimate { shifted.estimate(confidence: confidence) }

  /// The relative difference of two runs of the same executable that 95 of 100 do not exceed.
  package var noise: Double {
    exp(StudentT.quantile(upperTail: 0.025, degrees: degrees) * deviation * 2.0.squareRoot()) - 1
  }
}
