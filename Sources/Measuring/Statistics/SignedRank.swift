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
  /// Probability of a sum at least as large when either sign is as likely: small when the differences lie above zero.
  package var pAbove: Double
  /// Probability of a sum at most as large: small when the differences lie below zero.
  package var pBelow: Double

  /// Two-sided probability of so clear a sum.
  package var p: Double { min(1, 2 * min(pAbove, pBelow)) }

  /// Tests differences; nil when none is different from zero, and nothing was shown.
  ///
  /// Those of zero are left out. The probabilities are exact up to 100 pairs, also with ties, and of the normal
  /// distribution beyond.
  ///
  /// - Complexity: O(*n*³) for small samples, O(*n* log *n*) for large ones.
  package init?(_ differences: [Double]) {
    precondition(!differences.contains(where: \.isNaN), "differences have an order")
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
    precondition(ranks.count == ranked.count, "each difference has its rank")
    let total = ranks.reduce(0, +)
    rankSum = Double(above) / 2
    if ranked.count <= Self.exactCountMax {
      let shares = Self.shares(ranks)
      pBelow = min(1, shares[...above].reduce(0, +))
      pAbove = min(1, shares[...(total - above)].reduce(0, +))
    } else {
      let deviation = ranks.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot() / 2
      // With correction for continuity, of half a rank.
      func tail(_ sum: Int) -> Double { normalUpperTail((Double(total) / 2 - Double(sum) - 1) / deviation) }
      pBelow = tail(above)
      pAbove = tail(total - above)
    }
    precondition(pAbove + pBelow > 1 - 1e-6, "a sum is at least as large as itself, and at most as large")
  }

  /// The smallest two-sided probability that so many pairs can show: when all differ to the same side.
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
    precondition(abs(shares.reduce(0, +) - 1) < 1e-6, "the shares of all sums add up to 1")
    return shares
  }

  /// The largest sum of ranks above zero that is as unlikely as `tail` or more, without ties; nil where none is.
  static func criticalSum(_ count: Int, tail: Double) -> Int? {
    precondition(count >= 0 && tail > 0 && tail < 0.5, "a tail is less than one half")
    guard count <= exactCountMax else {
      let n = Double(count)
      let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
      let sum = Int((n * (n + 1) / 4 - normalQuantile(1 - tail) * deviation).rounded()) - 1
      return sum < 0 ? nil : sum
    }
    var below = 0.0
    for (sum, share) in shares(Array(1...max(1, count))).enumerated() {
      below += share
      if below > tail { return sum == 0 ? nil : sum - 1 }
    }
    return nil
  }

  /// How many of the means of two differences lie outside an interval at either end, so that it has the confidence.
  static func outside(_ count: Int, confidence: Double) -> Int {
    criticalSum(count, tail: (1 - confidence) / 2) ?? 0
  }
}
