import Histogram

/// The values of a histogram that share a count, and the order of the counts.
///
/// Values below 2·10ᵈ have counts of their own; above, each doubling of the value doubles how many share one.
struct HistogramLayout {
  private let unitMagnitude: Int
  /// Binary logarithm of the number of counts for a doubling.
  private let halfMagnitude: Int
  /// Position behind the last that a value of 64 bits can have.
  let end: Int

  /// The layout of a histogram.
  init(_ histogram: Histogram<UInt64>) {
    precondition(histogram.lowestDiscernibleValue > 0, "the lowest value that a histogram tells apart is positive")
    unitMagnitude = 63 - histogram.lowestDiscernibleValue.leadingZeroBitCount
    var single: UInt64 = 2
    for _ in 0..<histogram.numberOfSignificantValueDigits.rawValue { single *= 10 }
    halfMagnitude = max(1, 64 - (single - 1).leadingZeroBitCount) - 1
    end = (65 - unitMagnitude - halfMagnitude) << halfMagnitude
    precondition(unitMagnitude + halfMagnitude <= 64, "a value of 64 bits has a count of its own")
  }

  /// Position of the value's count.
  func index(of value: UInt64) -> Int {
    let scaled = value >> UInt64(unitMagnitude)
    let bits = 64 - scaled.leadingZeroBitCount
    let bucket = max(0, bits - halfMagnitude - 1)
    let index = (bucket << halfMagnitude) + Int(scaled >> UInt64(bucket))
    precondition(0..<end ~= index, "a value is counted within its histogram")
    return index
  }

  /// The least value that is counted at `index`.
  func value(at index: Int) -> UInt64 {
    precondition(0..<end ~= index, "a count is at a place of its histogram")
    let bucket = max(0, (index >> halfMagnitude) - 1)
    let value = UInt64(index - (bucket << halfMagnitude)) << UInt64(bucket + unitMagnitude)
    precondition(self.index(of: value) == index, "a value is counted at the place that it is the least of")
    return value
  }
}
