import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How far two measurements of the same thing lie apart: an A/A comparison.
enum NoiseBound {
  /// Divisions that are drawn.
  private static let draws = 400
  /// Share of the divisions that lie closer together than the bound.
  private static let quantile = 0.95

  /// Between two runs as large as the sample, by dividing it at random into halves; 0 when it is too small to divide.
  ///
  /// The halves lie √2 times as far apart as wholes do, which is taken off.
  static func ofSplits(_ sample: [Double], using random: inout ResamplingGenerator) -> Double {
    guard sample.count >= 4, sample.allSatisfy({ $0 > 0 }) else { return 0 }
    var sample = sample
    let distances = (0..<draws).compactMap { _ -> Double? in
      sample.shuffle(using: &random)
      return distance(Array(sample[..<(sample.count / 2)]), Array(sample[(sample.count / 2)...]))
    }
    guard let bound = Statistics.quantile(quantile, of: distances) else { return 0 }
    return exp(bound / 2.0.squareRoot()) - 1
  }

  /// The largest between the first sample and any other, each of another run of the same thing.
  static func ofRuns(_ samples: [[Double]]) -> Double {
    guard let first = samples.first else { return 0 }
    return exp(samples.dropFirst().compactMap { distance(first, $0) }.max() ?? 0) - 1
  }

  /// Between base and head of pairs if they were the same, by drawing which is which of what each pair differs by from the
  /// middle of all; of logarithms of their ratios.
  static func ofPairs(_ logarithms: [Double], using random: inout ResamplingGenerator) -> Double {
    guard let centre = Statistics.centre(logarithms) else { return 0 }
    let rest = logarithms.map { $0 - centre }
    let distances = (0..<draws).compactMap { _ -> Double? in
      Statistics.centre(rest.map { random.next() & 1 == 0 ? $0 : -$0 }).map(abs)
    }
    return Statistics.quantile(quantile, of: distances).map { exp($0) - 1 } ?? 0
  }

  /// Between two medians, as a logarithm without sign.
  private static func distance(_ left: [Double], _ right: [Double]) -> Double? {
    guard let left = Statistics.median(left), let right = Statistics.median(right), left > 0, right > 0 else {
      return nil
    }
    return abs(log(left / right))
  }
}
