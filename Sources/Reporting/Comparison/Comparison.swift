import Measuring

/// Two runs held against each other, row by row.
///
/// A difference counts when it is larger than what counts at all, larger than what the same thing shows, its interval
/// leaves out 1, and a test is significant among all the rows that were looked at: of two runs the bootstrap and
/// Mann–Whitney's test, of cells side by side those of the pairs.
package struct Comparison: Sendable {
  /// Share of comparisons of the same thing with itself that may show a difference in any row.
  package static let significance = 0.05

  /// Every row that both runs have.
  package internal(set) var rows: [ComparisonRow] = []
  /// Rows of the base that the head has no value for.
  package internal(set) var missing: [Missing] = []
  /// Subjects of the head that the base does not have.
  package private(set) var added: [ComparedSubject] = []

  /// A row of the base that was not measured again.
  package struct Missing: Sendable, Hashable {
    package var subject: ComparedSubject
    package var metric: ComparedMetric
  }

  /// Nothing compared yet.
  init() {}

  /// Compares cells by the metrics that each scenario is compared by.
  ///
  /// - Parameters:
  ///   - repeats: Further runs of what the base ran: their differences from it are noise.
  ///   - metrics: What a subject is compared by.
  package init(
    base: [CellRow], head: [CellRow], repeats: [[CellRow]] = [], metrics: (ComparedSubject) -> [ComparedMetric]
  ) {
    let (old, new) = (ComparedCells(base), ComparedCells(head))
    let others = repeats.map { ComparedCells($0) }
    added = new.subjects.filter { !old.subjects.contains($0) }
    var random = ResamplingGenerator()
    for subject in old.subjects {
      for metric in metrics(subject) {
        let samples = old.values(subject, metric)
        guard !samples.isEmpty else { continue }
        let measured = new.values(subject, metric)
        guard !measured.isEmpty else {
          missing.append(Missing(subject: subject, metric: metric))
          continue
        }
        rows.append(
          Self.row(
            subject, metric, samples, measured, repeats: others.map { $0.values(subject, metric) },
            arms: [old, new].map { $0.arms(subject, metric) }, using: &random))
      }
    }
    for scenario in old.scenarios {
      let subject = ComparedSubject(scenario: scenario, variant: nil)
      for metric in metrics(subject) {
        guard let levels = old.levels(scenario, metric, with: [new]) else { continue }
        rows.append(
          Self.row(
            subject, metric, levels[0], levels[1],
            repeats: others.compactMap { other in
              // Against the base, whose level is then another.
              old.levels(scenario, metric, with: [other]).flatMap { Self.rescaled($0[1], from: $0[0], to: levels[0]) }
            }, arms: [], using: &random))
      }
    }
    judge(Self.significance) { MannWhitney.smallestP($1, $1) }
  }

  /// Rows that are worse.
  package var regressions: [ComparisonRow] { rows.filter { $0.verdict == .worse } }
  /// Rows that are better.
  package var improvements: [ComparisonRow] { rows.filter { $0.verdict == .better } }

  private static func rescaled(_ values: [Double], from level: [Double], to other: [Double]) -> [Double]? {
    guard let from = Statistics.median(level), let to = Statistics.median(other), from > 0 else { return nil }
    return values.map { $0 / from * to }
  }

  private static func row(
    _ subject: ComparedSubject, _ metric: ComparedMetric, _ base: [Double], _ head: [Double], repeats: [[Double]],
    arms: [[[Double]]], using random: inout ResamplingGenerator
  ) -> ComparisonRow {
    let p = MannWhitney.exactP(head, base) ?? MannWhitney(head, base)?.p ?? 1
    let noise = ([base] + repeats).filter { !$0.isEmpty }
    let splits = [base, head].map { NoiseBound.ofSplits($0, using: &random) }
    let pairs = arms.map(NoiseBound.ofRuns)
    return ComparisonRow(
      subject: subject, metric: metric, baseCount: base.count, headCount: head.count,
      baseMedian: subject.variant == nil ? nil : Statistics.median(base),
      headMedian: subject.variant == nil ? nil : Statistics.median(head),
      interval: Statistics.ratioOfMedians(head, base, using: &random), p: p,
      smallestP: MannWhitney.smallestP(head.count, base.count),
      noise: max((splits + pairs).max() ?? 0, NoiseBound.ofRuns(noise)))
  }

  /// All strategies together are tested first, apart from the single ones: they are few, and show what all have in
  /// common more surely. Each of the two gets half of what may go wrong, divided among its rows by Holm's rule.
  ///
  /// - Parameters:
  ///   - significance: Share of comparisons of the same thing with itself that may show a difference in any row.
  ///   - smallestP: The smallest probability that a row can show with so many repetitions.
  /// - SeeAlso: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
  mutating func judge(_ significance: Double, smallestP: (ComparisonRow, Int) -> Double) {
    for isTogether in [true, false] {
      let family = rows.indices.filter { (rows[$0].subject.variant == nil) == isTogether }
      let ordered = family.sorted { rows[$0].p < rows[$1].p }
      for (rank, index) in ordered.enumerated() {
        let bound = significance / 2 / Double(family.count - rank)
        guard rows[index].p <= bound else { break }
        rows[index].isSignificant = true
      }
      for index in family {
        let bound = significance / 2 / Double(family.count)
        rows[index].countNeeded = (1...100).first { smallestP(rows[index], $0) <= bound } ?? 100
        rows[index].verdict = verdict(rows[index], bound: bound)
      }
    }
  }

  private func verdict(_ row: ComparisonRow, bound: Double) -> ComparisonRow.Verdict {
    if row.isSignificant, row.exceedsLimit, let interval = row.interval, interval.excludesOne {
      return interval.ratio > 1 ? .worse : .better
    }
    return row.smallestP > bound ? .tooFewCells : .noDifference
  }
}
