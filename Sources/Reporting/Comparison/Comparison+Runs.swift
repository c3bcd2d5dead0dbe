import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Comparison {
  /// Compares the cells of runs by the metrics that each scenario is compared by.
  ///
  /// Runs of the same executable differ by more than their cells do. How much is known from three runs on: the baseline,
  /// its repeats and the candidates. With fewer the comparison is advisory.
  ///
  /// - Parameters:
  ///   - repeats: Further runs of the baseline's executable.
  ///   - isOfOneMachine: Whether the floor's share of the variation is taken off the times.
  ///   - mustShow: The relative difference that every row must show or exclude; nil = none.
  ///   - metrics: The metrics of a subject.
  package init(
    base: [CellRow], head: [CellRow], repeats: [[CellRow]] = [], isOfOneMachine: Bool = false, mustShow: Double? = nil,
    metrics: (ComparedSubject) -> [ComparedMetric]
  ) {
    self.init(mustShow: mustShow)
    let (old, new) = (ComparedCells(base), ComparedCells(head))
    let bases = [old] + repeats.map { ComparedCells($0) }
    let runs = ComparedRuns(base: bases, head: [new], isOfOneMachine: isOfOneMachine)
    added = new.subjects.filter { !old.subjects.contains($0) }
    for subject in old.subjects {
      for metric in metrics(subject) {
        let (measured, again) = (old.values(subject, metric), new.values(subject, metric))
        note(subject, metric, base: measured, head: again)
        guard measured.contains(where: { $0 > 0 }) else { continue }
        guard !again.isEmpty else {
          missing.append(Missing(subject: subject, metric: metric))
          continue
        }
        // Of the runs that the ratio is of, not of the first alone.
        let medians = bases.map { $0.values(subject, metric) }.filter { !$0.isEmpty }.compactMap(Statistics.median)
        append(subject, metric, runs.samples(subject, metric), Statistics.median(medians), Statistics.median(again))
      }
    }
    for subject in old.scenarios.map({ ComparedSubject(scenario: $0, variant: nil) }) {
      for metric in metrics(subject) {
        guard let levels = runs.levels(subject.scenario, metric) else { continue }
        append(subject, metric, levels, nil, nil)
        if metric.isDeciding { drifts += Self.drifts(subject.scenario, metric, levels) }
      }
    }
    judge(Self.significance)
  }

  /// Runs with a trend in their levels, tested at 1 % in each.
  private static func drifts(_ scenario: String, _ metric: ComparedMetric, _ levels: ComparedRuns.Samples) -> [Drift] {
    let runs = levels.base.enumerated().map { ($0 == 0 ? "baseline" : "repeat \($0)", $1) }
    return (runs + levels.head.map { ("candidate", $0) }).compactMap { name, values in
      guard let trend = Statistics.trend(values), trend.p <= 0.01 else { return nil }
      return Drift(scenario: scenario, metric: metric, run: name, change: exp(trend.change) - 1, p: trend.p)
    }
  }

  private mutating func append(
    _ subject: ComparedSubject, _ metric: ComparedMetric, _ samples: ComparedRuns.Samples, _ baseMedian: Double?,
    _ headMedian: Double?
  ) {
    let (old, new) = (Array(samples.base.joined()), Array(samples.head.joined()))
    guard let alone = Statistics.ratioOfSamples(new, old) else { return }
    precondition(!old.isEmpty && !new.isEmpty, "a ratio is one of two samples")
    var row = ComparisonRow(
      subject: subject, metric: metric, baseCount: old.count, headCount: new.count, baseMedian: baseMedian,
      headMedian: headMedian, estimate: alone, pWorse: 1, pBetter: 1)
    let bound = row.bound
    if let runs = RunEffect(base: samples.base, head: samples.head) {
      row.estimate = runs.estimate()
      if min(old.count, new.count) < Statistics.intervalCountMin { row.estimate.interval = nil }
      (row.pWorse, row.pBetter, row.noise) = (runs.pAbove(bound), runs.pBelow(-bound), runs.noise)
      append(row, .runs(runs))
    } else {
      row.isAdvisory = true
      row.pWorse = MannWhitney.tails(new.map { $0 - bound }, old)?.above ?? 1
      row.pBetter = MannWhitney.tails(new.map { $0 + bound }, old)?.below ?? 1
      append(row, .twoRuns)
    }
  }
}
