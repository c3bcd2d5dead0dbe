extension MannWhitney {
  /// Largest sample for which the exact distribution is counted.
  static let exactCountMax = 25

  /// The exact two-sided probability, which small samples need; nil when a sample is empty or large, or values are tied.
  ///
  /// With eight values a sample, none of one above any of the other, it is 0.00016; the normal approximation says 0.0009.
  ///
  /// - Complexity: O(*n*⁴), about a million additions for the largest samples.
  package static func exactP(_ first: [Double], _ second: [Double]) -> Double? {
    let (n1, n2) = (first.count, second.count)
    guard (1...exactCountMax).contains(n1), (1...exactCountMax).contains(n2), Set(first + second).count == n1 + n2
    else { return nil }
    let u = first.reduce(0) { sum, value in sum + second.count { $0 < value } }
    let counts = arrangements(n1, n2)
    let total = counts.reduce(0, +)
    let tail = counts[...min(u, n1 * n2 - u)].reduce(0, +)
    return min(1, 2 * tail / total)
  }

  /// How many orders of both samples' values have each U, from 0 to `n1` · `n2`.
  private static func arrangements(_ n1: Int, _ n2: Int) -> [Double] {
    // By how many values of the second sample lie below each of the first: partitions into at most n1 parts up to n2.
    var counts = [[Double]](repeating: [Double](repeating: 0, count: n1 * n2 + 1), count: n1 + 1)
    counts[0][0] = 1
    for below in 0...n2 {
      for taken in 1...n1 {
        for sum in stride(from: below, through: n1 * n2, by: 1) {
          counts[taken][sum] += counts[taken - 1][sum - below]
        }
      }
    }
    return counts[n1]
  }
}

extension MannWhitney {
  /// The smallest two-sided probability that samples of these sizes can show: when none of one is above any of the other.
  package static func smallestP(_ first: Int, _ second: Int) -> Double {
    guard first > 0, second > 0 else { return 1 }
    // One of all ways to choose the ranks of the first.
    var ways = 1.0
    for taken in 1...first { ways *= Double(second + taken) / Double(taken) }
    return min(1, 2 / ways)
  }
}
