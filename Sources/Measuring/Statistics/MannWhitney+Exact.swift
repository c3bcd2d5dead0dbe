extension MannWhitney {
  /// Largest sample for which the exact distribution is counted.
  static let exactCountMax = 25

  /// How unlikely a difference is to either side.
  package struct Tails: Sendable, Hashable {
    /// Probability of a first sample that lies at least as far above the second.
    package var above: Double
    /// Probability of one that lies at least as far below it.
    package var below: Double
    /// Two-sided probability.
    package var p: Double { min(1, 2 * min(above, below)) }
  }

  /// Tests whether the first sample lies above or below the second; nil when one is empty.
  ///
  /// Exact up to 25 values a sample, also with ties: of all ways to divide the pooled values into samples of these sizes.
  /// Beyond that the normal approximation.
  ///
  /// - Complexity: O(*n*⁴), about a million additions for the largest samples.
  package static func tails(_ first: [Double], _ second: [Double]) -> Tails? {
    precondition(!first.contains(where: \.isNaN) && !second.contains(where: \.isNaN), "values have an order")
    guard let test = MannWhitney(first, second) else { return nil }
    guard max(first.count, second.count) <= exactCountMax else {
      return Tails(above: normalUpperTail(test.z), below: normalUpperTail(-test.z))
    }
    let pooled = (first + second).sorted()
    // Twice the rank, which is whole also for values that share one.
    var ranks: [Int] = []
    while ranks.count < pooled.count {
      let equal = pooled[ranks.count...].prefix { $0 == pooled[ranks.count] }.count
      ranks += Array(repeating: 2 * ranks.count + equal + 1, count: equal)
    }
    let shares = shares(ranks, choosing: first.count)
    let n = Double(first.count)
    let sum = Int((2 * (test.u + n * (n + 1) / 2)).rounded())
    let tails = Tails(
      above: min(1, shares[min(sum, shares.count)...].reduce(0, +)),
      below: min(1, shares[...min(sum, shares.count - 1)].reduce(0, +)))
    precondition(tails.above + tails.below > 1 - 1e-6, "a sum lies at least as far above as itself, and as far below")
    return tails
  }

  /// The share of all ways to choose so many of the ranks in which these have each sum.
  private static func shares(_ ranks: [Int], choosing count: Int) -> [Double] {
    precondition(0...ranks.count ~= count, "ranks are chosen among those of both samples")
    precondition(zip(ranks, ranks.dropFirst()).allSatisfy(<=), "ranks ascend: the last ones have the largest sum")
    let sums = ranks.suffix(count).reduce(0, +) + 1
    var ways = [[Double]](repeating: [Double](repeating: 0, count: sums), count: count + 1)
    ways[0][0] = 1
    for (index, rank) in ranks.enumerated() {
      for taken in stride(from: min(count, index + 1), to: 0, by: -1) {
        for sum in stride(from: sums - 1, through: rank, by: -1) { ways[taken][sum] += ways[taken - 1][sum - rank] }
      }
    }
    let total = ways[count].reduce(0, +)
    precondition(total > 0, "there is a way to choose so many ranks")
    return ways[count].map { $0 / total }
  }

  /// The largest U that is as unlikely as `tail` or more, without ties; nil where none is.
  /// Exact up to 12 values a sample, from where on the normal approximation is as good.
  static func criticalU(_ first: Int, _ second: Int, tail: Double) -> Int? {
    precondition(
      first > 0 && second > 0 && tail > 0 && tail < 0.5, "both samples have values, and a tail is less than one half")
    guard max(first, second) <= 12 else {
      let (n1, n2) = (Double(first), Double(second))
      let deviation = (n1 * n2 * (n1 + n2 + 1) / 12).squareRoot()
      let u = Int((n1 * n2 / 2 - normalQuantile(1 - tail) * deviation).rounded()) - 1
      return u < 0 ? nil : u
    }
    let smallest = first * (first + 1) / 2
    var below = 0.0
    for (sum, share) in shares(Array(1...(first + second)), choosing: first).enumerated() {
      below += share
      if below > tail { return sum <= smallest ? nil : sum - 1 - smallest }
    }
    return nil
  }
}
