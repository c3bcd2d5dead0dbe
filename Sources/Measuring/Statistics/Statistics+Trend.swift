extension Statistics {
  /// How values change from the first to the last.
  package struct Trend: Sendable, Hashable {
    /// From the first value to the last, on the line of least squares.
    package var change: Double
    /// Two-sided probability of so steep a line when the order of the values means nothing.
    package var p: Double
  }

  /// The trend of values in their order; nil of fewer than five, and of values that are all the same.
  ///
  /// - Complexity: O(*n*).
  package static func trend(_ values: [Double]) -> Trend? {
    guard values.count >= intervalCountMin else { return nil }
    let n = Double(values.count)
    let (middle, mean) = ((n - 1) / 2, values.reduce(0, +) / n)
    var (products, squares, total) = (0.0, 0.0, 0.0)
    for (place, value) in values.enumerated() {
      products += (Double(place) - middle) * (value - mean)
      squares += (Double(place) - middle) * (Double(place) - middle)
      total += (value - mean) * (value - mean)
    }
    guard total > 0 else { return nil }
    precondition(squares > 0, "a trend is one over several places")
    let slope = products / squares
    let rest = max(0, total - slope * products)
    let error = (rest / (n - 2) / squares).squareRoot()
    let p = error > 0 ? 2 * StudentT.upperTail(abs(slope) / error, degrees: values.count - 2) : 0
    return Trend(change: slope * (n - 1), p: p)
  }
}
