#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Wilcoxon's signed-rank test: do differences of pairs lie around zero?
///
/// - SeeAlso: Wilcoxon, "Individual Comparisons by Ranking Methods", 1945.
package struct SignedRank: Sendable, Hashable {
  /// Largest number of pairs for which the exact distribution is counted.
  static let exactCountMax = 100

  /// Sum of the ranks, by size without sign, of the differences above zero; those that are equal share theirs.
  package var rankSum: Double
  /// Two-sided probability of so clear a sum when either sign is as likely.
  package var p: Double

  /// Tests differences; nil when none is different from zero, and nothing was shown.
  ///
  /// Those of zero are left out. The probability is exact up to 100 pairs, also with ties, and of the normal distribution
  /// beyond.
  ///
  /// - Complexity: O(*n*³) for small samples, O(*n* log *n*) for large ones.
  package init?(_ differences: [Double]) {
    let ranked = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
    guard !ranked.isEmpty else { return nil }
    // Twice the rank, which is whole also for those that share one.
    var ranks: [Int] = []
    while ranks.count < ranked.count {
      let start = ranks.count
      let equal = ranked[start...].prefix { abs($0) == abs(ranked[start]) }.count
      ranks += Array(repeating: 2 * start + equal + 1, count: equal)
    }
    let above = zip(ranks, ranked).reduce(0) { $1.1 > 0 ? $0 + $1.0 : $0 }
    let total = ranks.reduce(0, +)
    rankSum = Double(above) / 2
    let nearer = min(above, total - above)
    if ranked.count <= Self.exactCountMax {
      p = min(1, 2 * Self.shares(ranks)[...nearer].reduce(0, +))
    } else {
      let squares = ranks.reduce(0.0) { $0 + Double($1) * Double($1) }
      let distance = Double(total) / 2 - Double(nearer) - 1
      p = distance <= 0 ? 1 : erfc(distance / squares.squareRoot() * 2.0.squareRoot())
    }
  }

  /// The smallest probability that so many pairs can show: when all differ to the same side.
  package static func smallestP(_ count: Int) -> Double { count > 0 ? exp2(1 - Double(count)) : 1 }

  /// The share of all ways to give signs in which the ranks above zero have each sum.
  private static func shares(_ ranks: [Int]) -> [Double] {
    var shares = [Double](repeating: 0, count: ranks.reduce(0, +) + 1)
    shares[0] = 1
    var reached = 0
    for rank in ranks {
      reached += rank
      for sum in stride(from: reached, through: 0, by: -1) {
        shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2
      }
    }
    return shares
  }

  /// How many of the means of two differences lie outside an interval at either end, so that it has the confidence.
  static func outside(_ count: Int, confidence: Double) -> Int {
    let tail = (1 - confidence) / 2
    guard count <= exactCountMax else {
      let n = Double(count)
      let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
      return max(0, Int((n * (n + 1) / 4 - normalQuantile(1 - tail) * deviation).rounded()) - 1)
    }
    // Twice the rank sums, as above; without ties those that are odd have no share.
    var below = 0.0
    for (sum, share) in shares((1...count).map { 2 * $0 }).enumerated() where share > 0 {
      below += share
      if below > tail { return max(0, sum / 2 - 1) }
    }
    return 0
  }

  /// The value below which the standard normal distribution has a share above one half, by bisection.
  private static func normalQuantile(_ share: Double) -> Double {
    var (low, high) = (0.0, 40.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if erfc(middle / 2.0.squareRoot()) / 2 > 1 - share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
