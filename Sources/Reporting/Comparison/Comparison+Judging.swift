import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Comparison {
  /// Gives every row its verdict.
  ///
  /// The deciding metrics share the significance, the others have it each for itself, since they decide nothing. Of a
  /// metric all strategies together are tested apart from the single ones: they are few, and show a common difference
  /// more surely. Each of the two gets half, divided among its rows by Holm's rule.
  ///
  /// - Parameter significance: Share of A/A comparisons in which any row that decides may be worse, and as many better.
  mutating func judge(_ significance: Double) {
    precondition(evidence.count == rows.count, "every row is judged by its own evidence")
    precondition(significance > 0 && significance < 0.5, "a significance is less than one half")
    promotePrimary()
    var columns: [String] = []
    for row in rows where !columns.contains(row.metric.column) { columns.append(row.metric.column) }
    let deciding = Set(rows.filter(\.metric.isDeciding).map(\.metric.column)).count
    for column in columns {
      for decides in [true, false] {
        let family = rows.indices.filter {
          rows[$0].metric.column == column && rows[$0].metric.isDeciding == decides
        }
        let parts = [
          family.filter { rows[$0].subject.variant == nil }, family.filter { rows[$0].subject.variant != nil },
        ]
        let share = significance / Double(parts.count { !$0.isEmpty }) / Double(decides ? max(1, deciding) : 1)
        for part in parts { judge(part, level: share) }
      }
    }
    precondition(rows.allSatisfy { $0.level > 0 }, "every row belongs to a family, and was judged in it")
  }

  /// Judges the rows of a family, in which one may be wrong with this probability.
  private mutating func judge(_ family: [Int], level: Double) {
    let worse = Statistics.holm(family.map { rows[$0].pWorse }, level: level)
    let better = Statistics.holm(family.map { rows[$0].pBetter }, level: level)
    for (place, index) in family.enumerated() {
      let row = rows[index]
      let margin = mustShow ?? row.metric.effectMin
      precondition(!(worse[place] && better[place]), "no row is shown to be worse and better")
      let verdict: ComparisonRow.Verdict =
        if worse[place] {
          .worse
        } else if better[place] {
          .better
        } else if row.estimate.interval?.isWithin(margin) == true {
          .equivalent
        } else {
          .inconclusive
        }
      rows[index].canShow = Self.canShow(evidence[index], level: level / Double(family.count))
      rows[index].verdict = row.isAdvisory ? .inconclusive : verdict
      rows[index].leaning = row.isAdvisory ? verdict : nil
      rows[index].level = level / Double(family.count)
    }
  }

  private static func canShow(_ evidence: Evidence, level: Double) -> Bool {
    switch evidence {
    // At best all differences are to the same side.
    case .pairs(let logarithms): exp2(-Double(logarithms.count)) <= level
    case .counts(let effect): effect.isEnough
    case .runs: true
    case .twoRuns: false
    }
  }

  /// The same with plans for the inconclusive rows on which the exit status depends: how many cells or runs would
  /// show twice the minimum effect, or the difference that must show if that is more.
  ///
  /// - Complexity: Some simulations of the whole test for each such row; O(1) if it is planned.
  package func planned() -> Comparison {
    if isPlanned { return self }
    precondition(rows.allSatisfy { $0.level > 0 }, "a row is planned at the level at which it was judged")
    var comparison = self
    comparison.isPlanned = true
    var random = ResamplingGenerator()
    for (index, row) in rows.enumerated() where row.verdict == .inconclusive {
      guard row.metric.isDeciding || (mustShow != nil && !row.metric.isOfLatencies) else { continue }
      let planned = max(2 * row.bound, mustShow.map { log(1 + $0) } ?? 0)
      let effect = planned - row.bound
      comparison.rows[index].plannedEffect = exp(planned) - 1
      comparison.rows[index].needed =
        switch evidence[index] {
        case .pairs(let logarithms):
          Planning.pairs(logarithms, effect: effect, level: row.level, using: &random).map { .cells($0) }
        case .runs(let runs):
          Planning.runs(deviation: runs.deviation, effect: effect, level: row.level, using: &random)
            .map { .runs($0) }
        case .counts(let effect):
          effect.logarithms.count < Statistics.intervalCountMin ? .cells(Statistics.intervalCountMin) : nil
        case .twoRuns: nil
        }
    }
    return comparison
  }

  /// Replaces a primary metric that was not measured by the first that was.
  private mutating func promotePrimary() {
    let compared =
      rows.filter { !$0.metric.isOfLatencies }.map { ($0.subject.scenario, $0.metric) }
      + missing.map { ($0.subject.scenario, $0.metric) }
    for scenario in Set(compared.map(\.0)) where !compared.contains(where: { $0.0 == scenario && $0.1.isPrimary }) {
      let column = compared.first { $0.0 == scenario }?.1.column
      for index in rows.indices where rows[index].subject.scenario == scenario && rows[index].metric.column == column {
        rows[index].metric.isPrimary = true
      }
    }
  }
}
