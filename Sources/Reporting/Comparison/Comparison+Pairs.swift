import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Comparison {
  /// Share of A/A comparisons side by side that may show a regression in any row that decides. They see so little a
  /// difference that a gate made of them is asked often.
  package static let significanceSideBySide = 0.01

  /// Compares the cells of one run with those that ran beside them, pair by pair.
  ///
  /// Other load on the machine slows both of a pair, so that the pairs show differences that two runs
  /// do not. All strategies together have one value a repetition, the centre of its pairs: those of one repetition are not
  /// independent.
  ///
  /// - Parameters:
  ///   - mustShow: The relative difference that every row must show or exclude; nil = none.
  ///   - metrics: The metrics of a subject.
  package init(
    pairsOf rows: [CellRow], mustShow: Double? = nil, metrics: (ComparedSubject) -> [ComparedMetric]
  ) {
    self.init(mustShow: mustShow)
    let pairs = ComparedPairs(rows)
    var pools: [[String]: [[ComparedPairs.Values]]] = [:]
    for subject in pairs.subjects {
      for metric in metrics(subject) {
        note(subject, metric, base: pairs.base(subject, metric), head: pairs.head(subject, metric))
        guard pairs.hasBase(subject, metric) else { continue }
        let values = pairs.values(subject, metric)
        guard !values.isEmpty else {
          if !pairs.hasHead(subject, metric) { missing.append(Missing(subject: subject, metric: metric)) }
          continue
        }
        append(subject, metric, values.map(\.logarithm), values)
        pools[[subject.scenario, metric.column], default: []].append(values)
      }
    }
    var scenarios: [String] = []
    for subject in pairs.subjects where !scenarios.contains(subject.scenario) { scenarios.append(subject.scenario) }
    for subject in scenarios.map({ ComparedSubject(scenario: $0, variant: nil) }) {
      for metric in metrics(subject) {
        guard let pool = pools[[subject.scenario, metric.column]], pool.count >= 2 else { continue }
        let blocks = Dictionary(grouping: pool.joined(), by: \.block).sorted { $0.key < $1.key }
        append(subject, metric, blocks.compactMap { Statistics.centre($0.value.map(\.logarithm)) }, nil)
      }
    }
    judge(Self.significanceSideBySide)
  }

  private mutating func append(
    _ subject: ComparedSubject, _ metric: ComparedMetric, _ logarithms: [Double], _ values: [ComparedPairs.Values]?
  ) {
    precondition(values.map { $0.count == logarithms.count } ?? true, "each pair has its logarithm")
    guard let estimate = Statistics.ratioOfPairs(logarithms) else { return }
    var row = ComparisonRow(
      subject: subject, metric: metric, baseCount: logarithms.count, headCount: logarithms.count,
      baseMedian: values.flatMap { Statistics.median($0.map(\.base)) },
      headMedian: values.flatMap { Statistics.median($0.map(\.head)) }, estimate: estimate, pWorse: 1, pBetter: 1)
    let bound = row.bound
    let evidence: Evidence
    if metric.isCount, let effect = CountEffect(logarithms) {
      row.estimate = effect.estimate()
      (row.pWorse, row.pBetter) = (effect.pAbove(bound), effect.pBelow(-bound))
      evidence = .counts(effect)
    } else {
      row.pWorse = SignedRank(logarithms.map { $0 - bound })?.pAbove ?? 1
      row.pBetter = SignedRank(logarithms.map { $0 + bound })?.pBelow ?? 1
      evidence = .pairs(logarithms)
    }
    // Half the width of the interval, which leaves out where its middle lies.
    row.noise = row.estimate.interval.map { ($0.high / $0.low).squareRoot() - 1 }
    append(row, evidence)
  }
}
