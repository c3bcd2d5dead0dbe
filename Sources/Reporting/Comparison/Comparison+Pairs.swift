import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Comparison {
  /// Share of comparisons side by side of the same thing with itself that may show a difference in any row. They see so
  /// little a difference that a gate made of them is asked often.
  package static let significanceSideBySide = 0.01

  /// Compares the cells of one run with those that ran beside them, pair by pair.
  ///
  /// What the machine does in the meantime happens to both of a pair, so that the pairs show differences that two runs
  /// do not. All strategies together are all their pairs.
  ///
  /// - Parameter metrics: What a subject is compared by.
  package init(pairsOf rows: [CellRow], metrics: (ComparedSubject) -> [ComparedMetric]) {
    self.init()
    let pairs = ComparedPairs(rows)
    var random = ResamplingGenerator()
    var pools: [[String]: Pool] = [:]
    for subject in pairs.subjects {
      for metric in metrics(subject) where pairs.hasBase(subject, metric) {
        let values = pairs.values(subject, metric)
        guard !values.isEmpty else {
          if !pairs.hasHead(subject, metric) { missing.append(Missing(subject: subject, metric: metric)) }
          continue
        }
        self.rows.append(Self.row(subject, metric, values, using: &random))
        pools[[subject.scenario, metric.column], default: Pool()].add(values)
      }
    }
    var scenarios: [String] = []
    for subject in pairs.subjects where !scenarios.contains(subject.scenario) { scenarios.append(subject.scenario) }
    for subject in scenarios.map({ ComparedSubject(scenario: $0, variant: nil) }) {
      for metric in metrics(subject) {
        guard let pool = pools[[subject.scenario, metric.column]], pool.strategies >= 2 else { continue }
        self.rows.append(Self.row(subject, metric, pool.pairs, using: &random))
      }
    }
    judge(Self.significanceSideBySide) { row, repetitions in
      let isOne = row.subject.variant != nil
      let strategies = isOne ? 1 : pools[[row.subject.scenario, row.metric.column]]?.strategies ?? 1
      return SignedRank.smallestP(repetitions * strategies)
    }
  }

  /// The pairs of all strategies.
  private struct Pool {
    var pairs: [(base: Double, head: Double)] = []
    var strategies = 0

    mutating func add(_ values: [(base: Double, head: Double)]) {
      pairs += values
      strategies += 1
    }
  }

  private static func row(
    _ subject: ComparedSubject, _ metric: ComparedMetric, _ pairs: [(base: Double, head: Double)],
    using random: inout ResamplingGenerator
  ) -> ComparisonRow {
    let logarithms = pairs.map { log($0.head / $0.base) }
    let isOne = subject.variant != nil
    return ComparisonRow(
      subject: subject, metric: metric, baseCount: pairs.count, headCount: pairs.count,
      baseMedian: isOne ? Statistics.median(pairs.map(\.base)) : nil,
      headMedian: isOne ? Statistics.median(pairs.map(\.head)) : nil,
      interval: Statistics.ratioOfPairs(logarithms), p: SignedRank(logarithms)?.p ?? 1,
      smallestP: SignedRank.smallestP(pairs.count), noise: NoiseBound.ofPairs(logarithms, using: &random))
  }
}
