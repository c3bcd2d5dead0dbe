#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How many values would show a difference, by simulation with the values of the run.
package enum Planning {
  /// Share of cases in which the number that is advised shows the difference.
  package static let power = 0.8
  /// The share that the simulation asks for: values that happen to be close together must not promise too much.
  private static let powerAsked = 0.85
  /// No more values are advised.
  package static let countMax = 1_000
  private static let draws = 200

  /// Pairs that show a difference; nil when so many as are ever advised do not, or there are fewer than five.
  ///
  /// - Parameters:
  ///   - logarithms: Of the ratios of the pairs.
  ///   - effect: Logarithm by which the true ratio exceeds the one that is tested against, above zero.
  ///   - level: Probability at which the one-sided test shows it.
  /// - Complexity: O(*draws* · *n* log *n*) for *n* pairs advised.
  package static func pairs(
    _ logarithms: [Double], effect: Double, level: Double, using generator: inout some RandomNumberGenerator
  ) -> Int? {
    guard let rest = residuals(logarithms) else { return nil }
    return smallest(from: rest, effect: effect, level: level, spread: 1) { count in
      guard let critical = SignedRank.criticalSum(count, tail: level) else { return 0 }
      let shown = (0..<draws).count { _ in
        let drawn = (0..<count).map { _ in effect + draw(rest, &generator) }.sorted { abs($0) < abs($1) }
        return drawn.indices.reduce(0) { drawn[$1] < 0 ? $0 + $1 + 1 : $0 } <= critical
      }
      return Double(shown) / Double(draws)
    }
  }

  /// Values of either of two samples that show a difference between them; nil as of pairs.
  ///
  /// - Parameters:
  ///   - logarithms: Of the values of one sample.
  ///   - effect: As of pairs.
  ///   - level: As of pairs.
  package static func samples(
    _ logarithms: [Double], effect: Double, level: Double, using generator: inout some RandomNumberGenerator
  ) -> Int? {
    guard let rest = residuals(logarithms) else { return nil }
    return smallest(from: rest, effect: effect, level: level, spread: 2) { count in
      guard let critical = MannWhitney.criticalU(count, count, tail: level) else { return 0 }
      let shown = (0..<draws).count { _ in
        let drawn =
          (0..<count).map { _ in (value: draw(rest, &generator), isSlow: false) }
          + (0..<count).map { _ in (value: effect + draw(rest, &generator), isSlow: true) }
        // Pairs in which the slow one is the smaller.
        var (slow, u) = (0, 0)
        for one in drawn.sorted(by: { $0.value < $1.value }) {
          if one.isSlow { slow += 1 } else { u += slow }
        }
        return u <= critical
      }
      return Double(shown) / Double(draws)
    }
  }

  /// Runs of the baseline and as many of the candidate that show a difference, when the centres of runs have this deviation; nil
  /// when more than a hundred are needed.
  package static func runs(
    deviation: Double, effect: Double, level: Double, using generator: inout some RandomNumberGenerator
  ) -> Int? {
    func normal(_ generator: inout some RandomNumberGenerator) -> Double {
      let (first, second) = (Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
      return (-2 * log(1 - first)).squareRoot() * cos(2 * .pi * second)
    }
    precondition(deviation >= 0 && effect >= 0, "a deviation and an effect have no sign")
    return (2...100).first { count in
      let bound = StudentT.quantile(upperTail: level, degrees: 2 * count - 2)
      let shown = (0..<draws).count { _ in
        let base = (0..<count).map { _ in normal(&generator) * deviation }
        let head = (0..<count).map { _ in normal(&generator) * deviation }
        guard let seen = RunEffect(centresOfBase: base, head: head) else { return false }
        return seen.logarithm + effect > bound * seen.standardError
      }
      return Double(shown) >= powerAsked * Double(draws)
    }
  }

  /// Differences of values from their middle, as wide as those of the population probably are; nil of few values.
  private static func residuals(_ logarithms: [Double]) -> [Double]? {
    guard logarithms.count >= Statistics.intervalCountMin, let centre = Statistics.centre(logarithms) else {
      return nil
    }
    let n = Double(logarithms.count)
    // The deviation of a sample is too small by the first factor, and in one case of five by the second.
    let scale = (n / (n - 1)).squareRoot() * (1 + 0.84 / (2 * (n - 1)).squareRoot())
    return logarithms.map { ($0 - centre) * scale }
  }

  /// One of them, to either side: the tests assume no more than that both are as likely.
  private static func draw(_ rest: [Double], _ generator: inout some RandomNumberGenerator) -> Double {
    let bits = generator.next()
    // The top bits say which, the last one to which side.
    let value = rest[Int(bits.multipliedFullWidth(by: UInt64(rest.count)).high)]
    return bits & 1 == 0 ? value : -value
  }

  /// The smallest count with enough power, from where the normal approximation puts it.
  private static func smallest(
    from rest: [Double], effect: Double, level: Double, spread: Double, power: (Int) -> Double
  ) -> Int? {
    guard effect > 0, level > 0, level < 0.5 else { return nil }
    precondition(rest.count >= Statistics.intervalCountMin, "residuals are those of a sample that is large enough")
    let variance = rest.reduce(0) { $0 + $1 * $1 } / Double(rest.count)
    let distance = normalQuantile(1 - level) + normalQuantile(powerAsked)
    let guess = (distance * distance * spread * variance / (effect * effect)).rounded(.up)
    var high = max(2, Int(min(guess, Double(countMax))))
    var low = high / 2
    while power(high) < powerAsked {
      guard high < countMax else { return nil }
      low = high
      high = min(countMax, high + high / 2 + 1)
    }
    while high - low > max(1, high / 30) {
      let middle = (low + high) / 2
      if power(middle) < powerAsked { low = middle } else { high = middle }
    }
    return high
  }
}
