/// A logarithm with an estimated variance, and tests of it by Student's t.
package struct LogRatioTest: Sendable {
  private let logarithm: Double
  private let standardError: Double
  private let degrees: Int

  /// An estimate.
  ///
  /// - Parameter degrees: Degrees of freedom of the variance.
  package init(logarithm: Double, variance: Double, degrees: Int) {
    precondition(variance >= 0 && degrees > 0, "a variance is not negative, and rests on something")
    self.logarithm = logarithm
    standardError = variance.squareRoot()
    self.degrees = degrees
  }

  /// Probability of so large a value if the true one were `bound`.
  package func pAbove(_ bound: Double) -> Double { tail(logarithm - bound) }

  /// Probability of so small a value if the true one were `bound`.
  package func pBelow(_ bound: Double) -> Double { tail(bound - logarithm) }

  private func tail(_ distance: Double) -> Double {
    precondition(standardError >= 0, "the deviation of a mean is a number, and not negative")
    guard standardError > 0 else { return distance > 0 ? 0 : 1 }
    return StudentT.upperTail(distance / standardError, degrees: degrees)
  }

  /// The ratio with its interval.
  package func estimate(confidence: Double = 0.95) -> RatioEstimate {
    precondition(confidence > 0 && confidence < 1, "confidence lies between 0 and 1")
    let half = StudentT.quantile(upperTail: (1 - confidence) / 2, degrees: degrees) * standardError
    return RatioEstimate(logarithm: logarithm, low: logarithm - half, high: logarithm + half, confidence: confidence)
  }
}
