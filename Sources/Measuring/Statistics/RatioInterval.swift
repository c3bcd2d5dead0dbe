/// A ratio of two samples and the interval it lies in with the given confidence.
package struct RatioInterval: Codable, Sendable, Hashable {
  /// First sample / second.
  package var ratio: Double
  /// Lower end of the interval.
  package var low: Double
  /// Upper end of the interval.
  package var high: Double
  /// Share of such intervals that contain the true ratio, in 0…1.
  package var confidence: Double

  /// Makes an interval of known numbers.
  package init(ratio: Double, low: Double, high: Double, confidence: Double) {
    self.ratio = ratio
    self.low = low
    self.high = high
    self.confidence = confidence
  }

  /// Whether the interval leaves out 1: the samples differ by more than their noise.
  package var excludesOne: Bool { low > 1 || high < 1 }
}
