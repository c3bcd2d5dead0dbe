#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Statistics {
  /// Two values of the sample that have the population's median between them in 95 of 100 cases or more; of fewer than six
  /// values, which cannot say as much, the smallest and the largest. Nil of fewer than two.
  ///
  /// A value lies below the median as often as a coin shows heads, whatever the distribution.
  package static func medianRange(of sample: [Double]) -> ClosedRange<Double>? {
    guard sample.count >= 2 else { return nil }
    let sorted = sample.sorted()
    let count = Double(sorted.count)
    var outside = 0
    var tail = 0.0
    while outside < sorted.count / 2 {
      let heads = Double(outside)
      tail += exp(lgamma(count + 1) - lgamma(heads + 1) - lgamma(count - heads + 1) - count * log(2))
      guard tail <= 0.025 else { break }
      outside += 1
    }
    let first = max(0, outside - 1)
    return sorted[first]...sorted[sorted.count - 1 - first]
  }
}
