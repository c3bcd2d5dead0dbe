/// Where the distribution of a series changes: E-divisive, with a permutation test for each change.
///
/// The split with the largest energy distance between the values before and after it counts as a change, when few series with
/// the same values in another order have one as large; then its two parts are searched, and so on.
///
/// - SeeAlso: Matteson, James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014.
package struct ChangePoints {
  /// A change.
  package struct Change: Sendable, Hashable {
    /// Place of the first value of the new level.
    package var index: Int
    /// Share of permutations that have a change as clear.
    package var p: Double
  }

  /// Fewest values between two changes.
  package static let segmentMin = 4
  /// Orders of the values that are tried for each change.
  package static let permutations = 499

  private struct Split {
    var index: Int
    var statistic: Double
  }

  /// The changes of a series, by place.
  ///
  /// - Parameter level: Probability at which a change counts.
  /// - Complexity: O(*n*²) for each permutation, and as often as there are changes.
  package static func find(
    _ values: [Double], level: Double = 0.01, using random: inout some RandomNumberGenerator
  ) -> [Change] {
    precondition(level > 0 && level < 1, "a level lies between 0 and 1")
    precondition(level * Double(permutations + 1) >= 1, "so many permutations can show a change at this level")
    var bounds = [0, values.count]
    var changes: [Change] = []
    while let best = best(values, bounds) {
      var asClear = 0
      for _ in 0..<permutations {
        var shuffled = values
        for (start, end) in zip(bounds, bounds.dropFirst()) { shuffled[start..<end].shuffle(using: &random) }
        if let other = Self.best(shuffled, bounds), other.statistic >= best.statistic { asClear += 1 }
      }
      let p = Double(asClear + 1) / Double(permutations + 1)
      guard p <= level else { break }
      changes.append(Change(index: best.index, p: p))
      bounds = (bounds + [best.index]).sorted()
    }
    precondition(changes.count == bounds.count - 2, "each change divides a segment")
    return changes.sorted { $0.index < $1.index }
  }

  /// The clearest split of any segment; nil when all are too short.
  private static func best(_ values: [Double], _ bounds: [Int]) -> Split? {
    precondition(bounds.first == 0 && bounds.last == values.count, "segments cover all values")
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<=), "segments follow each other")
    return zip(bounds, bounds.dropFirst()).compactMap { start, end in
      split(values[start..<end]).map { Split(index: start + $0.index, statistic: $0.statistic) }
    }.max { $0.statistic < $1.statistic }
  }

  /// The split of a segment with the largest energy distance between its parts.
  private static func split(_ segment: ArraySlice<Double>) -> Split? {
    let values = Array(segment)
    let count = values.count
    guard count >= 2 * segmentMin else { return nil }
    // Distances of each value to those before it, and to those behind it.
    var before = [Double](repeating: 0, count: count)
    var behind = before
    for right in 1..<count {
      for left in 0..<right {
        let distance = abs(values[right] - values[left])
        before[right] += distance
        behind[left] += distance
      }
    }
    let total = before.reduce(0, +)
    var (first, second) = (0.0, total)
    var best: Split?
    for index in 1..<count {
      first += before[index - 1]
      second -= behind[index - 1]
      let (m, n) = (Double(index), Double(count - index))
      guard index >= segmentMin, count - index >= segmentMin else { continue }
      let distance =
        2 / (m * n) * (total - first - second) - 2 / (m * (m - 1)) * first - 2 / (n * (n - 1)) * second
      let statistic = m * n / (m + n) * distance
      if statistic > best?.statistic ?? 0 { best = Split(index: index, statistic: statistic) }
    }
    return best
  }
}
