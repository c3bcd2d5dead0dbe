extension Statistics {
  /// Fewest values, or pairs, of which an interval is given: of fewer none is nearly as sure as it says.
  package static let intervalCountMin = 5

  /// The ratio of two samples, from the logarithms of their values: the median of the ratios of any value of the first to
  /// any of the second, with the interval that belongs to ``MannWhitney``; nil when a sample is empty.
  ///
  /// - Parameter confidence: In 0…1, exclusive.
  /// - Complexity: O(*n*² log *n*), and of small samples O(*n*⁴).
  /// - SeeAlso: Hodges, Lehmann, "Estimates of Location Based on Rank Tests", 1963.
  package static func ratioOfSamples(
    _ numerator: [Double], _ denominator: [Double], confidence: Double = 0.95
  ) -> RatioEstimate? {
    precondition(confidence > 0 && confidence < 1, "confidence lies between 0 and 1")
    let differences = numerator.flatMap { value in denominator.map { value - $0 } }.sorted()
    guard let middle = quantile(0.5, ofSorted: differences) else { return nil }
    let isLarge = min(numerator.count, denominator.count) >= intervalCountMin
    let outside =
      isLarge ? MannWhitney.criticalU(numerator.count, denominator.count, tail: (1 - confidence) / 2) ?? 0 : 0
    precondition(2 * outside < differences.count, "an interval has its ends on either side of the middle")
    var estimate = RatioEstimate(
      logarithm: middle, low: differences[outside], high: differences[differences.count - 1 - outside],
      confidence: confidence)
    if !isLarge { estimate.interval = nil }
    return estimate
  }
}
