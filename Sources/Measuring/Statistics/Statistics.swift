/// Statistics of small samples, without assumptions about their distribution.
package enum Statistics {
  /// The middle value, or the mean of the two middle values; nil for an empty sample.
  package static func median(_ sample: [Double]) -> Double? { quantile(0.5, of: sample) }

  /// The `q`-quantile, linear between the two nearest ranks; nil for an empty sample.
  ///
  /// - Parameter q: In 0…1; 0 is the minimum, 1 the maximum.
  /// - Complexity: O(*n* log *n*).
  /// - SeeAlso: Hyndman, Fan, "Sample Quantiles in Statistical Packages", 1996, definition 7.
  package static func quantile(_ q: Double, of sample: [Double]) -> Double? {
    quantile(q, ofSorted: sample.sorted())
  }

  static func quantile(_ q: Double, ofSorted sorted: [Double]) -> Double? {
    precondition((0...1).contains(q), "a quantile lies in 0…1")
    guard !sorted.isEmpty else { return nil }
    precondition(!(sorted[0] > sorted[sorted.count - 1]), "the sample is sorted")
    let position = q * Double(sorted.count - 1)
    let below = Int(position.rounded(.down))
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
  }
}

extension Statistics {
  /// The probabilities that hold when all of them are looked at: with at most this level any holds by chance.
  ///
  /// - SeeAlso: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
  package static func holm(_ probabilities: [Double], level: Double) -> [Bool] {
    precondition(probabilities.isEmpty || (level > 0 && level < 1), "a level lies between 0 and 1")
    precondition(probabilities.allSatisfy((0...1).contains), "a probability lies in 0…1")
    var holds = probabilities.map { _ in false }
    let ordered = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    for (rank, index) in ordered.enumerated() {
      guard probabilities[index] <= level / Double(probabilities.count - rank) else { break }
      holds[index] = true
    }
    return holds
  }
}
