extension Statistics {
  /// Resamples that a bootstrap draws: its ends repeat within about 1 % of the interval's width.
  package static let bootstrapResamples = 5_000

  /// Ratio of the medians of two samples, with a percentile-bootstrap interval.
  ///
  /// The same generator state gives the same interval. Nil when a sample is empty or its values are not all above
  /// zero: a ratio of times that are zero means nothing.
  ///
  /// - Parameters:
  ///   - confidence: In 0…1, exclusive.
  ///   - generator: Source of the draws; seeded, so that a report can be repeated.
  /// - Complexity: O(*resamples* · *n* log *n*).
  /// - SeeAlso: Efron, Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
  package static func ratioOfMedians(
    _ numerator: [Double], _ denominator: [Double], confidence: Double = 0.95, resamples: Int = bootstrapResamples,
    using generator: inout some RandomNumberGenerator
  ) -> RatioInterval? {
    precondition(confidence > 0 && confidence < 1, "confidence lies between 0 and 1")
    precondition(resamples > 0, "a bootstrap draws at least once")
    guard let above = median(numerator), let below = median(denominator),
      numerator.allSatisfy({ $0 > 0 }), denominator.allSatisfy({ $0 > 0 })
    else { return nil }

    var ratios: [Double] = []
    ratios.reserveCapacity(resamples)
    for _ in 0..<resamples {
      let drawnAbove = resample(numerator, using: &generator)
      let drawnBelow = resample(denominator, using: &generator)
      guard let above = median(drawnAbove), let below = median(drawnBelow) else { return nil }
      ratios.append(above / below)
    }
    ratios.sort()
    let tail = (1 - confidence) / 2
    guard let low = quantile(tail, ofSorted: ratios), let high = quantile(1 - tail, ofSorted: ratios) else {
      return nil
    }
    return RatioInterval(ratio: above / below, low: low, high: high, confidence: confidence)
  }

  private static func resample(_ sample: [Double], using generator: inout some RandomNumberGenerator) -> [Double] {
    // Multiply-shift rather than Int.random: the draws must not change with the standard library.
    sample.map { _ in sample[Int(generator.next().multipliedFullWidth(by: UInt64(sample.count)).high)] }
  }
}
