/// A ratio of two samples, or of pairs, with the interval it lies in where there is one.
package struct RatioEstimate: Codable, Sendable, Hashable {
  /// The ends of an interval.
  package struct Interval: Codable, Sendable, Hashable {
    package var low: Double
    package var high: Double
    /// Share of such intervals that contain the true ratio, in 0…1.
    package var confidence: Double

    package init(low: Double, high: Double, confidence: Double) {
      precondition(!(low > high), "an interval has its lower end first")
      precondition((0...1).contains(confidence), "confidence is a share of such intervals")
      self.low = low
      self.high = high
      self.confidence = confidence
    }

    /// Whether all of it lies between the inverse of 1 + `effect` and 1 + `effect`.
    package func isWithin(_ effect: Double) -> Bool {
      precondition(effect >= 0, "an effect is how much larger one is than the other")
      return low >= 1 / (1 + effect) && high <= 1 + effect
    }
  }

  /// First sample / second.
  package var ratio: Double
  /// Nil of fewer values than ``Statistics/intervalCountMin``.
  package var interval: Interval?

  package init(ratio: Double, interval: Interval?) {
    precondition(!(ratio < 0), "a ratio is of two values above 0")
    self.ratio = ratio
    self.interval = interval
  }

  /// Of a logarithm with the ends of its interval.
  init(logarithm: Double, low: Double, high: Double, confidence: Double) {
    precondition(!(low > logarithm + 1e-9) && !(high < logarithm - 1e-9), "a ratio lies in its interval")
    // Bisection ends beside a value of zero, which is the one that says "the same".
    func ratio(_ logarithm: Double) -> Double { abs(logarithm) < 1e-11 ? 1 : exponential(logarithm) }
    self.ratio = ratio(logarithm)
    interval = Interval(low: ratio(low), high: ratio(high), confidence: confidence)
  }
}
