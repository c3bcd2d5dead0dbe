#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The ratio of counts, estimated from pairs, when one program with the same data in the same order takes nearly the same
/// number of steps each time.
///
/// Such values are so close together that a test of their ranks, which asks for eight pairs before it says anything, would
/// waste them. The rest of their spread is taken as normal, and never as smaller than that seen of two runs of one executable,
/// so that a few values that happen to be equal do not count as certainty.
package struct CountEffect: Sendable, Hashable {
  /// Fewest pairs that decide.
  package static let countMin = 3
  /// Smallest standard deviation of a ratio's logarithm that is believed: 0.05 %.
  ///
  /// 16 pairs of an executable and its copy or rebuild, importing 21,000 objects, were at most 0.07 % apart; their standard
  /// deviation was 0.027 %.
  package static let deviationMin = 0.0005

  /// The logarithms.
  package let logarithms: [Double]
  private let mean: Double
  private let variance: Double

  /// Takes the logarithms of the ratios of pairs; nil without any.
  package init?(_ logarithms: [Double]) {
    guard !logarithms.isEmpty else { return nil }
    precondition(logarithms.allSatisfy(\.isFinite), "a ratio of counts has a logarithm")
    let n = Double(logarithms.count)
    let mean = logarithms.reduce(0, +) / n
    let squares = logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = max(Self.deviationMin, (squares / max(1, n - 1)).squareRoot())
    self.logarithms = logarithms
    self.mean = mean
    variance = deviation * deviation / n
  }

  /// Whether there are enough pairs to decide.
  package var isEnough: Bool { logarithms.count >= Self.countMin }

  private var shifted: LogRatioTest {
    LogRatioTest(logarithm: mean, variance: variance, degrees: logarithms.count - 1)
  }

  /// Probability of so large a ratio if the true logarithm were `bound`; 1 of too few pairs.
  package func pAbove(_ bound: Double) -> Double {
    isEnough ? shifted.pAbove(bound) : 1
  }

  /// Probability of so small a ratio if the true logarithm were `bound`; 1 of too few pairs.
  package func pBelow(_ bound: Double) -> Double {
    isEnough ? shifted.pBelow(bound) : 1
  }

  /// The ratio with its interval, which there is of ``Statistics/intervalCountMin`` pairs.
  package func estimate(confidence: Double = 0.95) -> RatioEstimate {
    guard logarithms.count >= Statistics.intervalCountMin else {
      return RatioEstimate(ratio: exp(mean), interval: nil)
    }
    return shifted.estimate(confidence: confidence)
  }
}
